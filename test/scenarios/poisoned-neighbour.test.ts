import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client, type Connection } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import type { Job } from '../../contract/jobs.js';
import { WORKFLOWS } from '../../contract/names.js';
import { starts } from '../../contract/starts.js';
import type { OutboxName } from '../../db/queries/outbox.js';
import { newId } from '../../db/ids.js';
import { utcDay } from '../../domain/cycle.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import type { SweptJob } from '../../domain/workspaces/swept-jobs.js';
import { transaction } from '../../db/transaction.js';
import { ROWS } from '../support/rights-table.js';
import { reserveIn, withScratchDatabase } from '../support/scratch-database.js';
import { bookingBody, createBooking, freeHour, untilStatus } from '../support/bookings.js';
import type { AccountingWorkspace } from '../support/accounting.js';
import { newAutopayer, openOwnWorkspace, payAndReturn, startService } from '../support/own-workspace.js';
import type { OwnService } from '../support/own-service.js';
import { openReceiver, type Receiver } from '../support/receiver.js';
import { storeConnections, storeMails } from '../support/rows.js';
import { simulator } from '../support/simulators.js';
import { certificateUntil, samlConnection } from '../support/certificates.js';
import { storeBookings } from '../support/stored-bookings.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { newRoom, uniqueEmail } from '../support/workspaces.js';

const home = dirname(process.env.HOLDFAST_DEV_JSON!);
const { SMTP_PORT } = JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8')).named;

/** A workspace with an object of every kind that jobs and relays process. */
interface FilledWorkspace extends AccountingWorkspace {
  receiver: Receiver;
  roomId: string;
  bookingId: string;
  companyId: string;
  invoiceId: string;
  trialId: string;
  memberId: string;
}

interface Place {
  t: ExecutionContext;
  service: OwnService;
  namespace: string;
  scratch: DataSource;
  good: FilledWorkspace;
  bad: FilledWorkspace;
}

async function furnish(
  t: ExecutionContext,
  service: OwnService,
  scratch: DataSource,
): Promise<FilledWorkspace> {
  const workspace = await openOwnWorkspace(service, scratch);
  const { api, id } = workspace;
  const receiver = await openReceiver();
  t.teardown(receiver.close);
  await api.put('/v1/webhook-endpoint', { url: receiver.url });
  await api.patch('/v1/workspace', {
    tier_prices: { plus: 4_000, pro: 9_000 },
    notify_staff: { created: 'daily', changed: 'daily', cancelled: 'daily' },
  });
  const room = await newRoom(api);
  const booking = await createBooking(api, bookingBody(room.id));
  await payAndReturn(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const companyId = await newAutopayer(workspace);
  const { body: invoice } = await api.post('/v1/invoices', {
    company_id: companyId,
    currency: 'GBP',
    due_at: new Date(Date.now() + 20 * DAY_MS).toISOString(),
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'STANDARD' }],
  });
  const trial = await api.post('/v1/members', {
    email: uniqueEmail(),
    tier: 'plus',
    send_invite: false,
    trial_ends_at: new Date(Date.now() + HOUR_MS).toISOString(),
  });
  const member = await api.post('/v1/members', { email: uniqueEmail(), tier: 'plus', send_invite: false });
  for (const { status, body } of [trial, member]) if (status !== 201) throw new Error(JSON.stringify(body));
  await scratch.query(`UPDATE members SET billing_anchor = NULL WHERE workspace_id = $1 AND role = 'owner'`, [
    id,
  ]);
  return {
    ...workspace,
    receiver,
    roomId: room.id,
    bookingId: booking.id,
    companyId,
    invoiceId: invoice.id,
    trialId: trial.body.id,
    memberId: member.body.id,
  };
}

