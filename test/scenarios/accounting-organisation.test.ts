import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { listWorkspacesToSync } from '../../db/queries/accounting/connection.js';
import {
  accountingLedger,
  giveConsent,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
  type AccountingWorkspace,
} from '../support/accounting.js';
import { accountingSimulator, db, mailTo, newWorkspace, uniqueEmail, until } from '../support/stack.js';
import type { Invoice, Payment } from '../support/api-bodies.js';

const manual = { method: 'bank_transfer' };

const settingsOf = async ({ api }: AccountingWorkspace) => (await api.get('/v1/workspace')).body.accounting;

const invoiceOf = async ({ api }: AccountingWorkspace, { id }: Invoice) =>
  (await api.get(`/v1/invoices/${id}`)).body;

const markPaid = ({ api }: AccountingWorkspace, { id }: Invoice, overrides: object = {}) =>
  api.post(`/v1/invoices/${id}/mark-paid`, { ...manual, amount_minor: 12_000, ...overrides });

const organisation = ({ tenant }: AccountingWorkspace, control: string, body: object = {}) =>
  accountingSimulator('POST', `/_sim/organisations/${tenant}/${control}`, body);

/** Makes the pending writes of a workspace overdue, so that the next sync makes them. */
const age = ({ id }: AccountingWorkspace) =>
  db.query(
    `UPDATE accounting_due SET notified_at = notified_at - interval '1 hour' WHERE workspace_id = $1`,
    [id],
  );

async function connectAgain(workspace: AccountingWorkspace, tenant = workspace.tenant): Promise<Response> {
  const { session, callback } = await giveConsent(workspace, tenant);
  return session.get(callback);
}

test('accounts and tax types are those of the organisation; what it lacks is named, not refused', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const chart = await until(async () => {
    const { status, body } = await api.get('/v1/workspace/accounting');
    return status === 200 && body;
  });
  t.true(chart.sales_accounts.some(({ code }) => code === '260'));
  t.true(chart.tax_types.some(({ tax_type }) => tax_type === 'OUTPUT2'));
  t.like(await settingsOf(workspace), { sales_account: '200', payment_account: '090', problems: [] });

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
  t.regex((await invoiceOf(workspace, invoice)).accounting_error!, /'GST' .* Choose a tax type/);
  t.deepEqual(
    (await settingsOf(workspace)).problems.map(({ param }) => param),
    ['tax_codes.0.accounting_tax_type', 'currency'],
    'the sync has read the chart again',
  );

  await api.patch('/v1/workspace', {
    currency: 'GBP',
    tax_codes: [{ ...tax_codes[0], accounting_tax_type: 'OUTPUT2' }],
  });
  await markPaid(workspace, invoice);
  const booked = await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
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
  await organisation(workspace, 'bills', { InvoiceNumber: 'HF-1' });
  t.like(await syncAccounting(workspace), { created: 1 });
  await organisation(workspace, 'bills', { InvoiceNumber: 'HF-1' });
  t.like(await syncAccounting(workspace), { examined: 1, authorised: 0 });
  t.is((await invoiceOf(workspace, invoice)).status, 'open', 'the bill is approved, the invoice is not');
  await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'test' });
  const { invoices } = await accountingLedger(workspace);
  t.deepEqual(invoices!.map(({ Type, Status }) => [Type, Status]).toSorted(), [
    ['ACCPAY', 'AUTHORISED'],
    ['ACCPAY', 'AUTHORISED'],
    ['ACCREC', 'DELETED'],
  ]);
});

