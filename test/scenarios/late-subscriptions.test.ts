import test from 'ava';
import { transaction } from '../../db/transaction.js';
import { draftPeriods } from '../../commands/subscriptions/invoices.js';
import { periodContaining, startOfDay } from '../../domain/cycle.js';
import { daysAfter, today } from '../support/days.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';
import { newBillingWorkspace, runSubscriptionInvoices } from '../support/subscriptions.js';
import { runJob } from '../support/tier-calls.js';
import type { TestWorkspace } from '../support/workspaces.js';
import { listInvoices, memberSince, newCompany } from './subscription-calls.js';

/** The days of `today()`. */
const ZONE = 'UTC';

/** Without an account at the processor, an upgrade is a line of the next subscription invoice. */
const newPlace = () => newBillingWorkspace({ processor_account_id: null, time_zone: ZONE });

/** Today, and months that began a few days ago: as a workspace sees them whose job has failed since. */
async function now() {
  const day = await today();
  const month = periodContaining(daysAfter(day, -3), day);
  return { day, month, earlier: periodContaining(daysAfter(month.start, -9), day) };
}

/** What is invoiced for a member: the first day of the month, who pays, and how much. */
async function invoicedFor(workspace: TestWorkspace, id: string) {
  const all = await listInvoices(workspace);
  return all.flatMap(({ status, period_start, company_id, lines }) =>
    lines
      .filter(({ description }) => description.includes(id))
      .map(({ net_minor }) => [period_start, company_id ? 'company' : 'own', net_minor, status]),
  );
}

