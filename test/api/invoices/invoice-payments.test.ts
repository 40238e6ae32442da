import test from 'ava';
import { sweep } from '../../support/invariants.js';
import { bookingBody, checkoutSessionId } from '../../support/bookings.js';
import { simulator } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { line, createInvoice } from '../../support/invoice-calls.js';
import { message } from '../../support/message.js';

test('an invoice is paid when its partial payments reach the total', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await createInvoice(api);
  const path = `/v1/invoices/${invoice.id}/mark-paid` as const;
  const part = await api.post(path, { amount_minor: 5_000, method: 'cash', paid_at: '2026-01-01T00:00:00Z' });
  t.is(part.status, 200);
  t.like(part.body, {
    invoice: { status: 'open', paid_minor: 5_000, outstanding_minor: 7_000 },
    payment: {
      kind: 'manual',
      status: 'succeeded',
      amount_minor: 5_000,
      method: 'cash',
      invoice_id: invoice.id,
    },
  });
  const more = await api.post(path, { amount_minor: 7_001, method: 'cash' });
  t.like(more, {
    status: 422,
    body: { error: { code: 'amount_exceeds_outstanding', param: 'amount_minor' } },
  });
  t.is((await api.post(`/v1/invoices/${invoice.id}/void`)).body.error.code, 'invoice_not_voidable');
  const rest = await Promise.all(
    [1, 2, 3].map(() => api.post(path, { amount_minor: 7_000, method: 'bank_transfer' })),
  );
  t.deepEqual(rest.map((response) => response.status).sort(), [200, 409, 409]);
  t.is((await api.get(`/v1/invoices/${invoice.id}`)).body.status, 'paid');
  t.is((await api.post(path, { amount_minor: 1, method: 'cash' })).body.error.code, 'invoice_not_open');
  t.is((await api.post(path, { amount_minor: 1, method: 'beads' })).body.error.param, 'method');
  await sweep(t, workspace);
});

test('an open invoice is paid on the hosted page, and the webhook settles it', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await createInvoice(api);
  const opened = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  t.is(opened.status, 200, JSON.stringify(opened.body));
  t.deepEqual((await api.post(`/v1/invoices/${invoice.id}/checkout`)).body, opened.body, 'one open session');
  const paid = await simulator('POST', `/_sim/checkout/${checkoutSessionId(opened.body)}/pay`, {});
  await until(async () => (await api.get(`/v1/invoices/${invoice.id}`)).body.status === 'paid');
  const { body: payments } = await api.get(`/v1/payments?invoice_id=${invoice.id}`);
  t.is(payments.data.length, 1);
  t.like(payments.data[0], {
    kind: 'charge',
    amount_minor: 12_000,
    processor_payment_intent_id: paid.payment_intent,
  });
  const page = await (await fetch(paid.redirect_url)).text();
  t.true(page.includes(message('payer.payment_received')));
  await sweep(t, workspace);
});

test('an amount refunded before an invoice is paid must be paid again and does not count towards its total', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { id } = await createInvoice(api);
  const paid = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 4_000, method: 'cash' });
  await api.post(`/v1/payments/${paid.body.payment.id}/refund`, {});
  const whole = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 12_000, method: 'cash' });
  t.like(whole.body.invoice, { status: 'paid', paid_minor: 12_000 });
  await sweep(t, workspace);
});

test('a refused void leaves the checkout open, and an accepted one closes it first, even with concurrent opens', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await createInvoice(api);
  const { body: page } = await api.post(`/v1/invoices/${id}/checkout`);
  const tooMuch = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 99_000, method: 'cash' });
  t.is(tooMuch.status, 422);
  t.is((await api.post(`/v1/invoices/${id}/checkout`)).body.checkout_url, page.checkout_url);
  const [voided] = await Promise.all([
    api.post(`/v1/invoices/${id}/void`, { reason: 'race' }),
    ...Array.from({ length: 5 }, () => api.post(`/v1/invoices/${id}/checkout`)),
  ]);
  t.is(voided.body.status, 'void');
  const open = await db.query(
    `SELECT FROM checkouts WHERE invoice_id = $1 AND state IN ('opening', 'open')`,
    [id],
  );
  t.is(open.length, 0);
});

