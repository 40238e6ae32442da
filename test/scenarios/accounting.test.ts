import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { findConnection } from '../../db/queries/accounting/connection.js';
import { revokeConnection } from '../../commands/accounting/connections.js';
import { listOverdueUpdates } from '../../db/queries/accounting/pending-update.js';
import { enqueueAccountingUpdate } from '../../commands/accounting/pending-updates.js';
import { execute } from '../../db/query.js';
import { transaction } from '../../db/transaction.js';
import {
  accountingLedger,
  giveConsent,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { WebSession } from '../support/web-session.js';
import { newMember } from '../api/people.js';
import {
  accountingSimulator,
  bookingBody,
  db,
  dev,
  internal,
  mailTo,
  newRoom,
  newWorkspace,
  ownerOf,
  until,
  untilStatus,
} from '../support/stack.js';
import type { Invoice } from '../support/api-bodies.js';

const numberOf = ({ accounting_reference }: Invoice): string =>
  `HF-${/#(\d+)/.exec(accounting_reference)![1]}`;
const manual = { method: 'bank_transfer' };

test('a paid booking is sent as one approved invoice with one payment of the full amount', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const document = await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
  // £25.00 and 20 % tax
  t.is(document.Total, 30);
  t.is(document.TotalTax, 5);
  t.is(document.Reference, 'Holdfast #1');
  t.is(document.LineItems.length, 1, 'tax is an amount of the line, not a line');
  const { payments } = await accountingLedger(workspace);
  t.deepEqual(
    payments!.map(({ Amount }) => Amount),
    [30],
  );
  const { body: invoice } = await workspace.api.get(`/v1/invoices/${booking.invoice_id}`);
  t.is(invoice.accounting_id, document.InvoiceID);
  t.is(invoice.accounting_error, null);
});

test('the hourly job sends open invoices, reads approvals by a bookkeeper, and ignores terminal invoices', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace, { reference: 'Order 7' });
  t.like(await syncAccounting(workspace), { examined: 1, created: 1, authorised: 0, failed: 0 });
  const document = await untilInAccounting(workspace, 'HF-1');
  t.is(document.Status, 'SUBMITTED');
  t.is(document.Reference, 'Holdfast #1 — Order 7');

  await accountingSimulator('POST', `/_sim/invoices/${document.InvoiceID}`, { Status: 'AUTHORISED' });
  t.like(await syncAccounting(workspace), { examined: 1, created: 0, authorised: 1 });
  t.is((await workspace.api.get(`/v1/invoices/${invoice.id}`)).body.status, 'authorised');

  const paid = await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    ...manual,
    amount_minor: 12_000,
  });
  t.is(paid.body.invoice.status, 'paid');
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
  const before = (await accountingLedger(workspace)).requests!.length;
  t.like(await syncAccounting(workspace), { examined: 0, created: 0 });
  t.is((await accountingLedger(workspace)).requests!.length, before, 'no request for a terminal invoice');
});

test('an invoice that was paid in parts is sent with one payment of the full amount', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  for (const amount_minor of [5_000, 7_000])
    await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor });
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
  t.deepEqual(
    (await accountingLedger(workspace)).payments!.map(({ Amount }) => Amount),
    [120],
  );
});

test('a void is sent before the client gets its response: it deletes a draft and voids an approved invoice', async (t) => {
  const workspace = await newAccountingWorkspace();
  const [first, second, third] = [
    await openInvoice(workspace),
    await openInvoice(workspace),
    await openInvoice(workspace),
  ];
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  t.like(await syncAccounting(workspace), { created: 4 });
  const { InvoiceID } = await untilInAccounting(workspace, numberOf(second));
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Status: 'AUTHORISED' });
  for (const { id } of [first, second])
    t.is((await workspace.api.post(`/v1/invoices/${id}/void`, { reason: 'test' })).body.status, 'void');
  t.is((await workspace.api.post(`/v1/bookings/${booking.id}/cancel`)).body.status, 'cancelled');
  const { invoices } = await accountingLedger(workspace);
  const status = Object.fromEntries(invoices!.map((each) => [each.InvoiceNumber, each.Status]));
  t.deepEqual(status, {
    [numberOf(first)]: 'DELETED',
    [numberOf(second)]: 'VOIDED',
    [numberOf(third)]: 'SUBMITTED',
    'HF-4': 'DELETED',
  });
});

