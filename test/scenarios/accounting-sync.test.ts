import { msToNumber } from '@temporalio/common/lib/time.js';
import test from 'ava';
import { DAY_MS } from '../../domain/durations.js';
import { ACCOUNTING_CALL } from '../../workflows/activity-options.js';
import { listOverdueUpdates } from '../../db/queries/accounting/pending-update.js';
import { enqueueAccountingUpdate } from '../../commands/accounting/pending-updates.js';
import { execute } from '../../db/query.js';
import { transaction } from '../../db/transaction.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { internal } from '../support/api-client.js';
import { confirmedBooking } from '../support/bookings.js';
import { accountingSimulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { uniqueEmail } from '../support/workspaces.js';
import { countPending, manual, getNumber } from './accounting-calls.js';

test('a lost response leads to no second invoice or payment', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  const lost = (method: string, path: string) => ({
    method,
    path,
    status: 503,
    times: 2,
    after_effect: true,
  });
  await withAccountingFaults(
    workspace,
    { fail: [lost('PUT', '/api.xro/2.0/Invoices'), lost('POST', '/api.xro/2.0/Payments')] },
    async () => {
      await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor: 12_000 });
      await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
    },
  );
  await until(async () => (await countPending(workspace.id)) === 0);
  const { invoices, payments, requests } = await accountingLedger(workspace);
  const unanswered = requests!.filter(({ status }) => status === 503).map(({ path }) => path);
  t.deepEqual([...new Set(unanswered)], ['/api.xro/2.0/Invoices', '/api.xro/2.0/Payments']);
  t.is(invoices!.length, 1);
  t.is(payments!.length, 1);
});

test('an invoice that fails does not stop the others, and shows the error', async (t) => {
  const workspace = await newAccountingWorkspace();
  await workspace.api.patch('/v1/workspace', {
    tax_codes: [
      { code: 'STANDARD', rate_bps: 2000, accounting_tax_type: 'OUTPUT2' },
      { code: 'ODD', rate_bps: 1300, accounting_tax_type: 'NOSUCHTAX' },
    ],
  });
  const line = { description: 'Desk', quantity: 1, unit_amount_minor: 1_000 };
  const good = await openInvoice(workspace);
  const bad = await openInvoice(workspace, { lines: [{ ...line, tax_code: 'ODD' }] });
  const alsoGood = await openInvoice(workspace);
  t.like(await syncAccounting(workspace), { examined: 3, created: 2, failed: 1 });
  const shown = async (id: string) => (await workspace.api.get(`/v1/invoices/${id}`)).body;
  t.regex((await shown(bad.id)).accounting_error!, /NOSUCHTAX/);
  t.is((await shown(bad.id)).accounting_id, null);
  for (const { id } of [good, alsoGood]) t.truthy((await shown(id)).accounting_id);

  await workspace.api.patch('/v1/workspace', {
    tax_codes: [
      { code: 'STANDARD', rate_bps: 2000, accounting_tax_type: 'OUTPUT2' },
      { code: 'ODD', rate_bps: 1300, accounting_tax_type: 'OUTPUT2' },
    ],
  });
  t.like(await syncAccounting(workspace), { created: 1, failed: 0 });
  t.is((await shown(bad.id)).accounting_error, null);
});

test("a payer's contact is looked up once, and again after the payer's name has changed", async (t) => {
  const workspace = await newAccountingWorkspace();
  const { company_id } = await openInvoice(workspace);
  const contactCalls = async (): Promise<number> => {
    t.like(await syncAccounting(workspace), { created: 1 });
    const { requests } = await accountingLedger(workspace);
    return requests!.filter(({ path }) => path.includes('/Contacts')).length;
  };
  const first = await contactCalls();
  t.true(first > 0);
  await openInvoice(workspace, { company_id });
  t.is(await contactCalls(), first);
  await workspace.api.patch(`/v1/companies/${company_id}`, { name: `Renamed ${company_id}` });
  await openInvoice(workspace, { company_id });
  t.true((await contactCalls()) > first);
});

test('an invoice whose response was lost is found after its guest’s address was corrected or erased', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const path = '/api.xro/2.0/Invoices';
  const lost = { method: 'PUT', path, status: 503, times: 2, after_effect: true };
  const unknown = { method: 'GET', path, status: 503, times: 1_000 };
  await withAccountingFaults(workspace, { fail: [lost, unknown] }, async () => {
    const [corrected, erased] = [await confirmedBooking(api), await confirmedBooking(api)];
    await until(async () => (await accountingLedger(workspace)).invoices.length === 2);
    const correction = { booked_by: { guest: { email: uniqueEmail() } } };
    t.is((await api.patch(`/v1/bookings/${corrected.booking.id}`, correction)).status, 200);
    t.is((await api.post('/v1/guests/erase', { email: erased.email })).status, 200);
  });
  for (const number of ['TH-1', 'TH-2'])
    await untilInAccounting(workspace, number, ({ Status }) => Status === 'PAID');
  await until(async () => (await countPending(workspace.id)) === 0);
  t.is((await accountingLedger(workspace)).invoices.length, 2);
});