/** What is due immediately, in both: trials, months, statements, reminders, daily mail, collection steps. */
async function makeDue(
  scratch: DataSource,
  { id, invoiceId, trialId, memberId, companyId, bookingId }: FilledWorkspace,
) {
  await scratch.query(`UPDATE members SET trial_ends_at = now() - interval '1 hour' WHERE id = $1`, [
    trialId,
  ]);
  await scratch.query(
    `UPDATE members SET joined_at = now() - interval '3 days', billing_anchor = now()::date - 2,
      next_period_on = NULL WHERE id = $1`,
    [memberId],
  );
  await scratch.query(`UPDATE companies SET next_statement_on = now()::date - 2 WHERE id = $1`, [companyId]);
  await scratch.query(`UPDATE bookings SET remind_at = now() WHERE id = $1`, [bookingId]);
  await scratch.query(`UPDATE workspaces SET digest_at = now() WHERE id = $1`, [id]);
  await storeConnections(scratch, [
    samlConnection(id, await certificateUntil(new Date(Date.now() + 5 * DAY_MS))),
  ]);
  await scratch.query(`UPDATE collections SET next_at = now(), notify_at = now() WHERE invoice_id = $1`, [
    invoiceId,
  ]);
}

/** The worst values that the schema accepts, and rows that no part of the service expects. */
async function poison(scratch: DataSource, bad: FilledWorkspace): Promise<void> {
  const { id, roomId, bookingId } = bad;
  const odd = `\u202e💣"'; DROP TABLE x; -- \\\\ {{x}} <b> %s ${'é'.repeat(200)}`.slice(0, 200);
  await storeBookings(
    { workspace_id: id, room_id: roomId },
    [{ start_at: new Date(Date.now() - 30 * DAY_MS), guest_name: odd, locale: 'xx' as never }],
    scratch,
  );
  for (const [sql, ...values] of [
    [
      `UPDATE workspaces SET time_zone = 'Mars/Olympus', name = $2, legal_name = $2, invoice_details = $2,
        plans = '[]', tier_prices = '{}',
         tax_codes = '[]', locale = 'xx', checkout_hold_seconds = 86400 WHERE id = $1`,
      odd,
    ],
    [
      `UPDATE rooms SET time_zone = 'Mars/Olympus', name = $2, opening_hours = '{"mon": "always"}',
        refund_steps = '{}'
       WHERE workspace_id = $1`,
      odd,
    ],
    [`UPDATE members SET name = $2, locale = 'xx' WHERE workspace_id = $1`, odd],
    [`UPDATE companies SET name = $2 WHERE workspace_id = $1`, odd],
    [`UPDATE webhook_endpoints SET secret = '\\x00' WHERE workspace_id = $1`],
    [
      `UPDATE accounting_connections SET access_token = '\\x00', refresh_token = '\\x00',
        access_expires_at = now()
       WHERE workspace_id = $1`,
    ],
    [`UPDATE events SET type = 'of_the_next_build' WHERE workspace_id = $1 AND type = 'booking.confirmed'`],
    [`UPDATE removed_cards SET account_id = 'acct_none' WHERE workspace_id = $1`],
  ] as [string, ...unknown[]][])
    await scratch.query(sql, [id, ...values]);
  await storeMails(scratch, [
    { workspace_id: id, kind: 'of_the_next_build' as never, about: 'something', status: 'pending' },
    {
      workspace_id: id,
      kind: 'booking_confirmed',
      about: newId('bk'),
      booking_id: bookingId,
      status: 'pending',
    },
  ]);
}

/** Runs a job over all workspaces by the internal action. */
async function runAll(
  { t, service, good }: Place,
  job: string,
  as_of?: string,
): Promise<Record<string, unknown>> {
  const { status, body } = await service.internal('run_job', { job, as_of });
  t.is(status, 200, `${job}: ${JSON.stringify(body)}`);
  const failed = body.failed as unknown as { workspace_id: string; reason: string }[];
  t.true(Array.isArray(failed), `${job}: ${JSON.stringify(body)}`);
  t.false(
    failed.some(({ workspace_id }) => workspace_id === good.id),
    `${job}: ${JSON.stringify(failed)}`,
  );
  return body as Record<string, unknown>;
}

