import { rereadBooking } from '../../../contract/bookings.js';
import { paymentConfirmed } from '../../../contract/payments/payments.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import type { ApiClient } from '../../support/api-client.js';
import { bookingBody, confirmedBooking, hoursLater, untilStatus } from '../../support/bookings.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { temporal } from '../../support/temporal.js';
import type { Recorder } from './recorder.js';

async function newBooking(api: ApiClient, overrides: Record<string, unknown> = {}) {
  const room = await newRoom(api);
  return (await api.post('/v1/bookings', bookingBody(room.id, overrides))).body;
}

/** A run of every state of a booking, and runs with changes, cancellations and a lost run. */
export async function recordBookings(recorder: Recorder): Promise<void> {
  const { api } = await newWorkspace();
  const completed = recordCompleted(recorder, api);

  const pending = await newBooking(api);
  await recorder.save('booking-pending', pending.id);

  const { booking: confirmed } = await confirmedBooking(api);
  await recorder.save('booking-confirmed', confirmed.id);

  const { booking: free } = await confirmedBooking(api, {
    room: { price_per_hour: { currency: 'GBP', amount_minor: 0 } },
  });
  await recorder.save('booking-free', free.id);

  const { booking: changed } = await confirmedBooking(api);
  await api.patch(`/v1/bookings/${changed.id}`, { end_at: hoursLater(changed.end_at, 1) });
  await api.patch(`/v1/bookings/${changed.id}`, { end_at: changed.end_at });
  await recorder.save('booking-changed', changed.id);
  await api.post(`/v1/bookings/${changed.id}/cancel`, {});
  await recorder.saveEnded('booking-cancelled', changed.id);

  // A card whose bank takes a day to decide about an off-session charge.
  const { booking: charging } = await confirmedBooking(api, { card: '4000003560000297' });
  await api.patch(`/v1/bookings/${charging.id}`, { end_at: hoursLater(charging.end_at, 1) });
  await recorder.save('booking-charge-pending', charging.id);

  // A card whose bank requires the payer's authentication for an off-session charge.
  const { booking: asked } = await confirmedBooking(api, { card: '4000002760003184' });
  const costlier = { end_at: hoursLater(asked.end_at, 1), on_authentication: 'link' };
  await api.patch(`/v1/bookings/${asked.id}`, costlier);
  await recorder.save('booking-change-pending', asked.id);
  await api.delete(`/v1/bookings/${asked.id}/pending-change`);
  await api.patch('/v1/workspace', { checkout_hold_seconds: 10 });
  await api.patch(`/v1/bookings/${asked.id}`, costlier);
  await until(async () => (await api.get(`/v1/bookings/${asked.id}/pending-change`)).status === 404);
  await recorder.save('booking-change-lapsed', asked.id);
  await api.patch('/v1/workspace', { checkout_hold_seconds: 1_800 });

  const unpaid = await newBooking(api);
  await api.post(`/v1/bookings/${unpaid.id}/cancel`, {});
  await recorder.saveEnded('booking-cancelled-unpaid', unpaid.id);

  const taken = await newBooking(api);
  const cash = { method: 'cash', amount_minor: taken.price.amount_minor };
  await api.post(`/v1/bookings/${taken.id}/payments`, cash);
  await recorder.save('booking-paid-at-desk', taken.id);

  const end_at = hoursLater(taken.end_at, 1);
  await api.patch(`/v1/bookings/${taken.id}`, { end_at, on_authentication: 'link' });
  const { body: longer } = await api.get(`/v1/bookings/${taken.id}/pending-change`);
  const { id: pending_change_id, amount_minor } = longer;
  await api.post(`/v1/bookings/${taken.id}/payments`, { method: 'cash', amount_minor, pending_change_id });
  await recorder.save('booking-changed-at-desk', taken.id);

  const { booking: lost } = await confirmedBooking(api);
  await temporal.workflow.getHandle(lost.id).terminate('lost');
  await api.patch(`/v1/bookings/${lost.id}`, { notes: 'after the run was lost' });
  await recorder.save('booking-revived', lost.id);

  const { booking: reread } = await confirmedBooking(api);
  await temporal.workflow.getHandle(reread.id).signal(rereadBooking);
  await api.patch(`/v1/bookings/${reread.id}`, { notes: 'after the booking was read again' });
  await recorder.save('booking-reread', reread.id);

  await recordContinued(recorder, api);
  await completed;
}

/** A booking in the next minute, which ends soon. */
async function recordCompleted(recorder: Recorder, api: ApiClient): Promise<void> {
  const room = { slot_minutes: 1, min_minutes: 1, edit_window_minutes: 0 };
  const start = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
  const [start_at, end_at] = [start, start + MINUTE_MS].map((time) => new Date(time).toISOString());
  const slot = { start_at: start_at!, end_at: end_at! };
  const { booking } = await confirmedBooking(api, { room, slot });
  await untilStatus(api, booking.id, 'completed');
  await recorder.saveEnded('booking-completed', booking.id);
}

/** A run with so many events that it continues as new. */
async function recordContinued(recorder: Recorder, api: ApiClient): Promise<void> {
  const { booking } = await confirmedBooking(api);
  const run = temporal.workflow.getHandle(booking.id);
  const { runId } = await run.describe();
  const paymentIntentId = booking.processor_payment_intent_id;
  await until(async () => {
    // It is already settled, so each signal only adds some events.
    await run.signal(paymentConfirmed, { paymentIntentId, source: 'connect_webhook' });
    return (await run.describe()).historyLength > 140;
  });
  await api.patch(`/v1/bookings/${booking.id}`, { notes: 'the last change of this run' });
  await until(async () => (await run.describe()).runId !== runId);
  await recorder.save('booking-continued', booking.id, runId);
}