test('only a real disconnection disconnects, and mails the owner once', async (t) => {
  const owner_email = uniqueEmail();
  const workspace = await newAccountingWorkspace({ owner_email });
  const invoice = await openInvoice(workspace);
  const fail = [{ path: '/api.xro/2.0/*', status: 403, times: 1_000 }];
  await withAccountingFaults(workspace, { fail }, async () => {
    t.like(await syncAccounting(workspace), { failed: 1 });
    t.regex((await invoiceOf(workspace, invoice)).accounting_error!, /lack a role/);
    t.is((await settingsOf(workspace)).status, 'active');
  });
  const mails = async () =>
    (await mailTo(owner_email)).filter(({ subject }) => /no longer connected/.test(subject));
  t.like(await syncAccounting(workspace), { created: 1 });
  t.is((await invoiceOf(workspace, invoice)).accounting_error, null);

  for (const [how, control] of [
    ['the connection is removed in the organisation', 'disconnect'],
    ['the refresh token has ended', 'forget_tokens'],
  ] as const) {
    const before = (await mails()).length;
    const next = await openInvoice(workspace);
    await organisation(workspace, control);
    await accountingSimulator('POST', '/_sim/tokens/expire', { tenant: workspace.tenant });
    await syncAccounting(workspace);
    t.is((await settingsOf(workspace)).status, 'revoked', how);
    t.regex((await invoiceOf(workspace, next)).accounting_error!, /Reconnect the accounting system/);
    const sent = await until(async () => (await mails()).length > before && (await mails()));
    t.is(sent.length, before + 1);
    t.regex(sent[0]!.text, /until you reconnect it.*\/accounting/s);
    t.is((await connectAgain(workspace)).status, 200);
    t.is((await settingsOf(workspace)).status, 'active');
    t.like(await syncAccounting(workspace), { created: 1 });
  }
});

test('a workspace ends its connection, at the accounting system too, and can connect only the same organisation again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const [first, second] = [await openInvoice(workspace), await openInvoice(workspace)];
  await syncAccounting(workspace);
  t.is((await api.delete('/v1/workspace/accounting')).status, 204);
  t.is((await api.delete('/v1/workspace/accounting')).status, 204);
  t.deepEqual(await organisation(workspace, 'disconnect'), { disconnected: 0 }, 'it was deleted there');
  const { body: log } = await api.get('/v1/audit-log?action=workspace.updated&limit=1');
  t.is(log.data[0]!.actor.member_id, workspace.ownerId);
  t.is(log.data[0]!.details.after.accounting.status, 'unconfigured');
  t.like(await settingsOf(workspace), { status: 'unconfigured' });
  t.is((await api.get('/v1/workspace/accounting')).status, 412);
  const requests = (await accountingLedger(workspace)).requests!.length;
  await markPaid(workspace, first);
  const late = await openInvoice(workspace);
  await markPaid(workspace, late);
  t.like(await syncAccounting(workspace), { examined: 0 });
  t.is((await accountingLedger(workspace)).requests!.length, requests);
  t.is((await invoiceOf(workspace, first)).accounting_error, null, 'it was ended on purpose');

  const other = await accountingSimulator('POST', '/_sim/organisations', { name: 'Another' });
  t.is((await connectAgain(workspace, other.tenant_id)).status, 409);
  const left = await accountingSimulator('POST', `/_sim/organisations/${other.tenant_id}/disconnect`, {});
  t.deepEqual(left, { disconnected: 0 }, 'a connection that nobody uses is deleted');

  t.is((await connectAgain(workspace)).status, 200);
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
  t.like(await syncAccounting(workspace), { examined: 1 });
  const numbers = (await accountingLedger(workspace)).invoices!.map(({ InvoiceNumber }) => InvoiceNumber);
  t.deepEqual(numbers.toSorted(), ['HF-1', 'HF-2'], 'what was paid without a connection is not sent');
  t.truthy(second);
});

test('the end of a day of calls is remembered, shown on what waits, and over when the day is', async (t) => {
  const workspace = await newAccountingWorkspace();
  const [paid, open] = [await openInvoice(workspace), await openInvoice(workspace)];
  await until(async () => (await workspace.api.get('/v1/workspace/accounting')).status === 200);
  const refusals = async () =>
    (await accountingLedger(workspace)).requests!.filter(({ status }) => status === 429).length;
  await withAccountingFaults(workspace, { day_limit: 0 }, async () => {
    await markPaid(workspace, paid);
    const used = /daily call limit .* has been reached\. Sync continues after \w{3} \d+ \w+, \d\d:\d\d UTC/;
    await until(async () => used.test((await invoiceOf(workspace, paid)).accounting_error ?? ''));
    const before = await refusals();
    t.like(await syncAccounting(workspace), { created: 0, failed: 0, postponed: 2 });
    t.regex((await invoiceOf(workspace, open)).accounting_error!, used);
    t.is(await refusals(), before, 'nothing is asked until the day is over');
    t.regex((await settingsOf(workspace)).problems[0]!.message, used);
    t.is((await settingsOf(workspace)).status, 'active');
  });
  await db.query(
    `UPDATE accounting_connections SET limited_until = now() - interval '1 second' WHERE workspace_id = $1`,
    [workspace.id],
  );
  await age(workspace);
  t.like(await syncAccounting(workspace), { created: 1, caught_up: 1, postponed: 0 });
  for (const invoice of [paid, open]) t.is((await invoiceOf(workspace, invoice)).accounting_error, null);
  t.deepEqual((await settingsOf(workspace)).problems, []);
});

