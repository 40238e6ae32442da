import test from 'ava';
import { internal } from '../../support/api-client.js';
import { bookingBody, confirmedBooking, pay } from '../../support/bookings.js';
import { processorLedger, simulator, withFaults } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { sweep } from '../../support/invariants.js';
import { temporal } from '../../support/temporal.js';
import { findPayment } from './payment-calls.js';

test("a refund made in the processor's dashboard is recorded", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  await simulator('POST', `/_sim/payment_intents/${payment.processor_payment_intent_id}/refund`, {
    amount: 1_200,
  });
  const shown = await until(async () => {
    const { body } = await api.get(`/v1/payments/${payment.id}`);
    return body.status === 'partially_refunded' && body;
  });
  t.is(shown.refunded_minor, 1_200);
  t.is(shown.refunds.length, 1);
  await sweep(t, workspace);
});

test('refund.created alone records a refund that was made in the dashboard', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  const drop_webhooks = ['charge.refunded', 'refund.updated'];
  await withFaults(workspace, { drop_webhooks }, async () => {
    const intent = payment.processor_payment_intent_id;
    await simulator('POST', `/_sim/payment_intents/${intent}/refund`, { amount: 1_200 });
    await until(async () => {
      const { body } = await api.get(`/v1/payments/${payment.id}`);
      return body.status === 'partially_refunded' && body.refunded_minor === 1_200;
    });
  });
  await sweep(t, workspace);
});

/** A booking that was paid and partly refunded, without any webhook. */
async function refundedUnseen() {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const { payment_intent } = await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const paid = await pay(booking);
    await simulator('POST', `/_sim/payment_intents/${paid.payment_intent}/refund`, { amount: 1_200 });
    return paid;
  });
  return { workspace, api, booking, payment_intent };
}

test('a refund that is reported while its payment is being settled waits for the payment', async (t) => {
  const { workspace, api, booking, payment_intent } = await refundedUnseen();
  const { events } = await processorLedger(workspace);
  const { event_id } = events.find(({ type }) => type === 'charge.refunded')!;
  await simulator('POST', '/_sim/event', { event_id });
  const run = temporal.workflow.getHandle(`refunds-${payment_intent}-${event_id}`);
  const waiting = await until(async () => {
    const description = await run.describe().catch(() => null);
    return description?.status.name === 'RUNNING' && description;
  });
  t.truthy(waiting);
  // On a busy machine a run can take longer than the action waits. It may be called again.
  await until(async () => {
    const { status } = await internal('verify_payment', { payment_intent_id: payment_intent });
    return status === 200;
  });
  const payment = await findPayment(api, booking.id);
  await until(async () => (await api.get(`/v1/payments/${payment.id}`)).body.refunded_minor === 1_200);
  await sweep(t, workspace);
});

test('a refund made before the payment was recorded is recorded with it', async (t) => {
  const { workspace, api, booking, payment_intent } = await refundedUnseen();
  t.is((await internal('verify_payment', { payment_intent_id: payment_intent })).status, 200);
  const payment = await findPayment(api, booking.id);
  const shown = await until(async () => {
    const { body } = await api.get(`/v1/payments/${payment.id}`);
    return body.status === 'partially_refunded' && body;
  });
  t.is(shown.refunded_minor, 1_200);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  await sweep(t, workspace);
});

test("after a failed refund in the processor's dashboard the next one is recorded", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  const refund = (amount: number) =>
    simulator('POST', `/_sim/payment_intents/${payment.processor_payment_intent_id}/refund`, { amount });
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const { id } = await refund(3_000);
    await simulator('POST', `/_sim/refunds/${id}/settle`, { status: 'failed' });
  });
  await refund(1_000);
  const shown = await until(async () => {
    const { body } = await api.get(`/v1/payments/${payment.id}`);
    return body.status === 'partially_refunded' && body;
  });
  t.is(shown.refunded_minor, 1_000);
  t.is(shown.refunds.length, 1);
  await sweep(t, workspace);
});

test('a refund that fails because part of the money was returned in the dashboard has that part recorded', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const payment = await findPayment(api, booking.id);
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const intent = payment.processor_payment_intent_id;
    await simulator('POST', `/_sim/payment_intents/${intent}/refund`, { amount: 1_000 });
    t.is((await api.post(`/v1/bookings/${booking.id}/cancel`)).status, 200);
    const shown = await until(async () => {
      const { body } = await api.get(`/v1/payments/${payment.id}`);
      return body.status === 'partially_refunded' && body;
    });
    t.is(shown.refunded_minor, 1_000);
    const refunds: { id: string; status: string }[] = shown.refunds;
    t.deepEqual(refunds.map(({ status }) => status).toSorted(), ['failed', 'succeeded']);
    const { id } = refunds.find(({ status }) => status === 'failed')!;
    // Not only the next time that the account is read.
    await temporal.workflow.getHandle(`refunds-${intent}-${id}`).result();
  });
});
