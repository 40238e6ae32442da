import { assertCancellable } from '../../../domain/booking-cancellation.js';
import type { ChangeOutcome } from '../../../domain/booking-change.js';
import { refundBySteps, refundPercent, type RefundPolicy } from '../../../domain/refund-policy.js';
import { BOOKING_TRANSITIONS } from '../../../domain/states.js';
import { repository } from '../../tables.js';
import type { Tx } from '../../transaction.js';
import { voidInvoice } from '../billing/invoice-lifecycle.js';
import { createRefunds, lockRefundable } from '../billing/refunds.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../workspaces/audit.js';
import type { BookingChange } from './booking-change-queries.js';
import { finishChange, lockChargingChanges, withdrawChargingChanges } from './booking-changes.js';
import type { BookingRow } from './booking-queries.js';
import { lockBooking, recordBookingEvent, releaseSlots, updateBooking } from './bookings.js';
import { cancelUnpaid, lockUnpaidInvoice } from './cancel-unpaid.js';
import { returnHourCredits } from './hour-credits.js';

/**
 * Cancels a booking (docs/rules/bookings.md#cancellation): releases the slot, creates the refunds of the policy or
 * voids the invoice, and stores event, mail and audit entry. The booking's lock decides between a cancellation and a
 * payment: a payment settled afterwards is a late payment. Cancelling again changes nothing. Errors: 409
 * `booking_not_cancellable`.
 */
export async function cancelBooking(
  tx: Tx,
  change: BookingChange & { kind: 'cancel' },
): Promise<ChangeOutcome> {
  const charging = await lockChargingChanges(tx, change.booking_id);
  const booking = (await lockBooking(tx, change.booking_id))!;
  const refund_ids = booking.status === 'cancelled' ? [] : await cancel(tx, booking, change);
  await withdrawChargingChanges(tx, charging, 'The booking was cancelled before its change was paid.');
  const outcome: ChangeOutcome = { kind: 'done', charged_minor: 0, payment_id: null, refund_ids };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/** Cancels a live booking. Returns the ids of its refunds. */
async function cancel(
  tx: Tx,
  booking: BookingRow,
  change: BookingChange & { kind: 'cancel' },
): Promise<string[]> {
  const { refund_policy, notify_attendees, reason } = change.request!;
  const now = new Date();
  assertCancellable(booking, now);
  const unpaid = await lockUnpaidInvoice(tx, booking);
  const percent =
    unpaid &&
    Math.min(await percentOfPolicy(tx, booking, refund_policy, now), policyCap(booking, refund_policy));
  const { refund_ids, refund_minor, in_full } = unpaid
    ? { refund_ids: [], refund_minor: 0, in_full: percent === 100 }
    : await refund(tx, booking, refund_policy, now);
  if (unpaid) await cancelUnpaid(tx, booking, unpaid, percent!, now);
  if (in_full) await returnHourCredits(tx, booking);
  if (booking.status === 'pending_payment') await voidInvoice(tx, booking.invoice_id!, now);
  const cancelled = await updateBooking(tx, booking, {
    status: BOOKING_TRANSITIONS.cancel.to,
    cancelled_at: now,
    updated_at: now,
    sequence: booking.sequence + 1,
  });
  await releaseSlots(tx, booking.id);
  await recordBookingEvent(tx, 'booking.cancelled', cancelled);
  const { workspace_id, id } = booking;
  if (notify_attendees) await enqueueMail(tx, { workspace_id, booking_id: id, kind: 'booking_cancelled' });
  const details = { reason, refund_policy, refund_minor, from: booking.status };
  const entry = { action: 'booking.cancelled', object: id, details };
  await audit(tx, { ...change.actor, workspace_id }, entry);
  return refund_ids;
}

/** Creates the refunds of a policy. `in_full`: the hour credits must be returned as well. */
async function refund(
  tx: Tx,
  booking: BookingRow,
  policy: RefundPolicy,
  now: Date,
): Promise<{ refund_ids: string[]; refund_minor: number; in_full: boolean }> {
  if (booking.status === 'pending_payment') return { refund_ids: [], refund_minor: 0, in_full: true };
  const refundable = await lockRefundable(tx, { booking_id: booking.id });
  const left = refundable.reduce((sum, payment) => sum + payment.refundable_minor, 0);
  const percent = await percentOfPolicy(tx, booking, policy, now);
  const paid = { amount_minor: booking.price_minor, currency: booking.currency };
  const refund_minor = policy === 'full' ? left : refundBySteps(refundable, paid, percent);
  const amount = { amount_minor: refund_minor, reason: 'requested_by_customer' } as const;
  const refund_ids = await createRefunds(tx, refundable, amount);
  const in_full = policy === 'full' || Math.min(percent, booking.refund_percent_cap) === 100;
  return { refund_ids, refund_minor, in_full };
}

/** A move limits what the refund steps give; the policy `full` gives everything. */
const policyCap = ({ refund_percent_cap }: BookingRow, policy: RefundPolicy): number =>
  policy === 'full' ? 100 : refund_percent_cap;

async function percentOfPolicy(
  tx: Tx,
  booking: BookingRow,
  policy: RefundPolicy,
  now: Date,
): Promise<number> {
  if (policy === 'full') return 100;
  if (policy === 'none') return 0;
  const { refund_steps } = await repository(tx, 'rooms').findOneByOrFail({ id: booking.room_id });
  return refundPercent(refund_steps, booking.start_at.getTime(), now.getTime());
}