test('an invoice that is refused for a day uses few of that day’s calls', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { id } = await openInvoice(workspace);
  const refused = { method: 'PUT', path: '/api.xro/2.0/Invoices', status: 400, times: 1_000 };
  const hours = 4;
  await withAccountingFaults(workspace, { fail: [refused] }, async () => {
    for (let hour = 0; hour < hours; hour++)
      t.like(await syncAccounting(workspace), { created: 0, failed: 1 });
  });
  const { requests } = await accountingLedger(workspace);
  const calls = requests!.filter(({ path }) => /Invoices|Contacts/.test(path)).length;
  // The contact once; then a look-up of the number and a create each hour.
  t.true(calls <= 1 + 2 * hours, `${calls} calls`);
  t.truthy((await workspace.api.get(`/v1/invoices/${id}`)).body.accounting_error);
});

test('a call that fails for a day is repeated about a hundred times', (t) => {
  const { initialInterval, maximumInterval, maximumAttempts } = ACCOUNTING_CALL.retry!;
  t.is(maximumAttempts, undefined);
  let attempts = 0;
  for (let at = 0, pause = msToNumber(initialInterval!); at < DAY_MS; at += pause) {
    if (attempts++ > 0) pause = Math.min(2 * pause, msToNumber(maximumInterval!));
  }
  t.true(attempts > 90 && attempts < 120, String(attempts));
});

test('a sync waits when the minute limit is reached', async (t) => {
  const workspace = await newAccountingWorkspace();
  for (let i = 0; i < 6; i++) await openInvoice(workspace);
  await withAccountingFaults(workspace, { minute_limit: 8, minute_seconds: 6 }, async () => {
    t.like(await syncAccounting(workspace), { created: 6, failed: 0 });
  });
  const { requests } = await accountingLedger(workspace);
  t.true(
    requests!.some(({ status }) => status === 429),
    'the limit was reached',
  );
});

test('overdue writes are sent, page by page', async (t) => {
  const workspace = await newAccountingWorkspace();
  const ids = [await openInvoice(workspace), await openInvoice(workspace)].map(({ id }) => id).sort();
  await syncAccounting(workspace);
  await transaction(db, async (tx) => {
    for (const id of ids) await enqueueAccountingUpdate(tx, id);
    await execute(
      tx,
      `UPDATE accounting_due SET notified_at = now() - interval '1 hour' WHERE workspace_id = $1`,
      [workspace.id],
    );
    const page = (after: string) => listOverdueUpdates(tx, workspace.id, 600, after, 1);
    t.deepEqual([await page(''), await page(ids[0]!), await page(ids[1]!)], [[ids[0]], [ids[1]], []]);
  });
  t.like(await syncAccounting(workspace), { caught_up: 2, failed: 0 });
});

test('backfill_reference finds and repairs other references here and in the accounting system', async (t) => {
  const workspace = await newAccountingWorkspace();
  const ours = await openInvoice(workspace, { reference: 'Order 7' });
  const theirs = await openInvoice(workspace);
  await openInvoice(workspace);
  await syncAccounting(workspace);
  await db.query(`UPDATE invoices SET accounting_reference = 'Inv. 1' WHERE id = $1`, [ours.id]);
  const { InvoiceID } = await untilInAccounting(workspace, getNumber(theirs));
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Reference: 'HOLDFAST/2' });

  const references = [
    { invoice_id: ours.id, from: 'Inv. 1', to: 'Holdfast #1 — Order 7' },
    { invoice_id: theirs.id, from: 'HOLDFAST/2', to: 'Holdfast #2' },
  ];
  const run = async (input: object) =>
    (await internal('backfill_reference', { workspace_id: workspace.id, ...input })).body;
  t.deepEqual(await run({ dry_run: true }), { examined: 3, repaired: 0, references });
  t.is((await untilInAccounting(workspace, 'TH-2')).Reference, 'HOLDFAST/2');
  t.deepEqual(await run({}), { examined: 3, repaired: 2, references });
  t.is((await untilInAccounting(workspace, 'TH-1')).Reference, 'Holdfast #1 — Order 7');
  t.is((await untilInAccounting(workspace, 'TH-2')).Reference, 'Holdfast #2');
  const { body: shown } = await workspace.api.get(`/v1/invoices/${ours.id}`);
  t.is(shown.accounting_reference, 'Holdfast #1 — Order 7');
  t.deepEqual(await run({}), { examined: 3, repaired: 0, references: [] });
});