test('a booking that expires voids its synced invoice in the accounting system', async (t) => {
  const workspace = await newAccountingWorkspace({ hold_seconds: 10 });
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  t.like(await syncAccounting(workspace), { created: 1 });
  await untilStatus(workspace.api, booking.id, 'expired');
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'DELETED');
  t.pass();
});

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
      await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
    },
  );
  await until(async () => (await countPending(workspace.id)) === 0);
  const { invoices, payments, requests } = await accountingLedger(workspace);
  const unanswered = requests!.filter(({ status }) => status === 503).map(({ path }) => path);
  t.deepEqual([...new Set(unanswered)], ['/api.xro/2.0/Invoices', '/api.xro/2.0/Payments']);
  t.is(invoices!.length, 1);
  t.is(payments!.length, 1);
});

test('a void that races the sync that is creating the invoice ends void on both sides', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await withAccountingFaults(workspace, { latency_ms: 700 }, async () => {
    const sync = syncAccounting(workspace);
    await until(
      async () => (await accountingLedger(workspace)).requests!.length > 0 || documentsOf(invoice.id),
    );
    const voided = await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'race' });
    t.is(voided.body.status, 'void');
    await sync;
  });
  await until(async () => (await countPending(workspace.id)) === 0);
  const { invoices } = await accountingLedger(workspace);
  t.true(invoices!.every(({ Status }) => Status === 'DELETED' || Status === 'VOIDED'));
});

test('a void that does not reach the accounting system is retried until it does', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const path = '/api.xro/2.0/Invoices/*';
  await withAccountingFaults(
    workspace,
    { fail: [{ method: 'POST', path, status: 503, times: 3 }] },
    async () => {
      t.is(
        (await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'x' })).body.status,
        'void',
      );
      await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'DELETED');
    },
  );
});

test('an invoice that fails does not stop the others, and has the error', async (t) => {
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

test('a refund creates one credit note of its amount, split over the tax codes, and its payment', async (t) => {
  const workspace = await newAccountingWorkspace();
  const line = { description: 'Desk', quantity: 1, unit_amount_minor: 10_000 };
  // 100.00 + 20.00 tax, and 100.00 without: 220.00
  const invoice = await openInvoice(workspace, {
    lines: [
      { ...line, tax_code: 'STANDARD' },
      { ...line, tax_code: 'ZERO' },
    ],
  });
  const paid = await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    ...manual,
    amount_minor: 22_000,
  });
  const refund = (amount_minor: number) =>
    workspace.api.post(`/v1/payments/${paid.body.payment.id}/refund`, {
      amount_minor,
      reason: 'requested_by_customer',
    });
  t.is((await refund(11_000)).status, 200);
  // 110.00: 60.00 with tax (50.00 + 10.00) and 50.00 without
  const note = await untilInAccounting(workspace, 'HF-1-C1', ({ Status }) => Status === 'PAID');
  t.is(note.Total, 110);
  t.deepEqual(
    note.LineItems.map(({ LineAmount, TaxAmount }) => [LineAmount, TaxAmount]),
    [
      [50, 10],
      [50, 0],
    ],
  );
  t.is((await refund(11_000)).body.invoice.status, 'refunded');
  await untilInAccounting(workspace, 'HF-1-C2', ({ Status }) => Status === 'PAID');
  const { credit_notes, payments } = await accountingLedger(workspace);
  t.is(credit_notes!.length, 2);
  t.is(payments!.length, 3);
});

