import test from 'ava';
import { newMember } from '../support/people.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  untilInAccounting,
} from '../support/accounting.js';
import { bookingBody, hoursLater, pay, untilStatus } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

test('hour credits are a line of quote, booking, invoice and books, and partial refunds reverse what was charged', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, {
    price_per_hour: { currency: 'GBP', amount_minor: 3_333 },
    tax_code: 'REDUCED',
  });
  const member = await newMember(workspace);
  await db.query(`UPDATE members SET hour_credit_balance = 2 WHERE id = $1`, [member.id]);
  const body = bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true });
  body.end_at = hoursLater(body.start_at, 3.5);
  const { idempotency_key, ...asked } = body;
  const { body: quoted } = await api.post('/v1/quotes', asked);
  const { body: booking } = await api.post('/v1/bookings', { ...asked, idempotency_key });
  t.deepEqual(quoted.lines, booking.lines);
  t.like(booking, {
    price: { amount_minor: 5_250 },
    lines: [
      { kind: 'time', quantity: 3.5, unit_amount_minor: 3_333, net_minor: 11_666, tax_minor: 583 },
      { kind: 'credit', quantity: 2, unit_amount_minor: -3_333, net_minor: -6_666, tax_minor: -333 },
    ],
  });
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id}`);
  t.like(invoice.lines, [
    { description: booking.lines[0]!.description, quantity: 1, unit_amount_minor: 11_666, tax_minor: 583 },
    {
      description: '2 hour credits',
      quantity: 1,
      unit_amount_minor: -6_666,
      net_minor: -6_666,
      tax_minor: -333,
    },
  ]);
  const booked = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.deepEqual(
    booked.LineItems.map(({ LineAmount, TaxAmount }) => [LineAmount, TaxAmount]),
    [
      [116.66, 5.83],
      [-66.66, -3.33],
    ],
  );

  const { body: payments } = await api.get(`/v1/payments?booking_id=${booking.id}`);
  for (const amount_minor of [1, 1_777, 3_472]) {
    const path = `/v1/payments/${payments.data[0]!.id}/refund`;
    t.is((await api.post(path, { amount_minor, reason: 'other' })).status, 200);
  }
  const { credit_notes } = await until(async () => {
    const ledger = await accountingLedger(workspace);
    return ledger.credit_notes!.filter(({ Status }) => Status === 'PAID').length === 3 && ledger;
  });
  const credited = credit_notes!.flatMap(({ LineItems }) => LineItems);
  t.is(sum(credited.map(({ LineAmount }) => Math.round(LineAmount * 100))), 5_000);
  t.is(sum(credited.map(({ TaxAmount }) => Math.round(TaxAmount * 100))), 250);
  await sweep(t, workspace);
});

test('the tax of an invoice is rounded once per rate, and the books get it line by line', async (t) => {
  const workspace = await newAccountingWorkspace();
  await workspace.api.patch('/v1/workspace', {
    tax_codes: [{ code: 'GST', rate_bps: 1_500, accounting_tax_type: 'OUTPUT2' }],
  });
  const lines = [2_506, 2_561, 2_563].map((unit_amount_minor) => ({
    description: 'Desk',
    quantity: 1,
    unit_amount_minor,
    tax_code: 'GST',
  }));
  const invoice = await openInvoice(workspace, { lines });
  t.like(invoice, { net_minor: 7_630, tax_minor: 1_145, total_minor: 8_775 });
  await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { method: 'cash', amount_minor: 8_775 });
  const booked = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.deepEqual(
    booked.LineItems.map(({ TaxAmount }) => TaxAmount),
    [3.76, 3.84, 3.85],
  );
  t.is(booked.Total, 87.75);
});
