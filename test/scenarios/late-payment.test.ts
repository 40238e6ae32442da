import test from 'ava';
import { sweep } from '../support/invariants.js';
import { internal } from '../support/api-client.js';
import { bookingBody, pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { mailTo, processorLedger, simulator, withFaults, withRefundMode } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import { message } from '../support/message.js';

// A hold is at least ten seconds, so the tests that wait for its end run concurrently.

const HOLD = { hold_seconds: 10 };

const settle = (booking: { checkout_url: string | null }, how: Record<string, unknown> = {}) =>
  simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`, how);

interface Refusal {
  code: string;
  details: { refund_id: string; conflicting_booking_id: string | null };
}

/** The 409 that verify_payment returns for a late payment, once its refund has started. */
const awaitRefusal = (payment_intent_id: string) =>
  until(async () => {
    const { status, body } = await internal('verify_payment', { payment_intent_id });
    return status === 409 && body.error.details?.refund_id && body.error;
  }) as Promise<Refusal>;

const refundIs = (refundId: string, status: string) =>
  until(async () => (await temporal.workflow.getHandle(refundId).describe()).status.name === status);

test('an unpaid hold expires: its slot is released, its invoice void, and the payer gets mail', async (t) => {
  const workspace = await newWorkspace(HOLD);
  const { api } = workspace;
  const room = await newRoom(api);
  const body = bookingBody(room.id);
  const { body: booking } = await api.post('/v1/bookings', body);
  await untilStatus(api, booking.id, 'expired');
  const again = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { start_at: body.start_at, end_at: body.end_at }),
  );
  t.is(again.status, 201);
  await until(async () => {
    const found = await mailTo(body.booked_by.guest.email);
    return found.some(({ subject }) => subject === message('mail.expired_subject', { room: 'Blue room' }));
  });
  await sweep(t, workspace);
});

test('a payment that settles after the hold is refunded in full, and later calls return the same', async (t) => {
  const workspace = await newWorkspace(HOLD);
  const { api } = workspace;
  const room = await newRoom(api);
  const body = bookingBody(room.id);
  const { body: booking } = await api.post('/v1/bookings', body);
  const { payment_intent, redirect_url } = await pay(booking, { async: true });
  await untilStatus(api, booking.id, 'expired');
  await settle(booking);

  const first = await awaitRefusal(payment_intent);
  t.is(first.code, 'payment_too_late');
  t.like(first.details, {
    booking_id: booking.id,
    payment_intent_id: payment_intent,
    conflicting_booking_id: null,
  });
  await refundIs(first.details.refund_id, 'COMPLETED');
  const later = await awaitRefusal(payment_intent);
  t.deepEqual(later.details, first.details);
  const page = await (await fetch(redirect_url)).text();
  t.true(page.includes(message('terms.paid_late', { amount: '£30.00' })));
  await until(async () => {
    const found = await mailTo(body.booked_by.guest.email);
    return found.some(({ subject }) => subject === message('mail.late_subject', { room: 'Blue room' }));
  });
  await sweep(t, workspace);
});

test('a late payment whose slot is booked again names the other booking', async (t) => {
  const workspace = await newWorkspace(HOLD);
  const { api } = workspace;
  const room = await newRoom(api);
  const body = bookingBody(room.id);
  const { body: booking } = await api.post('/v1/bookings', body);
  const { payment_intent } = await pay(booking, { async: true });
  await untilStatus(api, booking.id, 'expired');
  await api.patch('/v1/workspace', { checkout_hold_seconds: 600 });
  const next = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { start_at: body.start_at, end_at: body.end_at }),
  );
  await pay(next.body);
  await untilStatus(api, next.body.id, 'confirmed');
  await settle(booking);
  const refusal = await awaitRefusal(payment_intent);
  t.is(refusal.code, 'slot_already_paid');
  t.is(refusal.details.conflicting_booking_id, next.body.id);
  await refundIs(refusal.details.refund_id, 'COMPLETED');
  await sweep(t, workspace);
});

test('a session completed unpaid does not confirm the booking, but its payment within the hold does', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const { redirect_url } = await pay(booking, { async: true });
  const page = await (await fetch(redirect_url)).text();
  t.true(page.includes(message('payer.confirming')));
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');
  await settle(booking);
  await untilStatus(api, booking.id, 'confirmed');
  await sweep(t, workspace);
});

test('a payment after a decline in the same session confirms the booking', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/decline`, {});
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  await sweep(t, workspace);
});

test('a session paid just before the hold ends confirms the booking without a webhook', async (t) => {
  const workspace = await newWorkspace(HOLD);
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  const confirmed = await untilStatus(api, booking.id, 'confirmed');
  t.is(confirmed.confirmation_source, 'scheduler_self_heal');
  t.true(
    Date.parse(confirmed.confirmed_at!) >= Date.parse(booking.expires_at!),
    'the timer found the payment',
  );
  await sweep(t, workspace);
});

test('a pending refund is followed until it succeeds or fails', async (t) => {
  const workspace = await newWorkspace(HOLD);
  const { api } = workspace;
  const room = await newRoom(api);
  const lateBooking = async () => {
    const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
    const { payment_intent } = await pay(booking, { async: true });
    await untilStatus(api, booking.id, 'expired');
    return { booking, payment_intent };
  };
  const [good, bad] = await Promise.all([lateBooking(), lateBooking()]);
  const result = (refundId: string) => temporal.workflow.getHandle(refundId).result();
  await withRefundMode(workspace, 'pending', async () => {
    await settle(good.booking);
    const { details } = await awaitRefusal(good.payment_intent);
    const refund = await until(async () => {
      const { refunds } = await processorLedger(workspace);
      return refunds.find((candidate) => candidate.metadata!.refund_id === details.refund_id);
    });
    const rows = await db.query(`SELECT status FROM payments WHERE id = $1`, [details.refund_id]);
    t.deepEqual(rows, [{ status: 'pending' }]);
    await simulator('POST', `/_sim/refunds/${refund.id}/settle`, { status: 'succeeded' });
    t.is(await result(details.refund_id), 'succeeded');
  });
  await withRefundMode(workspace, 'fail_later', async () => {
    await settle(bad.booking);
    const failed = (await awaitRefusal(bad.payment_intent)).details.refund_id;
    t.is(await result(failed), 'failed');
    const [charge] = await db.query(
      `SELECT refunded_minor FROM payments WHERE processor_payment_intent_id = $1 AND kind = 'charge'`,
      [bad.payment_intent],
    );
    t.is(charge.refunded_minor, 0, 'the failed amount is refundable again');
  });
});

test('if late money was partly refunded at the processor, the rest is refunded too', async (t) => {
  const workspace = await newWorkspace(HOLD);
  const { api } = workspace;
  const { body: booking } = await api.post('/v1/bookings', bookingBody((await newRoom(api)).id));
  const { payment_intent } = await pay(booking, { async: true });
  await untilStatus(api, booking.id, 'expired');
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await settle(booking);
    await simulator('POST', `/_sim/payment_intents/${payment_intent}/refund`, { amount: 300 });
  });
  t.is((await awaitRefusal(payment_intent)).code, 'payment_too_late');
  const made = await until(async () => {
    const { refunds } = await processorLedger(workspace);
    return refunds.length > 1 && refunds;
  });
  t.deepEqual(made.map(({ amount }) => amount).sort(), [booking.price.amount_minor - 300, 300]);
  await until(async () => {
    const pending = await db.query(`SELECT FROM payments WHERE booking_id = $1 AND status = 'pending'`, [
      booking.id,
    ]);
    return pending.length === 0;
  });
  await sweep(t, workspace);
});