test('a top-up is a separate document, and a credit adjustment a credit note with its own lines', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { booking, email } = await confirmedBooking(workspace.api);
  const { end_at } = booking;
  t.is(
    (await workspace.api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(end_at, 1) })).status,
    200,
  );
  const extra = await untilInAccounting(workspace, 'HF-1-T1', ({ Status }) => Status === 'PAID');
  t.is(extra.Total, 30);
  t.is((await untilInAccounting(workspace, 'HF-1')).Total, 30);
  const made = await workspace.api.post(`/v1/invoices/${booking.invoice_id}/adjustments`, {
    lines: [{ description: 'Broken lamp', quantity: 1, unit_amount_minor: -1_000, tax_code: 'STANDARD' }],
    reason: 'Not as promised',
  });
  t.is(made.status, 201);
  const note = await untilInAccounting(workspace, 'HF-1-C1', ({ Status }) => Status === 'PAID');
  t.is(note.Total, 12);
  t.deepEqual(
    note.LineItems.map(({ Description }) => Description),
    ['Broken lamp'],
  );
  await until(async () =>
    (await mailTo(email)).some(({ text }) => text.includes('\nReason: Not as promised\n')),
  );
});

test('an expired access token is refreshed; a revoked consent is shown and can be granted again', async (t) => {
  const workspace = await newAccountingWorkspace();
  await accountingSimulator('POST', '/_sim/tokens/expire', { tenant: workspace.tenant });
  const invoice = await openInvoice(workspace);
  t.like(await syncAccounting(workspace), { created: 1 });

  // A write in progress: with a sync of another test, one that starts later might find the connection revoked already.
  const fail = [{ method: 'POST', path: '/api.xro/2.0/Payments', status: 503, times: 100 }];
  await withAccountingFaults(workspace, { fail }, async () => {
    await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor: 12_000 });
    await until(async () =>
      (await accountingLedger(workspace)).requests!.some(({ status }) => status === 503),
    );
    await accountingSimulator('POST', `/_sim/organisations/${workspace.tenant}/disconnect`, {});
  });
  const settings = () => workspace.api.get('/v1/workspace');
  await until(async () => (await settings()).body.accounting.status === 'revoked');
  await until(async () => {
    const { body } = await workspace.api.get(`/v1/invoices/${invoice.id}`);
    return /Reconnect the accounting system/.test(body.accounting_error ?? '');
  });
  const failed = (await findConnection(db.manager, workspace.id))!;

  const consent = await giveConsent(workspace, workspace.tenant);
  const page = await consent.session.get(consent.callback);
  t.is(page.status, 200);
  t.regex(await page.text(), /Your accounting system is connected/);
  t.like((await settings()).body.accounting, { status: 'active', enabled: true });
  await transaction(db, (tx) => revokeConnection(tx, failed));
  t.is((await settings()).body.accounting.status, 'active', 'a late failure of the old tokens is ignored');
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
});

test('a document whose total a bookkeeper changed is paid only once the total is right again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const { InvoiceID, LineItems } = await untilInAccounting(workspace, 'HF-1');
  const edit = (UnitAmount: number, TaxAmount: number) =>
    accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, {
      LineItems: [{ LineItemID: LineItems[0]!.LineItemID, UnitAmount, TaxAmount }],
    });
  await edit(150, 30);
  await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor: 12_000 });
  const shown = async () => (await workspace.api.get(`/v1/invoices/${invoice.id}`)).body;
  await until(async () => /£180\.00.*£120\.00/.test((await shown()).accounting_error ?? ''));
  t.is((await accountingLedger(workspace)).payments!.length, 0);

  await edit(100, 20);
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  await workspace.api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  await db.query(
    `UPDATE accounting_due SET notified_at = notified_at - interval '1 hour' WHERE workspace_id = $1`,
    [workspace.id],
  );
  t.like(await syncAccounting(workspace), { caught_up: 1 });
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'PAID');
  t.is((await shown()).accounting_error, null);
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

test('a void made while the connection is disabled is sent once it is enabled again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  await workspace.api.patch('/v1/workspace', { accounting: { enabled: false } });
  await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'meanwhile' });
  t.is((await untilInAccounting(workspace, 'HF-1')).Status, 'SUBMITTED');
  await workspace.api.patch('/v1/workspace', { accounting: { enabled: true } });
  await untilInAccounting(workspace, 'HF-1', ({ Status }) => Status === 'DELETED');
});