test('a credit that a bookkeeper applied is not paid over: it is named until it is removed', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const { InvoiceID } = await untilInAccounting(workspace, 'HF-1');
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Status: 'AUTHORISED' });
  // Read back before the credit: it is seen only right before the payment.
  t.like(await syncAccounting(workspace), { authorised: 1 });
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}/credit`, { amount: 20 });
  await markPaid(workspace, invoice);
  await until(async () =>
    /credit of £20\.00 was applied/.test((await invoiceOf(workspace, invoice)).accounting_error ?? ''),
  );
  t.is((await accountingLedger(workspace)).payments!.length, 0);
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  const { body: report } = await workspace.api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  t.like(report.differences[0], { kind: 'accounting_amount', ledger_minor: 12_000, accounting_minor: 0 });
});

test('a locked period says what to do, and is tried again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  const today = new Date().toISOString().slice(0, 10);
  await organisation(workspace, 'settings', { lock_date: today });
  t.like(await syncAccounting(workspace), { failed: 1 });
  t.regex(
    (await invoiceOf(workspace, invoice)).accounting_error!,
    /before the period lock date.* Move the lock date/,
  );
  await organisation(workspace, 'settings', { lock_date: null });
  t.like(await syncAccounting(workspace), { created: 1, failed: 0 });
  t.is((await invoiceOf(workspace, invoice)).accounting_error, null);
});

test('times of payers and of the processor decide nothing: only the order in the ledger does', async (t) => {
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
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');

  // Paid at a time that is still to come here, and refunded now.
  const second = await openInvoice(workspace);
  const { body: whole } = await markPaid(workspace, second);
  await db.query(`UPDATE invoices SET paid_at = now() + interval '1 hour' WHERE id = $1`, [second.id]);
  t.is((await refund(whole.payment, 12_000)).status, 200);
  await untilInAccounting(workspace, 'HF-2-C1', ({ Status }) => Status === 'PAID');
  const { credit_notes } = await accountingLedger(workspace);
  t.deepEqual(
    credit_notes!.map(({ CreditNoteNumber, Total }) => [CreditNoteNumber, Total]),
    [['HF-2-C1', 120]],
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
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
  t.deepEqual(await list(), [], 'the invoice is in a final state');
  await db.query(
    `UPDATE accounting_charts SET read_at = read_at - interval '25 hours' WHERE workspace_id = $1`,
    [workspaceId],
  );
  t.deepEqual(await list(), [workspaceId], 'the chart is a day old');
  await syncAccounting(workspace);
  t.deepEqual(await list(), []);
});

test('every write has a key of its own, short enough for the accounting system', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await organisation(workspace, 'settings', { lock_date: '2999-01-01' });
  for (let n = 0; n < 2; n++) await syncAccounting(workspace);
  await organisation(workspace, 'settings', { lock_date: null });
  // At once: a response is repeated for six minutes to a key that was used before.
  t.like(await syncAccounting(workspace), { created: 1 });
  await markPaid(workspace, invoice);
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
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

test('a workspace without a connection has no chart', async (t) => {
  const { api } = await newWorkspace();
  t.is((await api.get('/v1/workspace/accounting')).body.error.code, 'accounting_unconfigured');
  t.is((await api.delete('/v1/workspace/accounting')).body.error.code, 'accounting_unconfigured');
  const patched = await api.patch('/v1/workspace', { accounting: { sales_account: '200' } });
  t.is(patched.body.error.code, 'accounting_unconfigured');
});
