import { isDeepStrictEqual } from 'node:util';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import {
  createSubscriptionActivities,
  type InvoicedWorkspaces,
} from '../../../activities/subscriptions/subscriptions.js';
import { archiveMember } from '../../../commands/members/archive-member.js';
import { updateMember } from '../../../commands/members/update-member.js';
import { runMemberCycle } from '../../../commands/subscriptions/member-cycle.js';
import { changeWorkspace } from '../../../commands/workspaces/settings.js';
import { newId, newUuid } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { dayAfter, dayIn, startOfDay, type Day } from '../../../domain/cycle.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import { TIERS } from '../../../domain/rates/price.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { storeMembers } from '../../support/rows.js';

const PRICES = { basic: 0, plus: 4_000, pro: 9_000, enterprise: 20_000 };
const ZONE = 'Europe/London';
/** By this many days from now, everybody's next month has begun. */
const NEXT_MONTHS = 40;

/** A member, and two companies with another member each. Days are counted back from today. */
const someScene = fc.record({
  status: fc.constantFrom('active', 'active', 'paused', 'cancelled', 'archived' as const),
  tier: fc.constantFrom(...TIERS),
  billed: fc.boolean(),
  payer: fc.constantFrom(null, 0, 1),
  began: fc.integer({ min: 1, max: 60 }),
  companies: fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 })),
  joined: fc.integer({ min: 0, max: 60 }),
  archived: fc.integer({ min: 0, max: 60 }),
  downgrade: fc.option(fc.record({ to: fc.constantFrom(...TIERS), at: fc.integer({ min: -20, max: 30 }) })),
});

const someChange = fc.oneof(
  fc.record({ status: fc.constantFrom('active', 'paused', 'cancelled' as const) }),
  fc.record({ tier: fc.constantFrom(...TIERS) }),
  fc.record({ billed: fc.boolean() }),
  fc.record({ payer: fc.constantFrom(null, 0, 1) }),
  fc.record({ zone: fc.constantFrom('Asia/Tokyo', 'America/Los_Angeles', ZONE) }),
  fc.record({ act: fc.constantFrom('archive', 'cycle' as const) }),
);

type Scene = typeof someScene extends fc.Arbitrary<infer T> ? T : never;
type Change = typeof someChange extends fc.Arbitrary<infer T> ? T : never;

async function build(scratch: DataSource, scene: Scene, today: Day) {
  const { workspace_id } = await newPlace(scratch);
  await scratch.query(`UPDATE workspaces SET tier_prices = $2 WHERE id = $1`, [workspace_id, PRICES]);
  const ago = (days: number) => dayAfter(today, -days);
  const companies = [newUuid(), newUuid()];
  for (const [n, id] of companies.entries())
    await scratch.query(
      `INSERT INTO companies (id, workspace_id, name, billing_anchor) VALUES ($1, $2, 'Acme', $3)`,
      [id, workspace_id, ago(scene.companies[n]!)],
    );
  const [owner, id, ...others] = Array.from({ length: 4 }, () => newId('mem')) as [string, string];
  const person = (id: string) => ({ id, workspace_id, email: `${id}@example.com` });
  const { status, tier, billed, payer, began, joined, archived, downgrade } = scene;
  const colleagues = others.map((id, n) => ({
    ...person(id),
    tier: 'pro' as const,
    company_id: companies[n]!,
    joined_at: new Date(ago(90)),
  }));
  const member = {
    ...person(id),
    status,
    tier,
    billed,
    company_id: payer === null ? null : companies[payer]!,
    billing_anchor: payer === null ? ago(began) : null,
    joined_at: startOfDay(ago(payer === null ? began : joined), ZONE),
    archived_at: status === 'archived' ? startOfDay(ago(archived), ZONE) : null,
    ...(downgrade &&
      status !== 'archived' && {
        pending_tier: downgrade.to,
        pending_tier_at: startOfDay(ago(downgrade.at), ZONE),
      }),
  };
  await storeMembers(scratch, [{ ...person(owner), role: 'owner', billed: false }]);
  await storeMembers(
    scratch,
    colleagues.map((each) => ({ ...each, billed: true })),
  );
  await storeMembers(scratch, [member]);
  const by: Principal = {
    workspace_id,
    member_id: owner,
    profile_id: newUuid(),
    role: 'owner',
    issuer_ids: [],
    key_id: null,
    key_created_at: null,
    resources: [],
    actions: [],
    ip_allowlist: [],
  };
  return {
    workspace_id,
    companies,
    id,
    by,
    names: new Map([owner, id, ...others].map((each, n) => [each, n])),
  };
}

