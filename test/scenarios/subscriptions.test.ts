import { proratedToday } from '../support/prorated.js';
import { periodContaining } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { addSubscriptionCharge } from '../../commands/subscriptions/charges.js';
import { newId } from '../../db/ids.js';
import { transaction } from '../../db/transaction.js';
import { sweep } from '../support/invariants.js';
import { internal } from '../support/api-client.js';
import { workflowIds } from '../../contract/names.js';
import { db } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { newBillingWorkspace, runSubscriptionInvoices } from '../support/subscriptions.js';
import { listInvoices, memberSince, newCompany } from './subscription-calls.js';
import { daysAfter, today } from '../support/days.js';

test('a company has one invoice a month with a line for each member, and a member without a company has their own', async (t) => {
  const workspace = await newBillingWorkspace();
  const company_id = await newCompany(workspace);
  await memberSince(workspace, '2026-10-05', { company_id });
  await memberSince(workspace, '2026-10-05', { company_id, tier: 'plus' });
  await memberSince(workspace, '2026-10-05', { company_id, tier: 'basic' });
  const alone = await memberSince(workspace, '2026-10-05', { tier: 'enterprise' });
  const { created, skipped } = await runSubscriptionInvoices(workspace, '2026-10-05');
  t.is(created.length, 2);
  t.is(skipped, 0);
  const [first, second] = await listInvoices(workspace);
  const [ofCompany, ofMember] = first!.company_id ? [first, second] : [second, first];
  t.like(ofCompany, { kind: 'subscription', status: 'open', company_id, member_id: null, currency: 'GBP' });
  // 90.00 + 40.00, and 20 % tax on each; a member with price 0 has no line
  t.is(ofCompany!.total_minor, 15_600);
  t.is(ofCompany!.lines.length, 2);
  t.like(ofCompany, { period_start: '2026-10-05', period_end: '2026-11-05' });
  t.like(ofMember, { member_id: alone, total_minor: 24_000 });
  await sweep(t, workspace);
});

test('reruns, concurrent runs and a missed day neither repeat nor skip an invoice', async (t) => {
  const workspace = await newBillingWorkspace();
  for (let i = 0; i < 12; i++) await memberSince(workspace, '2026-07-31');
  const runs = await Promise.all([1, 2, 3].map(() => runSubscriptionInvoices(workspace, '2026-08-03')));
  t.is(runs.flatMap(({ created }) => created).length, 12, 'each invoice was opened by one of the three runs');
  t.like(await runSubscriptionInvoices(workspace, '2026-08-03'), { created: [], skipped: 12 });
  // The 31st counts as the 28th: the months from 28 August and 28 September were both missed.
  t.is((await runSubscriptionInvoices(workspace, '2026-09-29')).created.length, 24);
  const starts = (await listInvoices(workspace)).map(({ period_start }) => period_start);
  for (const start of ['2026-07-28', '2026-08-28', '2026-09-28'])
    t.is(starts.filter((each) => each === start).length, 12, start);
});

test('members who join mid-month, are on trial, paused or archived are billed only for their months', async (t) => {
  const workspace = await newBillingWorkspace();
  const company_id = await newCompany(workspace);
  await memberSince(workspace, '2026-09-10', { company_id });
  const later = await memberSince(workspace, '2026-09-20', { company_id });
  await memberSince(workspace, '2026-09-10', { company_id, status: 'paused' });
  await memberSince(workspace, '2026-09-10', { company_id, status: 'trialing' });
  const gone = await memberSince(workspace, '2026-09-10', {
    company_id,
    status: 'archived',
    archived_on: '2026-09-30',
  });
  await runSubscriptionInvoices(workspace, '2026-10-10');
  const [september, october] = await listInvoices(workspace);
  t.is(september!.lines.length, 2);
  t.true(september!.lines.some(({ description }) => description.includes(gone)));
  t.is(october!.lines.length, 2);
  t.true(october!.lines.some(({ description }) => description.includes(later)));
});

test('a pending charge is a line of the next invoice, once', async (t) => {
  const workspace = await newBillingWorkspace();
  const member_id = await memberSince(workspace, '2026-10-01');
  const charge = { id: newId('evt'), member_id, description: 'Upgrade to pro, 12 days', net_minor: 1_935 };
  for (let i = 0; i < 2; i++) await transaction(db, (tx) => addSubscriptionCharge(tx, charge));
  await runSubscriptionInvoices(workspace, '2026-11-01');
  const [first, second] = await listInvoices(workspace);
  t.deepEqual(
    first!.lines.map(({ net_minor }) => net_minor),
    [9_000, 1_935],
  );
  t.is(second!.lines.length, 1);
});

