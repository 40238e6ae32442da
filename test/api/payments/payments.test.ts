import test from 'ava';
import { confirmedBooking } from '../../support/bookings.js';
import { processorLedger, simulator, withFaults, withRefundMode } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, type TestWorkspace } from '../../support/workspaces.js';
import { sweep } from '../../support/invariants.js';
import { temporal } from '../../support/temporal.js';
import { findPayment } from './payment-calls.js';

const findCharge = async (workspace: TestWorkspace, paymentIntent: string) => {
  const { charges } = await processorLedger(workspace);
  return charges.find((charge) => charge.payment_intent === paymentIntent)!;
};

test('a payment is shown with its fields, and can be refunded in parts up to its amount', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  t.like(payment, {
    invoice_id: booking.invoice_id,
    kind: 'charge',
    status: 'succeeded',
    amount_minor: 3_000,
    currency: 'GBP',
    method: 'card',
    refunded_minor: 0,
    refunds: [],
    processor_payment_intent_id: booking.processor_payment_intent_id,
    settled_at: payment.paid_at,
  });
  t.truthy(payment.settled_at);
  const path = `/v1/payments/${payment.id}/refund` as const;
  const part = await api.post(path, { amount_minor: 1_000, reason: 'duplicate' });
  t.is(part.status, 200);
  t.like(part.body, {
    refund: {
      kind: 'refund',
      status: 'succeeded',
      amount_minor: 1_000,
      refund_of: payment.id,
      reason: 'duplicate',
    },
    payment: { status: 'partially_refunded', refunded_minor: 1_000 },
    invoice: { status: 'paid' },
  });
  const tooMuch = await api.post(path, { amount_minor: 2_001 });
  t.like(tooMuch, {
    status: 422,
    body: { error: { code: 'amount_exceeds_refundable', param: 'amount_minor' } },
  });
  const rest = await api.post(path);
  t.like(rest.body, {
    refund: { amount_minor: 2_000 },
    payment: { status: 'refunded', refunded_minor: 3_000 },
    invoice: { status: 'refunded' },
  });
  t.is(rest.body.payment.refunds.length, 2);
  t.is((await api.post(path)).body.error.code, 'amount_exceeds_refundable');
  t.is((await api.get('/v1/payments/pay_nothing')).body.error.code, 'payment_not_found');
  t.is(
    (await api.get(`/v1/bookings/${booking.id}`)).body.status,
    'confirmed',
    'a refund alone does not change the booking',
  );
  await sweep(t, workspace);
});

test('twelve concurrent refunds never exceed the payment', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => api.post(`/v1/payments/${payment.id}/refund`, { amount_minor: 700 })),
  );
  // Four times 700 are 2,800 of 3,000.
  t.is(answers.filter((answer) => answer.status === 200).length, 4);
  t.is((await findCharge(workspace, payment.processor_payment_intent_id!)).amount_refunded, 2_800);
  await sweep(t, workspace);
});

test('ten requests with one Idempotency-Key create one refund', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  const key = { 'idempotency-key': 'refund-1' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      api.post(`/v1/payments/${payment.id}/refund`, { amount_minor: 500 }, key),
    ),
  );
  t.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  t.is(new Set(answers.map((answer) => answer.body.refund.id)).size, 1);
  t.is((await findCharge(workspace, payment.processor_payment_intent_id!)).amount_refunded, 500);
  await sweep(t, workspace);
});

test('a payment is shown as disputed until the dispute is won', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  const charge = await findCharge(workspace, payment.processor_payment_intent_id!);
  const statusIs = (status: string) =>
    until(async () => (await api.get(`/v1/payments/${payment.id}`)).body.status === status);
  await simulator('POST', `/_sim/charges/${charge.id}/dispute`, {});
  await statusIs('disputed');
  t.is((await api.post(`/v1/payments/${payment.id}/refund`)).body.error.code, 'amount_exceeds_refundable');
  await simulator('POST', `/_sim/charges/${charge.id}/dispute`, { status: 'won' });
  await statusIs('succeeded');
});