type Place = Awaited<ReturnType<typeof build>>;

/** Applies a change, unless the member cannot be changed like this. */
async function apply(
  scratch: DataSource,
  { workspace_id, companies, id, by }: Place,
  change: Change,
): Promise<void> {
  try {
    if ('zone' in change) await changeWorkspace(scratch, by, { time_zone: change.zone });
    else
      await transaction(scratch, async (tx) => {
        if ('payer' in change)
          await updateMember(tx, by, id, {
            company_id: change.payer === null ? null : companies[change.payer]!,
          });
        else if (!('act' in change)) await updateMember(tx, by, id, change);
        else if (change.act === 'archive') await archiveMember(tx, by, id);
        else await runMemberCycle(tx, { id, workspace_id }, undefined);
      });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'member_not_editable') throw error;
  }
}

const invoice = async (scratch: DataSource, workspaceId: string, day: Day): Promise<void> => {
  const { invoiceWorkspaces } = createSubscriptionActivities({ db: scratch });
  const days = [{ workspaceId, day }];
  const done: InvoicedWorkspaces = await new MockActivityEnvironment().run(invoiceWorkspaces, {
    days,
    job: 'the job',
  });
  if (done.failed > 0) throw new Error('A payer could not be invoiced.');
};

/** What was invoiced, without the ids: for which month, to whom, for whom and how much. */
async function listInvoiced(
  scratch: DataSource,
  { workspace_id, companies, names }: Place,
): Promise<string[]> {
  const rows: {
    month: Day;
    status: string;
    company: string | null;
    line: string;
    of: string;
    net: number;
  }[] = await scratch.query(
    `SELECT i.period_start::text AS month, i.status, i.company_id::text AS company, l.description AS line,
         member_of_line(l.description) AS of, l.net_minor::int AS net
       FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id WHERE i.workspace_id = $1`,
    [workspace_id],
  );
  return rows
    .map(({ month, status, company, line, of, net }) =>
      [
        month,
        status,
        company && companies.indexOf(company),
        line.replace(/ \(mem.*/, ''),
        names.get(of),
        net,
      ].join(),
    )
    .toSorted();
}

/** Invoices before changes, as a job that is on time, or only after them. */
async function run(scratch: DataSource, scene: Scene, changes: Change[], isLate: boolean): Promise<string[]> {
  const today = dayIn(ZONE, new Date());
  const place = await build(scratch, scene, today);
  if (!isLate) await invoice(scratch, place.workspace_id, today);
  for (const change of changes) await apply(scratch, place, change);
  await invoice(scratch, place.workspace_id, dayAfter(today, NEXT_MONTHS));
  return listInvoiced(scratch, place);
}

test.serial('a late job invoices the same as one on time, whatever changes before it', async (t) => {
  t.timeout(300_000);
  const changes = fc.array(someChange, { minLength: 1, maxLength: 3 });
  await withScratchDatabase((scratch) =>
    fc.assert(
      fc.asyncProperty(someScene, changes, async (scene, made) =>
        isDeepStrictEqual(await run(scratch, scene, made, true), await run(scratch, scene, made, false)),
      ),
      { numRuns: 20 },
    ),
  );
  t.pass();
});

test.serial('a member who joins a company on the first day of a month of both is charged once', async (t) => {
  const scene: Scene = {
    status: 'active',
    tier: 'pro',
    billed: true,
    payer: null,
    began: 0,
    companies: [0, 30],
    joined: 0,
    archived: 0,
    downgrade: null,
  };
  await withScratchDatabase(async (scratch) => {
    const today = dayIn(ZONE, new Date());
    const place = await build(scratch, scene, today);
    await apply(scratch, place, { payer: 0 });
    await invoice(scratch, place.workspace_id, today);
    const forMember = (await listInvoiced(scratch, place)).filter((line) => line.endsWith(',1,9000'));
    t.is(forMember.length, 1);
    t.regex(forMember[0]!, /,open,0,/, 'by the company');
  });
});