test('a payment on the hosted page is refunded if the invoice was paid another way meanwhile', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await createInvoice(api);
  const { body: opened } = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  const part = await api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    amount_minor: 2_000,
    method: 'cash',
  });
  t.is(part.status, 200);
  await t.throwsAsync(
    simulator('POST', `/_sim/checkout/${checkoutSessionId(opened)}/pay`, {}),
    undefined,
    'the session was expired first',
  );

  const second = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(second.body)}/pay`, { async: true });
  await api.post(`/v1/invoices/${invoice.id}/mark-paid`, { amount_minor: 6_000, method: 'cash' });
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(second.body)}/settle`, {});
  // 2,000 and 6,000 by hand. Of the 10,000 paid on the page, 4,000 were due.
  const [charge] = await until(async () => {
    const rows = await db.query(
      `SELECT excess_minor, refunded_minor, status FROM payments WHERE invoice_id = $1 AND kind = 'charge'`,
      [invoice.id],
    );
    return rows[0]?.status === 'partially_refunded' && rows;
  });
  t.like(charge, { excess_minor: 6_000, refunded_minor: 6_000 });
  t.is((await api.get(`/v1/invoices/${invoice.id}`)).body.status, 'paid');
  await sweep(t, workspace);
});

test('a debit adjustment creates an invoice, and a credit adjustment refunds to the original payment method', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const invoice = await createInvoice(api);
  const path = `/v1/invoices/${invoice.id}/adjustments` as const;
  const extra = { lines: [line({ unit_amount_minor: 1_000 })], reason: 'Late key' };
  t.is((await api.post(path, extra)).body.error.code, 'invoice_not_paid');
  await api.post(`/v1/invoices/${invoice.id}/mark-paid`, { amount_minor: 12_000, method: 'bank_transfer' });
  const debit = await api.post(path, extra);
  t.is(debit.status, 201);
  t.like(debit.body, {
    adjustment: { kind: 'debit', total_minor: 1_200, refund_id: null },
    invoice: { status: 'paid' },
  });
  const further = await api.get(`/v1/invoices/${debit.body.adjustment.invoice_id}`);
  t.like(further.body, { status: 'open', kind: 'adjustment', adjusts: invoice.id, total_minor: 1_200 });

  const broken = { lines: [line({ unit_amount_minor: -2_500 })], reason: 'Heating broke' };
  const once = { 'idempotency-key': 'heating' };
  const credit = await api.post(path, broken, once);
  t.is(credit.status, 201);
  t.like(credit.body.adjustment, { kind: 'credit', total_minor: -3_000, credit_note_id: null });
  const again = await api.post(path, broken, once);
  t.is(again.status, 200);
  t.deepEqual(again.body.adjustment, credit.body.adjustment);
  const refund = await api.get(`/v1/payments/${credit.body.adjustment.refund_id}`);
  t.like(refund.body, { kind: 'refund', status: 'succeeded', amount_minor: 3_000, method: 'bank_transfer' });
  const tooMuch = await api.post(path, { lines: [line({ unit_amount_minor: -9_000 })], reason: 'All of it' });
  t.like(tooMuch, { status: 422, body: { error: { code: 'amount_exceeds_refundable' } } });
  t.is(
    (await api.post(path, { lines: [line(), line({ unit_amount_minor: -10_000 })], reason: 'x' })).status,
    422,
  );
  await sweep(t, workspace);
});

test("a booking's invoice cannot be changed by hand while the booking awaits payment", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const path = `/v1/invoices/${booking.invoice_id}` as const;
  for (const [action, asked] of [
    ['checkout', {}],
    ['void', {}],
    ['mark-paid', { amount_minor: 3_000, method: 'cash' }],
  ] as const) {
    const response = await api.post(`${path}/${action}`, asked);
    t.like(response, { status: 409, body: { error: { code: 'invoice_managed_by_booking' } } }, action);
  }
  await sweep(t, workspace);
});
