import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import {
  accountingLedger,
  ageUpdates,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
} from '../support/accounting.js';
import { bookingBody, confirmedBooking, hoursLater, pay } from '../support/bookings.js';
import { accountingSimulator, mailTo } from '../support/simulators.js';
import { openAs, pageText } from '../support/dashboard.js';
import { changeByLink } from '../support/pending-change-calls.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';
import { newMember } from '../support/people.js';
import { manual } from './accounting-calls.js';

test('a paid booking is sent as one approved invoice with one payment of the full amount', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const document = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
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
  const document = await untilInAccounting(workspace, 'TH-1');
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
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  const before = (await accountingLedger(workspace)).requests!.length;
  t.like(await syncAccounting(workspace), { examined: 0, created: 0 });
  t.is((await accountingLedger(workspace)).requests!.length, before, 'no request for a terminal invoice');
});

test('an invoice that was paid in parts is sent with a payment for each part', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  for (const amount_minor of [5_000, 7_000])
    await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor });
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.deepEqual(
    (await accountingLedger(workspace)).payments!.map(({ Amount }) => Amount),
    [50, 70],
  );
});

test('a refund creates one credit note for its amount, split over the tax codes, and its payment', async (t) => {
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
  const note = await untilInAccounting(workspace, 'TH-1-C1', ({ Status }) => Status === 'PAID');
  t.is(note.Total, 110);
  t.deepEqual(
    note.LineItems.map(({ LineAmount, TaxAmount }) => [LineAmount, TaxAmount]),
    [
      [50, 10],
      [50, 0],
    ],
  );
  t.is((await refund(11_000)).body.invoice.status, 'refunded');
  await untilInAccounting(workspace, 'TH-1-C2', ({ Status }) => Status === 'PAID');
  const { credit_notes, payments } = await accountingLedger(workspace);
  t.is(credit_notes!.length, 2);
  t.is(payments!.length, 3);
});

test('a top-up is a separate document, and a credit adjustment is a credit note with its own lines', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { booking, email } = await confirmedBooking(workspace.api);
  const { end_at } = booking;
  t.is(
    (await workspace.api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(end_at, 1) })).status,
    200,
  );
  const extra = await untilInAccounting(workspace, 'TH-1-T1', ({ Status }) => Status === 'PAID');
  t.is(extra.Total, 30);
  t.is((await untilInAccounting(workspace, 'TH-1')).Total, 30);
  const made = await workspace.api.post(`/v1/invoices/${booking.invoice_id}/adjustments`, {
    lines: [{ description: 'Broken lamp', quantity: 1, unit_amount_minor: -1_000, tax_code: 'STANDARD' }],
    reason: 'Not as promised',
  });
  t.is(made.status, 201);
  const note = await untilInAccounting(workspace, 'TH-1-C1', ({ Status }) => Status === 'PAID');
  t.is(note.Total, 12);
  t.deepEqual(
    note.LineItems.map(({ Description }) => Description),
    ['Broken lamp'],
  );
  await until(async () =>
    (await mailTo(email)).some(({ text }) => text.includes(' wrote:\n\n> Not as promised\n')),
  );
});

test('a booking that hour credits paid and that is then lengthened has one document, the supplement', async (t) => {
  const workspace = await newAccountingWorkspace();
  const room = await newRoom(workspace.api);
  const member = await newMember(workspace);
  await db.query(`UPDATE members SET hour_credit_balance = 1 WHERE id = $1`, [member.id]);
  const body = bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true });
  const { body: free } = await member.api.post('/v1/bookings', body);
  t.like(free, { status: 'confirmed', price: { amount_minor: 0 } });
  const end_at = hoursLater(free.end_at, 1);
  await pay(await changeByLink(t, member.api, free.id, { end_at }));
  await untilInAccounting(workspace, 'TH-1-T1', ({ Status }) => Status === 'PAID');
  const due = async () =>
    db.query(`SELECT FROM accounting_due WHERE invoice_id = $1`, [free.invoice_id]) as Promise<object[]>;
  await until(async () => (await due()).length === 0);
  t.is((await workspace.api.get(`/v1/invoices/${free.invoice_id}`)).body.accounting_error, null);
  const { invoices } = await accountingLedger(workspace);
  t.deepEqual(
    invoices!.map(({ InvoiceNumber }) => InvoiceNumber),
    ['TH-1-T1'],
  );
  const pdf = await fetch(`${dev.baseUrl}/v1/invoices/${free.invoice_id}.pdf`, {
    headers: { authorization: `Bearer ${workspace.api.token}` },
  });
  t.is(pdf.headers.get('content-disposition'), 'inline; filename="TH-1-T1.pdf"');
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  t.regex(pageText(await session.getText(`${home}/invoices/${free.invoice_id}`)), /Up to date in Xero/);
});

test('a document whose total a bookkeeper changed is paid only once the total is right again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const { InvoiceID, LineItems } = await untilInAccounting(workspace, 'TH-1');
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
  await ageUpdates(workspace);
  t.like(await syncAccounting(workspace), { caught_up: 1 });
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.is((await shown()).accounting_error, null);
});
