import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { listWorkspacesToSync } from '../../db/queries/accounting/connection.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
} from '../support/accounting.js';
import { today } from '../support/days.js';
import { accountingSimulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import type { Payment } from '../support/api-bodies.js';
import {
  readInvoice,
  markPaid,
  organisation,
  readAccountingSettings,
} from './accounting-organisation-calls.js';

test('accounts and tax types are those of the organisation, and missing ones are named, not refused', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const chart = await until(async () => {
    const { status, body } = await api.get('/v1/workspace/accounting');
    return status === 200 && body;
  });
  t.true(chart.sales_accounts.some(({ code }) => code === '260'));
  t.true(chart.tax_types.some(({ tax_type }) => tax_type === 'OUTPUT2'));
  t.like(await readAccountingSettings(workspace), {
    sales_account: '200',
    payment_account: '090',
    problems: [],
  });

  const accounting = { sales_account: '4000', payment_account: '091' };
  const tax_codes = [{ code: 'STANDARD', rate_bps: 2000, accounting_tax_type: 'GST' }];
  const { status, body: patched } = await api.patch('/v1/workspace', {
    accounting,
    tax_codes,
    currency: 'EUR',
  });
  t.is(status, 200);
  t.like(patched.accounting, accounting);
  t.deepEqual(
    patched.accounting.problems.map(({ param }) => param),
    ['accounting.sales_account', 'tax_codes.0.accounting_tax_type'],
  );
  t.regex(patched.accounting.problems[0]!.message, /no account 4000/);
  const { body: log } = await api.get('/v1/audit-log?action=workspace.updated&limit=1');
  t.is(log.data[0]!.details.after.accounting.sales_account, '4000');
  t.false('problems' in log.data[0]!.details.after.accounting, 'problems are no edit');

  await organisation(workspace, 'settings', {
    accounts: [{ code: '4000', name: 'Room hire', type: 'REVENUE' }],
    currencies: [],
  });
  const invoice = await openInvoice(workspace, { currency: 'GBP' });
  t.like(await syncAccounting(workspace), { failed: 1 });
  t.regex((await readInvoice(workspace, invoice)).accounting_error!, /'GST' .* Choose a tax type/);
  t.deepEqual(
    (await readAccountingSettings(workspace)).problems.map(({ param }) => param),
    ['tax_codes.0.accounting_tax_type', 'currency'],
    'the sync has read the chart again',
  );

  await api.patch('/v1/workspace', {
    currency: 'GBP',
    tax_codes: [{ ...tax_codes[0], accounting_tax_type: 'OUTPUT2' }],
  });
  await markPaid(workspace, invoice);
  const booked = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.is(booked.LineItems[0]!.AccountCode, '4000');
  const { payments } = await accountingLedger(workspace);
  t.is(payments![0]!.Account.Code, '091');
  const refreshed = await api.post('/v1/workspace/accounting/refresh');
  t.is(refreshed.status, 200);
  t.true(refreshed.body.sales_accounts.some(({ code }) => code === '4000'));
});

test("a supplier's bill with the number of an invoice is neither read nor voided", async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await organisation(workspace, 'bills', { InvoiceNumber: 'TH-1' });
  t.like(await syncAccounting(workspace), { created: 1 });
  await organisation(workspace, 'bills', { InvoiceNumber: 'TH-1' });
  t.like(await syncAccounting(workspace), { examined: 1, authorised: 0 });
  t.is((await readInvoice(workspace, invoice)).status, 'open', 'the bill is approved, the invoice is not');
  await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'test' });
  const { invoices } = await accountingLedger(workspace);
  t.deepEqual(invoices!.map(({ Type, Status }) => [Type, Status]).toSorted(), [
    ['ACCPAY', 'AUTHORISED'],
    ['ACCPAY', 'AUTHORISED'],
    ['ACCREC', 'DELETED'],
  ]);
});