test('an upgrade before the month is invoiced is billed as the old price plus the difference, once', async (t) => {
  const workspace = await newBillingWorkspace({ processor_account_id: null });
  const day = await today();
  const id = await memberSince(workspace, day, { tier: 'plus' });
  await db.query(`UPDATE members SET joined_at = now() WHERE id = $1`, [id]);
  t.is((await workspace.api.patch(`/v1/members/${id}`, { tier: 'pro' })).status, 200);
  await runSubscriptionInvoices(workspace, day);
  const [invoice] = await listInvoices(workspace);
  // A full month of plus, and the difference to pro: 40.00 + 50.00
  t.deepEqual(
    invoice!.lines.map(({ net_minor }) => net_minor),
    [4_000, proratedToday(5_000)],
  );
});

test('a member who leaves a company is not billed for months the company paid, and is billed pending charges', async (t) => {
  const workspace = await newBillingWorkspace({ processor_account_id: null });
  const company_id = await newCompany(workspace);
  const id = await memberSince(workspace, '2026-01-05');
  await runSubscriptionInvoices(workspace, '2026-01-05');
  const charge = { id: newId('evt'), member_id: id, description: 'Upgrade', net_minor: 700 };
  await transaction(db, (tx) => addSubscriptionCharge(tx, charge));
  const setNext = (next: string) =>
    db.query(`UPDATE members SET next_period_on = $2 WHERE id = $1`, [id, next]);
  // As in January: their own next month has not begun when they join.
  await setNext('2100-01-05');
  t.is((await workspace.api.patch(`/v1/members/${id}`, { company_id })).status, 200);
  await setNext('2026-02-05');
  await db.query(`UPDATE companies SET billing_anchor = '2026-02-05' WHERE id = $1`, [company_id]);
  await runSubscriptionInvoices(workspace, '2026-04-05');
  // The months since then were free.
  const day = await today();
  await db.query(`UPDATE companies SET next_period_on = $2 WHERE id = $1`, [
    company_id,
    periodContaining('2026-02-05', day).end,
  ]);
  t.is((await workspace.api.patch(`/v1/members/${id}`, { company_id: null })).status, 200);
  await runSubscriptionInvoices(workspace, day);
  const all = await listInvoices(workspace);
  t.is(all.filter(({ member_id }) => member_id === id).length, 1, 'January, before the company');
  t.is(all.filter((each) => each.company_id === company_id).length, 3);
  t.is(all.flatMap(({ lines }) => lines).filter(({ net_minor }) => net_minor === 700).length, 1);
});

test('a late job bills members who have left since then', async (t) => {
  const workspace = await newBillingWorkspace();
  await memberSince(workspace, '2026-11-01', { status: 'archived', archived_on: '2026-11-20' });
  const { created } = await runSubscriptionInvoices(workspace, '2026-11-21');
  t.is(created.length, 1);
});

test('an unbilled member is on no invoice and pays for no upgrade, and a change applies from the next month', async (t) => {
  const workspace = await newBillingWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const company_id = await newCompany(workspace);
  const subscriptionMonth = (day: string) => periodContaining('2026-01-05', day);
  const month = subscriptionMonth(await today());
  const since = subscriptionMonth(daysAfter(month.start, -1)).start;
  const [stays, staff] = [
    await memberSince(workspace, since, { company_id, tier: 'plus' }),
    await memberSince(workspace, since, { company_id, tier: 'plus' }),
  ];
  const owner = (await api.get('/v1/members')).body.data.find(
    (each: { role: string }) => each.role === 'owner',
  );
  t.false(owner!.billed);
  t.true((await api.get(`/v1/members/${staff}`)).body.billed);
  // A late job still invoices the months that began before the change.
  t.false((await api.patch(`/v1/members/${staff}`, { billed: false })).body.billed);
  t.true((await api.get(`/v1/members/${stays}`)).body.billed);
  t.is((await api.patch(`/v1/members/${staff}`, { tier: 'enterprise' })).body.tier, 'enterprise');
  t.false((await api.patch(`/v1/members/${staff}`, { role: 'admin' })).body.billed);
  await runSubscriptionInvoices(workspace, month.end);
  const lines = (await listInvoices(workspace)).map((invoice: { lines: { description: string }[] }) =>
    invoice.lines.map(({ description }) => /mem_\w+/.exec(description)![0]),
  );
  t.deepEqual(lines, [[stays, staff], [stays, staff], [stays]]);
  t.is((await db.query(`SELECT FROM tier_changes WHERE workspace_id = $1`, [workspace.id])).length, 0);
});

test('clients cannot void or adjust a subscription invoice, but can mark it paid', async (t) => {
  const workspace = await newBillingWorkspace();
  await memberSince(workspace, '2026-10-01');
  const {
    created: [id],
  } = await runSubscriptionInvoices(workspace, '2026-10-01');
  const error = async (path: string, body: object) =>
    (await workspace.api.post(`/v1/invoices/${id}/${path}`, body)).body.error.code;
  t.is(await error('void', { reason: 'no' }), 'invoice_not_mutable');
  const paid = await workspace.api.post(`/v1/invoices/${id}/mark-paid`, {
    amount_minor: 10_800,
    method: 'cash',
  });
  t.is(paid.body.invoice.status, 'paid');
  const lines = [{ description: 'x', quantity: 1, unit_amount_minor: -100, tax_code: 'ZERO' }];
  t.is(await error('adjustments', { lines, reason: 'no' }), 'invoice_not_mutable');
});