async function change(workspace: TestWorkspace, id: string, changes: object): Promise<void> {
  const { status, body } = await workspace.api.patch(`/v1/members/${id}`, changes);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

async function archive(workspace: TestWorkspace, id: string): Promise<void> {
  const { status } = await workspace.api.post(`/v1/members/${id}/archive`);
  if (status !== 200) throw new Error(String(status));
}

const LEAVINGS = {
  paused: (workspace: TestWorkspace, id: string) => change(workspace, id, { status: 'paused' }),
  cancelled: (workspace: TestWorkspace, id: string) => change(workspace, id, { status: 'cancelled' }),
  archived: archive,
};

for (const [status, leave] of Object.entries(LEAVINGS))
  test(`a month is owed by a member who is ${status} before a late job, and by their company`, async (t) => {
    const { day, month } = await now();
    const workspace = await newPlace();
    const own = await memberSince(workspace, month.start);
    const employee = await memberSince(workspace, month.start, { company_id: await newCompany(workspace) });
    await leave(workspace, own);
    await leave(workspace, employee);
    await runSubscriptionInvoices(workspace, day);
    await runSubscriptionInvoices(workspace, month.end);
    t.deepEqual(await invoicedFor(workspace, own), [[month.start, 'own', 9_000, 'open']]);
    t.deepEqual(await invoicedFor(workspace, employee), [[month.start, 'company', 9_000, 'open']]);
    await sweep(t, workspace);
  });

test('a company owes the month of a member who is erased before a late job', async (t) => {
  const { day, month } = await now();
  const workspace = await newPlace();
  const id = await memberSince(workspace, month.start, { company_id: await newCompany(workspace) });
  t.is((await workspace.api.delete(`/v1/members/${id}`)).status, 204);
  await runSubscriptionInvoices(workspace, day);
  t.deepEqual(await invoicedFor(workspace, id), [[month.start, 'company', 9_000, 'open']]);
});

test('a month is not owed by members who were not active when it began, whatever they are at a late job', async (t) => {
  const { day, month } = await now();
  const workspace = await newPlace();
  const [returns, leaves, restored] = [
    await memberSince(workspace, month.start, { status: 'paused' }),
    await memberSince(workspace, month.start, { status: 'cancelled' }),
    await memberSince(workspace, month.start, {
      status: 'archived',
      archived_on: daysAfter(month.start, -1),
    }),
  ];
  await change(workspace, returns, { status: 'active' });
  await archive(workspace, leaves);
  await change(workspace, restored, { status: 'active' });
  await runSubscriptionInvoices(workspace, day);
  t.deepEqual(await listInvoices(workspace), []);
  await runSubscriptionInvoices(workspace, month.end);
  for (const id of [returns, restored])
    t.deepEqual(await invoicedFor(workspace, id), [[month.end, 'own', 9_000, 'open']]);
});

test('a tier that is withdrawn or raised after the month began does not change what a late job invoices', async (t) => {
  const { day, month } = await now();
  const workspace = await newPlace();
  const id = await memberSince(workspace, month.start);
  await db.query(`UPDATE members SET pending_tier = 'plus', pending_tier_at = $2 WHERE id = $1`, [
    id,
    startOfDay(month.start, ZONE),
  ]);
  await change(workspace, id, { tier: 'pro' });
  await runSubscriptionInvoices(workspace, day);
  t.deepEqual(await invoicedFor(workspace, id), [[month.start, 'own', 4_000, 'open']]);
});

test('a month that began before a lower tier is due is invoiced at the higher one, by a job that is late', async (t) => {
  const { day, month } = await now();
  const workspace = await newPlace();
  const before = periodContaining(month.start, daysAfter(month.start, -1));
  const id = await memberSince(workspace, before.start);
  await db.query(`UPDATE members SET pending_tier = 'plus', pending_tier_at = $2 WHERE id = $1`, [
    id,
    startOfDay(month.start, ZONE),
  ]);
  t.is((await runJob('member_cycle', workspace)).downgraded, 1);
  await runSubscriptionInvoices(workspace, day);
  t.deepEqual(await invoicedFor(workspace, id), [
    [before.start, 'own', 9_000, 'open'],
    [month.start, 'own', 4_000, 'open'],
  ]);
});

test('a member who joins a company owes their own month, also one that begins today', async (t) => {
  const { day, month, earlier } = await now();
  const workspace = await newPlace();
  const company_id = await newCompany(workspace);
  await memberSince(workspace, earlier.start, { company_id });
  const [late, today] = [await memberSince(workspace, month.start), await memberSince(workspace, day)];
  await change(workspace, late, { company_id });
  await change(workspace, today, { company_id });
  await runSubscriptionInvoices(workspace, earlier.end);
  for (const [id, start] of [
    [late, month.start],
    [today, periodContaining(day, day).start],
  ] as const)
    t.deepEqual(
      (await invoicedFor(workspace, id)).toSorted(),
      [
        [start, 'own', 9_000, 'open'],
        // The company pays from its next month: the job was late for the current one.
        [earlier.end, 'company', 9_000, 'open'],
      ].toSorted(),
    );
  await sweep(t, workspace);
});

test('a pending downgrade waits for the next month of the company that the member joins, and of the member who leaves', async (t) => {
  const { day, month, earlier } = await now();
  const workspace = await newPlace();
  const company_id = await newCompany(workspace);
  await memberSince(workspace, earlier.start, { company_id });
  const [joins, leaves] = [
    await memberSince(workspace, month.start),
    await memberSince(workspace, month.start, { company_id }),
  ];
  await runSubscriptionInvoices(workspace, day);
  for (const id of [joins, leaves]) await change(workspace, id, { tier: 'plus' });
  const pending = async (id: string) => (await workspace.api.get(`/v1/members/${id}`)).body.pending_tier_at;
  t.is(await pending(joins), startOfDay(month.end, ZONE).toISOString());
  await change(workspace, joins, { company_id });
  t.is(await pending(joins), startOfDay(earlier.end, ZONE).toISOString());
  // They joined the company after its month had begun, so that their own begins today.
  t.is(await pending(leaves), startOfDay(earlier.end, ZONE).toISOString());
  await change(workspace, leaves, { company_id: null });
  t.is(await pending(leaves), startOfDay(day, ZONE).toISOString());
  await runSubscriptionInvoices(workspace, earlier.end);
  t.deepEqual(await invoicedFor(workspace, joins), [
    [month.start, 'own', 9_000, 'open'],
    [earlier.end, 'company', 4_000, 'open'],
  ]);
  t.deepEqual(await invoicedFor(workspace, leaves), [
    [periodContaining(day, day).start, 'own', 4_000, 'open'],
  ]);
});

test('a pending downgrade begins at midnight of a new time zone, with its event', async (t) => {
  const { day, month } = await now();
  const workspace = await newPlace();
  const id = await memberSince(workspace, month.start);
  await runSubscriptionInvoices(workspace, day);
  await change(workspace, id, { tier: 'plus' });
  t.is((await workspace.api.patch('/v1/workspace', { time_zone: 'Asia/Tokyo' })).status, 200);
  const { body } = await workspace.api.get(`/v1/members/${id}`);
  t.is(body.pending_tier_at, startOfDay(month.end, 'Asia/Tokyo').toISOString());
  const [{ previous }] = await db.query(
    `SELECT body -> 'data' -> 'previous' AS previous FROM events
     WHERE object_id = $1 AND type = 'member.updated' ORDER BY sequence DESC LIMIT 1`,
    [id],
  );
  t.deepEqual(previous, { pending_tier_at: startOfDay(month.end, ZONE).toISOString() });
  await runSubscriptionInvoices(workspace, month.end);
  t.deepEqual(await invoicedFor(workspace, id), [
    [month.start, 'own', 9_000, 'open'],
    [month.end, 'own', 4_000, 'open'],
  ]);
});

test('a new time zone does not move members out of the month in which they joined', async (t) => {
  const { day, month } = await now();
  const workspace = await newPlace();
  const id = await memberSince(workspace, month.start);
  await db.query(`UPDATE members SET joined_at = $2::date + time '20:00' WHERE id = $1`, [id, month.start]);
  // In Tokyo, they joined on the next day.
  t.is((await workspace.api.patch('/v1/workspace', { time_zone: 'Asia/Tokyo' })).status, 200);
  await runSubscriptionInvoices(workspace, day);
  t.deepEqual(await invoicedFor(workspace, id), [[month.start, 'own', 9_000, 'open']]);
});

test('a draft says what is owed: it is opened, whatever its member has become since', async (t) => {
  const { day, month } = await now();
  const workspace = await newPlace();
  const drafted: [string, string][] = [];
  for (const status of Object.keys(LEAVINGS))
    drafted.push([status, await memberSince(workspace, month.start)]);
  // As a job that died before it opened them.
  const ids = drafted.map(([, id]) => id);
  await transaction(db, (tx) => draftPeriods(tx, workspace.id, ids, day));
  for (const [status, id] of drafted) await LEAVINGS[status as keyof typeof LEAVINGS](workspace, id);
  await runSubscriptionInvoices(workspace, day);
  for (const [status, id] of drafted)
    t.deepEqual(await invoicedFor(workspace, id), [[month.start, 'own', 9_000, 'open']], status);
});