/** Runs a job over all workspaces as its Schedule does. */
async function runScheduled<Summary>({ service, namespace }: Place, job: Job): Promise<Summary> {
  const client = new Client({ connection: (await temporal.connection) as Connection, namespace });
  const start = starts(service.taskQueue).byHand(job, {});
  return (await client.workflow.execute(WORKFLOWS[job], start)) as Summary;
}

const failsFor = (
  t: ExecutionContext,
  answer: Record<string, unknown>,
  { id }: FilledWorkspace,
  reason: RegExp,
): void => {
  const failed = answer.failed as { workspace_id: string; reason: string }[];
  t.regex(failed.find(({ workspace_id }) => workspace_id === id)?.reason ?? 'none', reason);
};

const holds = async (scratch: DataSource, sql: string, values: unknown[]): Promise<void> =>
  void (await until(async () => (await scratch.query(sql, values))[0]?.holds === true));

/** What each job does for the healthy workspace. A new job does not compile without its line. */
const JOBS: Record<Job, (place: Place) => Promise<void>> = {
  async memberCycle(place) {
    const { t, good, bad } = place;
    const answer = await runAll(place, 'member_cycle');
    failsFor(t, answer, bad, /"Mars\/Olympus" is not known/);
    t.is((await good.api.get(`/v1/members/${good.trialId}`)).body.status, 'active');
  },
  async subscriptionInvoices(place) {
    const { t, good, bad, scratch } = place;
    const answer = await runAll(place, 'subscription_invoices');
    failsFor(t, answer, bad, /"Mars\/Olympus" is not known/);
    const [{ member }] = await scratch.query(
      `SELECT count(*)::int AS member FROM invoices WHERE member_id = $1 AND id = ANY ($2)`,
      [good.memberId, answer.created],
    );
    t.is(member, 1);
    await holds(
      scratch,
      `SELECT count(*) = 1 AS holds FROM mails WHERE kind = 'monthly_statement' AND workspace_id = $1`,
      [good.id],
    );
  },
  async ssoCertificates(place) {
    const { t, good, bad, scratch } = place;
    failsFor(t, await runAll(place, 'sso_certificates'), bad, /"Mars\/Olympus" is not known/);
    await holds(
      scratch,
      `SELECT count(*) = 1 AS holds FROM mails WHERE kind = 'sso_certificate_expires' AND workspace_id = $1`,
      [good.id],
    );
  },
  async payouts(place) {
    const { good, bad, scratch } = place;
    for (const { accountId } of [good, bad]) await simulator('POST', `/_sim/accounts/${accountId}/payout`);
    await runAll(place, 'payouts');
    await holds(
      scratch,
      `SELECT count(*) = 1 AS holds FROM payouts WHERE workspace_id = $1 AND entries_read_at IS NOT NULL`,
      [good.id],
    );
  },
  async selfHeal(place) {
    const { t, good, scratch } = place;
    const [room] = await scratch.query(`SELECT * FROM rooms WHERE id = $1`, [good.roomId]);
    const abandoned = await transaction(scratch, (tx) => reserveIn(tx, room, freeHour()));
    await scratch.query(`UPDATE bookings SET created_at = now() - interval '1 hour' WHERE id = $1`, [
      abandoned,
    ]);
    t.true(((await runAll(place, 'self_heal')).released as number) > 0);
    await holds(scratch, `SELECT count(*) = 0 AS holds FROM slot_claims WHERE booking_id = $1`, [abandoned]);
  },
  async readAccounts(place) {
    const { t, good, scratch } = place;
    await scratch.query(`UPDATE account_reads SET next_read_at = now() - interval '1 day'`);
    await runAll(place, 'read_accounts');
    const [{ read }] = await scratch.query(
      `SELECT next_read_at > now() AS read FROM account_reads WHERE workspace_id = $1`,
      [good.id],
    );
    t.true(read);
  },
  async accountingSync(place) {
    const answer = await runAll(place, 'accounting_sync');
    place.t.true((answer.examined as number) > 0, JSON.stringify(answer));
  },
  async nightlyReconciliation(place) {
    const { t, good, scratch } = place;
    const summary = await runScheduled<{ workspaces: number; left?: string[] }>(
      place,
      'nightlyReconciliation',
    );
    t.is(summary.workspaces, 2);
    t.false((summary.left ?? []).includes(good.id));
    const [{ done }] = await scratch.query(
      `SELECT count(*) > 0 AS done FROM reconciliations WHERE workspace_id = $1 AND report IS NOT NULL`,
      [good.id],
    );
    t.true(done);
  },
  async retention(place) {
    place.t.deepEqual((await runScheduled<{ failed: string[] }>(place, 'retention')).failed, []);
  },
};