test('an invoice that was fully refunded during a dispute is refunded once the dispute is won', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  const charge = await findCharge(workspace, payment.processor_payment_intent_id!);
  const statusIs = (id: string, status: string) =>
    until(async () => (await api.get(`/v1/payments/${id}`)).body.status === status);
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await api.post(`/v1/payments/${payment.id}/refund`);
    await simulator('POST', `/_sim/charges/${charge.id}/dispute`, {});
    await statusIs(payment.id, 'disputed');
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund) => refund.metadata!.refund_id === body.refund.id)!;
    await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'succeeded' });
    await statusIs(body.refund.id, 'succeeded');
  });
  t.is((await api.get(`/v1/payments/${payment.id}`)).body.status, 'disputed');
  await simulator('POST', `/_sim/charges/${charge.id}/dispute`, { status: 'won' });
  await statusIs(payment.id, 'refunded');
  t.is((await api.get(`/v1/invoices/${booking.invoice_id}`)).body.status, 'refunded');
});

test('a refund that the bank returns is shown as failed, and its amount can be refunded again', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await api.post(`/v1/payments/${payment.id}/refund`);
    t.like(body, {
      refund: { status: 'pending' },
      payment: { refunded_minor: 3_000 },
      invoice: { status: 'paid' },
    });
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund) => refund.metadata!.refund_id === body.refund.id)!;
    const settle = (status: string) => simulator('POST', `/_sim/refunds/${made.id}/settle`, { status });
    const rowIs = (status: string) =>
      until(async () => (await api.get(`/v1/payments/${body.refund.id}`)).body.status === status);
    await settle('succeeded');
    await rowIs('succeeded');
    t.is((await api.get(`/v1/invoices/${booking.invoice_id}`)).body.status, 'refunded');
    await temporal.workflow.getHandle(body.refund.id).result();
    // A bank can return the money days later: in Stripe a succeeded refund can become failed.
    await settle('failed');
    await rowIs('failed');
  });
  t.like((await api.get(`/v1/payments/${payment.id}`)).body, { status: 'succeeded', refunded_minor: 0 });
  t.is((await api.get(`/v1/invoices/${booking.invoice_id}`)).body.status, 'paid');
  const types = await db.query(`SELECT type FROM events WHERE object_id = $1 ORDER BY sequence`, [
    payment.id,
  ]);
  t.deepEqual(
    types.map((row: { type: string }) => row.type),
    ['payment.succeeded', 'payment.refunded', 'payment.refund_failed'],
  );
});

test('a refused refund stays refused when the request is repeated, and no refund is created', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  const key = { 'idempotency-key': 'give it back' };
  const fail = [{ method: 'POST', path: '/v1/refunds', status: 400, times: 1 }];
  const ask = () => api.post(`/v1/payments/${payment.id}/refund`, {}, key);
  const first = await withFaults(workspace, { fail }, ask);
  t.is(first.body.refund.status, 'failed');
  t.is(first.body.payment.refunded_minor, 0);
  const again = await ask();
  t.is(again.body.refund.id, first.body.refund.id);
  t.is(again.body.refund.status, 'failed');
  const { refunds } = await processorLedger(workspace);
  t.false(refunds.some((refund) => refund.payment_intent === booking.processor_payment_intent_id));
  const fresh = await api.post(`/v1/payments/${payment.id}/refund`, {});
  t.is(fresh.body.refund.status, 'succeeded');
});

test('a refund with notify_payer false is not mailed to the payer', async (t) => {
  const { api } = await newWorkspace();
  const mailsAbout = (refundId: string) =>
    db.query(`SELECT kind FROM mails WHERE about = $1 AND kind = 'payment_refunded'`, [refundId]);
  for (const notify_payer of [false, true]) {
    const { booking } = await confirmedBooking(api);
    const payment = await findPayment(api, booking.id);
    const { body } = await api.post(`/v1/payments/${payment.id}/refund`, { notify_payer });
    await until(async () => (await api.get(`/v1/payments/${body.refund.id}`)).body.status === 'succeeded');
    t.is((await mailsAbout(body.refund.id)).length, notify_payer ? 1 : 0);
  }
});