test('a draft left by a dead run is opened by the next one, or cancelled if its member was erased', async (t) => {
  const workspace = await newBillingWorkspace();
  const [stays, leaves] = [
    await memberSince(workspace, '2026-10-01'),
    await memberSince(workspace, '2026-10-01'),
  ];
  const ids = (await runSubscriptionInvoices(workspace, '2026-10-01')).created;
  await db.query(`UPDATE invoices SET status = 'draft' WHERE id = ANY ($1)`, [ids]);
  await db.query(`DELETE FROM events WHERE object_id = ANY ($1)`, [ids]);
  t.is((await workspace.api.delete(`/v1/members/${leaves}`)).status, 204);
  const { created } = await runSubscriptionInvoices(workspace, '2026-10-01');
  t.is(created.length, 1);
  const all = await listInvoices(workspace);
  t.is(all.find(({ member_id }) => member_id === stays)!.status, 'open');
  t.is(all.find(({ member_id }) => member_id === leaves)!.status, 'cancelled');
  t.like(await runSubscriptionInvoices(workspace, '2026-10-01'), { created: [] });
});

test('the job bills from 6:00 of each day in the workspace’s time zone', async (t) => {
  // As the Schedule runs it: without as_of.
  const [{ day }] = await db.query(
    `SELECT ((now() AT TIME ZONE 'Pacific/Auckland') - interval '6 hours')::date::text AS day`,
  );
  const workspace = await newBillingWorkspace({ time_zone: 'Pacific/Auckland' });
  const dayBefore = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
  const dayAfter = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  const today = await memberSince(workspace, day);
  const yesterday = await memberSince(workspace, dayBefore);
  await memberSince(workspace, dayAfter);
  const { body } = await internal('run_job', { job: 'subscription_invoices', workspace_id: workspace.id });
  t.is(body.created!.length, 2);
  const members = (await listInvoices(workspace)).map(({ member_id }) => member_id);
  t.deepEqual(new Set(members), new Set([today, yesterday]));
});

test('a payer whose invoice cannot be drafted does not hold up the others, and is named', async (t) => {
  const workspace = await newBillingWorkspace();
  const poison = await memberSince(workspace, '2026-10-05');
  await runSubscriptionInvoices(workspace, '2026-10-05');
  const setNext = (day: string | null): Promise<unknown> =>
    db.query(`UPDATE members SET next_period_on = $2 WHERE id = $1`, [poison, day]);
  // Its period would be invoiced a second time, which the database refuses each time.
  await setNext(null);
  const other = await memberSince(workspace, '2026-10-05');
  const { created, ...rest } = await runSubscriptionInvoices(workspace, '2026-10-05');
  t.is(created.length, 1);
  t.deepEqual(rest, { skipped: 1, failed: 1, left: [poison] } as never);
  const invoices = await listInvoices(workspace);
  t.is(invoices.find(({ id }) => id === created[0])!.member_id, other);
  await setNext('2026-11-05');
  t.deepEqual(await runSubscriptionInvoices(workspace, '2026-10-05'), { created: [], skipped: 2 });
});

test('an invoice without a card is reminded, overdue and ended without a run', async (t) => {
  const workspace = await newBillingWorkspace();
  await memberSince(workspace, '2026-10-01');
  const {
    created: [id],
  } = await runSubscriptionInvoices(workspace, '2026-10-01');
  const read = async () => (await workspace.api.get(`/v1/invoices/${id}`)).body;
  const { collection, due_at, total_minor } = await read();
  const reminder = new Date(Date.parse(due_at) - 3 * DAY_MS).toISOString();
  t.deepEqual(collection, { status: 'scheduled', next_at: reminder, attempts: 0 });
  await db.query(`UPDATE invoices SET due_at = now() - interval '8 days' WHERE id = $1`, [id]);
  await db.query(
    `UPDATE collections SET started_at = now() - interval '30 days', notify_at = now() WHERE invoice_id = $1`,
    [id],
  );
  const overdue = await until(async () => {
    const found = await read();
    return found.overdue_at !== null && found;
  });
  t.deepEqual(overdue.collection, { status: 'overdue', next_at: null, attempts: 0 });
  const mails = await db.query(`SELECT FROM mails WHERE invoice_id = $1 AND kind = 'invoice_reminder'`, [id]);
  t.is(mails.length, 1);
  await workspace.api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: total_minor, method: 'cash' });
  await until(async () => {
    const [{ status }] = await db.query(`SELECT status FROM collections WHERE invoice_id = $1`, [id]);
    return status === 'ended';
  });
  const run = temporal.workflow.getHandle(workflowIds.collectInvoice(id!));
  await t.throwsAsync(run.describe(), { name: 'WorkflowNotFoundError' });
});