/** What each outbox does for the healthy workspace. A new outbox does not compile without its line. */
const OUTBOXES: Record<OutboxName, (place: Place) => Promise<void>> = {
  'event positions': ({ scratch, good }) =>
    holds(scratch, `SELECT count(*) = 0 AS holds FROM events WHERE workspace_id = $1 AND position IS NULL`, [
      good.id,
    ]),
  reminders: ({ scratch, good }) =>
    holds(
      scratch,
      `SELECT count(*) = 1 AS holds FROM mails WHERE booking_id = $1 AND kind = 'booking_reminder'`,
      [good.bookingId],
    ),
  'staff digests': ({ scratch, good }) =>
    holds(
      scratch,
      `SELECT count(*) = 1 AS holds FROM mails WHERE workspace_id = $1 AND kind = 'staff_digest'
        AND status = 'sent'`,
      [good.id],
    ),
  async 'webhook events'({ good }) {
    const { body } = await good.api.post('/v1/members', {
      email: uniqueEmail(),
      tier: 'basic',
      send_invite: false,
    });
    await until(async () => good.receiver.received.some(({ event }) => event.data.object.id === body.id));
  },
  'new mail': ({ scratch, good }) =>
    holds(
      scratch,
      `SELECT status = 'sent' AS holds FROM mails WHERE workspace_id = $1 AND kind = 'booking_confirmed'`,
      [good.id],
    ),
  async mail({ scratch, good }) {
    await scratch.query(
      `UPDATE mails SET status = 'pending', sent_at = NULL, failure_code = 'smtp_450',
        next_attempt_at = now(), notify_at = now()
       WHERE workspace_id = $1 AND kind = 'booking_confirmed'`,
      [good.id],
    );
    await holds(
      scratch,
      `SELECT status = 'sent' AS holds FROM mails WHERE workspace_id = $1 AND kind = 'booking_confirmed'`,
      [good.id],
    );
  },
  async 'new accounting updates'({ scratch, good }) {
    await scratch.query(
      `INSERT INTO accounting_due (invoice_id, workspace_id, notified_at, first_attempt_until)
        VALUES ($1, $2, now(), 'infinity')
       ON CONFLICT (invoice_id) DO NOTHING`,
      [good.invoiceId, good.id],
    );
    await holds(scratch, `SELECT count(*) = 0 AS holds FROM accounting_due WHERE workspace_id = $1`, [
      good.id,
    ]);
  },
  async 'accounting updates'({ scratch, good }) {
    await scratch.query(
      `INSERT INTO accounting_due (invoice_id, workspace_id) VALUES ($1, $2) ON CONFLICT (invoice_id)
        DO NOTHING`,
      [good.invoiceId, good.id],
    );
    await holds(scratch, `SELECT count(*) = 0 AS holds FROM accounting_due WHERE workspace_id = $1`, [
      good.id,
    ]);
  },
  collections: ({ scratch, good }) =>
    holds(
      scratch,
      `SELECT coalesce(notify_at > now(), true) AS holds FROM collections WHERE invoice_id = $1`,
      [good.invoiceId],
    ),
  async 'removed cards'({ t, scratch, good }) {
    t.is((await good.api.delete(`/v1/companies/${good.companyId}/card`)).status, 204);
    await holds(scratch, `SELECT count(*) = 0 AS holds FROM removed_cards WHERE workspace_id = $1`, [
      good.id,
    ]);
  },
  async 'tier upgrades'({ t, scratch, good }) {
    const { body: made } = await good.api.post('/v1/members', {
      email: uniqueEmail(),
      tier: 'plus',
      send_invite: false,
    });
    const { status, body } = await good.api.patch(`/v1/members/${made.id}`, { tier: 'pro' });
    t.is(status, 200, JSON.stringify(body));
    await holds(scratch, `SELECT state = 'done' AS holds FROM tier_changes WHERE member_id = $1`, [made.id]);
  },
};