test('a credit that a bookkeeper applied is not paid over, and is named until it is removed', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const { InvoiceID } = await untilInAccounting(workspace, 'TH-1');
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Status: 'AUTHORISED' });
  // Read back before the credit, which is seen only right before the payment.
  t.like(await syncAccounting(workspace), { authorised: 1 });
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}/credit`, { amount: 20 });
  await markPaid(workspace, invoice);
  await until(async () =>
    /credit of £20\.00 was applied/.test((await readInvoice(workspace, invoice)).accounting_error ?? ''),
  );
  t.is((await accountingLedger(workspace)).payments!.length, 0);
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  const { body: report } = await workspace.api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  t.like(report.differences[0], { kind: 'accounting_amount', ledger_minor: 12_000, accounting_minor: 0 });
});

test('a locked period says what to do, and is tried again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await organisation(workspace, 'settings', { lock_date: await today() });
  t.like(await syncAccounting(workspace), { failed: 1 });
  t.regex(
    (await readInvoice(workspace, invoice)).accounting_error!,
    /before the period lock date.* Move the lock date/,
  );
  await organisation(workspace, 'settings', { lock_date: null });
  t.like(await syncAccounting(workspace), { created: 1, failed: 0 });
  t.is((await readInvoice(workspace, invoice)).accounting_error, null);
});

test('times of payers and of the processor decide nothing, and only the order in the ledger counts', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const refund = (payment: Payment, amount_minor: number) =>
    api.post(`/v1/payments/${payment.id}/refund`, { amount_minor, reason: 'requested_by_customer' });

  // Refunded while the invoice was open, which is then paid in full "yesterday".
  const first = await openInvoice(workspace);
  const { body: part } = await markPaid(workspace, first, { amount_minor: 5_000 });
  t.is((await refund(part.payment, 5_000)).status, 200);
  const { body: rest } = await markPaid(workspace, first, { paid_at: yesterday });
  t.is(rest.invoice.status, 'paid');
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');

  // Paid at a time that is in the future here, and refunded now.
  const second = await openInvoice(workspace);
  const { body: whole } = await markPaid(workspace, second);
  await db.query(`UPDATE invoices SET paid_at = now() + interval '1 hour' WHERE id = $1`, [second.id]);
  t.is((await refund(whole.payment, 12_000)).status, 200);
  await untilInAccounting(workspace, 'TH-2-C1', ({ Status }) => Status === 'PAID');
  const { credit_notes } = await accountingLedger(workspace);
  t.deepEqual(
    credit_notes!.map(({ CreditNoteNumber, Total }) => [CreditNoteNumber, Total]),
    [['TH-2-C1', 120]],
  );
});

test('the hourly job skips workspaces without work, and pages by id', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { id: workspaceId } = workspace;
  await until(async () => (await workspace.api.get('/v1/workspace/accounting')).status === 200);
  const list = (after = '') =>
    listWorkspacesToSync(db.manager, { workspaceId, after, limit: 1, overdueSeconds: 600 });
  t.deepEqual(await list(), [], 'nothing to do');
  const invoice = await openInvoice(workspace);
  t.deepEqual(await list(), [workspaceId]);
  t.deepEqual(await list(workspaceId), []);
  await markPaid(workspace, invoice);
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.deepEqual(await list(), [], 'the invoice is in a final state');
  await db.query(
    `UPDATE accounting_charts SET read_at = read_at - interval '25 hours' WHERE workspace_id = $1`,
    [workspaceId],
  );
  t.deepEqual(await list(), [workspaceId], 'the chart is a day old');
  await syncAccounting(workspace);
  t.deepEqual(await list(), []);
});

test('every write has its own key, short enough for the accounting system', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await organisation(workspace, 'settings', { lock_date: '2999-01-01' });
  for (let n = 0; n < 2; n++) await syncAccounting(workspace);
  await organisation(workspace, 'settings', { lock_date: null });
  // Immediately, because for six minutes a used key gets the same response.
  t.like(await syncAccounting(workspace), { created: 1 });
  await markPaid(workspace, invoice);
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  const keys = (await accountingLedger(workspace)).requests!.flatMap(
    ({ idempotency_key }) => idempotency_key ?? [],
  );
  t.true(keys.length >= 6);
  t.is(new Set(keys).size, keys.length);
  t.deepEqual(
    keys.filter((key) => key.length > 128),
    [],
  );
});