test('an organisation belongs to one workspace; a forged state is refused; a disabled connection sends nothing', async (t) => {
  const [mine, other] = [await newAccountingWorkspace(), await newWorkspace()];
  const { session, callback } = await giveConsent(other, mine.tenant);
  t.is((await session.get(callback)).status, 409);
  t.is((await other.api.get('/v1/workspace')).body.accounting.status, 'unconfigured');
  t.is((await session.get(callback.replace(/state=[^&]+/, 'state=made-up'))).status, 404);

  t.is((await other.api.patch('/v1/workspace', { accounting: { enabled: true } })).status, 412);
  t.false(
    (await mine.api.patch('/v1/workspace', { accounting: { enabled: false } })).body.accounting.enabled,
  );
  await openInvoice(mine);
  t.like(await syncAccounting(mine), { examined: 0 });
  t.is((await accountingLedger(mine)).invoices!.length, 0);
});

test('a consent is bound to the session of the admin who opened it, on the way there and back', async (t) => {
  const mine = await newAccountingWorkspace();
  const workspace = await newWorkspace();
  const { body } = await workspace.api.post('/v1/workspace/accounting/connect');
  const { pathname } = new URL(body.url);
  t.is(new URL(body.url).origin, dev.baseUrl, 'a page of ours');
  const stranger = await WebSession.start(await ownerOf(mine.id));
  await stranger.enrol();
  t.is((await stranger.get(pathname)).status, 404, 'an admin of another workspace');
  t.is((await fetch(body.url, { redirect: 'manual' })).status, 302, 'without a session: to the sign-in');

  const { session, callback, path } = await giveConsent(workspace, mine.tenant);
  for (const other of [stranger, await WebSession.start(await ownerOf(workspace.id))]) {
    const page = await other.get(callback);
    t.is(page.status, 403);
    t.regex(await page.text(), /started in another browser/);
  }
  t.is((await fetch(dev.baseUrl + callback)).status, 403);
  const colleague = await newMember(workspace, { role: 'admin' });
  const theirs = await WebSession.start(colleague.email);
  await theirs.enrol();
  t.is((await theirs.get(path)).status, 410, 'another session of the workspace');
  t.is((await workspace.api.get('/v1/workspace')).body.accounting.status, 'unconfigured');
  t.is(
    (await session.get(callback)).status,
    409,
    'the right session completes it: the organisation is taken',
  );
});

test('backfill_reference finds and repairs legacy references here and in the accounting system', async (t) => {
  const workspace = await newAccountingWorkspace();
  const ours = await openInvoice(workspace, { reference: 'Order 7' });
  const theirs = await openInvoice(workspace);
  await openInvoice(workspace);
  await syncAccounting(workspace);
  await db.query(`UPDATE invoices SET accounting_reference = 'Inv. 1' WHERE id = $1`, [ours.id]);
  const { InvoiceID } = await untilInAccounting(workspace, numberOf(theirs));
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Reference: 'HOLDFAST/2' });

  const references = [
    { invoice_id: ours.id, from: 'Inv. 1', to: 'Holdfast #1 — Order 7' },
    { invoice_id: theirs.id, from: 'HOLDFAST/2', to: 'Holdfast #2' },
  ];
  const run = async (input: object) =>
    (await internal('backfill_reference', { workspace_id: workspace.id, ...input })).body;
  t.deepEqual(await run({ dry_run: true }), { examined: 3, repaired: 0, references });
  t.is((await untilInAccounting(workspace, 'HF-2')).Reference, 'HOLDFAST/2');
  t.deepEqual(await run({}), { examined: 3, repaired: 2, references });
  t.is((await untilInAccounting(workspace, 'HF-1')).Reference, 'Holdfast #1 — Order 7');
  t.is((await untilInAccounting(workspace, 'HF-2')).Reference, 'Holdfast #2');
  const { body: shown } = await workspace.api.get(`/v1/invoices/${ours.id}`);
  t.is(shown.accounting_reference, 'Holdfast #1 — Order 7');
  t.deepEqual(await run({}), { examined: 3, repaired: 0, references: [] });
});

async function countPending(workspaceId: string): Promise<number> {
  const [{ count }] = await db.query(`SELECT count(*)::int FROM accounting_due WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  return count;
}

async function documentsOf(invoiceId: string): Promise<boolean> {
  return (await db.query(`SELECT FROM accounting_documents WHERE invoice_id = $1`, [invoiceId])).length > 0;
}