test('a workspace with the worst data stops no job, outbox or request of another, and is reported', async (t) => {
  await withScratchDatabase(async (scratch, databaseUrl) => {
    const service = await startService(databaseUrl, {
      SMTP_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
      LOG_LEVEL: 'warn',
    });
    t.teardown(service.stop);
    const good = await furnish(t, service, scratch);
    const bad = await furnish(t, service, scratch);
    const place: Place = { t, service, namespace: service.namespace, scratch, good, bad };
    await poison(scratch, bad);
    await bad.api.delete(`/v1/companies/${bad.companyId}/card`);
    await makeDue(scratch, bad);
    await makeDue(scratch, good);

    for (const [name, work] of Object.entries(OUTBOXES)) {
      await work(place).catch((error: Error) =>
        t.fail(`outbox ${name}: ${error.message} ${service.logs().slice(-4_000)}`),
      );
    }
    for (const [name, run] of Object.entries(JOBS)) {
      await run(place).catch((error: Error) =>
        t.fail(`job ${name}: ${error.message} ${service.logs().slice(-4_000)}`),
      );
    }

    for (const { route } of ROWS) {
      const [method, path] = route.split(' ') as [string, string];
      if (method !== 'GET' || path.includes(':')) continue;
      const { status } = await good.api.get(path as never);
      t.true(status < 500, `${path}: ${status}`);
    }

    const failing = async (): Promise<SweptJob[]> =>
      (
        await scratch.query(`SELECT job FROM job_failures WHERE workspace_id = $1 ORDER BY job`, [bad.id])
      ).map(({ job }: { job: SweptJob }) => job);
    const named: SweptJob[] = [
      'member_cycle',
      'monthly_statements',
      'sso_certificates',
      'staff_digests',
      'subscription_invoices',
    ];
    t.deepEqual(await failing(), named);
    t.deepEqual(await scratch.query(`SELECT job FROM job_failures WHERE workspace_id <> $1`, [bad.id]), []);
    const metrics = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${service.metrics.worker}/metrics`)).text();
    await until(async () =>
      (await metrics()).includes(`holdfast_failing_jobs{job="member_cycle",workspace="${bad.id}"`),
    );
    t.false((await metrics()).includes(`workspace="${good.id}"`));
    for (const job of named)
      t.regex(service.logs(), new RegExp(`"${bad.id}".{0,40}"${job}"|"${job}".{0,200}"${bad.id}"`), job);

    // What failed is done as soon as the cause is gone.
    await scratch.query(
      `UPDATE workspaces SET time_zone = 'Europe/London', tax_codes = $2, tier_prices = $3, plans = '{}'
        WHERE id = $1`,
      [
        bad.id,
        JSON.stringify([{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' }]),
        JSON.stringify({ basic: 0, plus: 4_000, pro: 9_000, enterprise: 0 }),
      ],
    );
    await scratch.query(`UPDATE workspaces SET digest_at = now() WHERE id = $1`, [bad.id]);
    for (const job of ['member_cycle', 'sso_certificates', 'subscription_invoices'])
      t.deepEqual((await runAll(place, job, utcDay(Date.now()))).failed, [], job);
    await until(async () => (await failing()).length === 0);
  });
});
