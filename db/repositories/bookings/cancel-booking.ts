import { assertCancellable } from '../../../domain/booking-cancellation.js';
import { presentBooking } from '../../../domain/presenters/booking.js';
import { percentOf, refundPercent, type RefundPolicy } from '../../../domain/refund-policy.js';
import { BOOKING_TRANSITIONS } from '../../../domain/states.js';
import type { Tx } from '../../transaction.js';
import { audit } from '../workspaces/audit.js';
import { finishChange, type BookingChange, type ChangeOutcome } from './booking-changes.js';
import { lockBooking, type BookingRow } from './booking-queries.js';
import { insertEvent } from '../events/events.js';
import { voidInvoice } from '../billing/invoice-lifecycle.js';
import { enqueueMail } from '../mail/mails.js';
import { beginRefunds, findRefundable } from '../billing/refunds.js';
import { returnHourCredits } from './hour-credits.js';

/**
 * Cancels a booking (decisions.md, "Bookings": Cancel): slot free, what the policy gives back begun as refunds, or
 * the invoice void where nothing was paid; event, mail and audit entry. It wins or loses against a payment by the
 * lock on the booking: money that is confirmed after it is late money. Cancelling again is done already.
 * Errors: 409 `booking_not_cancellable`.
 */
export async function cancelBooking(
  tx: Tx,
  change: BookingChange & { kind: 'cancel' },
): Promise<ChangeOutcome> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  const { refund_policy, notify_attendees, reason } = change.request!;
  const now = new Date();
  let refund_ids: string[] = [];
  if (booking.status !== 'cancelled') {
    assertCancellable(booking, now);
    const { refundMinor, whole } = await dueBack(tx, booking, refund_policy, now);
    const refundable = await findRefundable(tx, { booking_id: booking.id });
    refund_ids = await beginRefunds(tx, refundable, {
      amount_minor: refundMinor,
      reason: 'requested_by_customer',
    });
    if (whole) await returnHourCredits(tx, booking);
    if (booking.status === 'pending_payment') await voidInvoice(tx, booking.invoice_id!, now);
    await setCancelled(tx, booking, now);
    const { workspace_id, id: booking_id } = booking;
    if (notify_attendees) await enqueueMail(tx, { workspace_id, booking_id, kind: 'booking_cancelled' });
    await audit(
      tx,
      { ...change.actor, workspace_id },
      {
        action: 'booking.cancelled',
        object: booking_id,
        details: { reason, refund_policy, refund_minor: refundMinor, from: booking.status },
      },
    );
  }
  const outcome: ChangeOutcome = { kind: 'done', charged_minor: 0, payment_id: null, refund_ids };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/** What a policy gives back, in minor units, and whether that is all of it, tokens included. */
async function dueBack(
  tx: Tx,
  booking: BookingRow,
  policy: RefundPolicy,
  now: Date,
): Promise<{ refundMinor: number; whole: boolean }> {
  if (booking.status === 'pending_payment') return { refundMinor: 0, whole: true };
  const kept = (await findRefundable(tx, { booking_id: booking.id })).reduce(
    (sum, payment) => sum + payment.left_minor,
    0,
  );
  if (policy === 'full') return { refundMinor: kept, whole: true };
  if (policy === 'none') return { refundMinor: 0, whole: false };
  const [{ refund_steps }] = await tx.query(`SELECT refund_steps FROM rooms WHERE id = $1`, [
    booking.room_id,
  ]);
  const percent = refundPercent(refund_steps, booking.start_at.getTime(), now.getTime());
  return { refundMinor: percentOf(Math.min(kept, booking.price_minor), percent), whole: percent === 100 };
}

async function setCancelled(tx: Tx, booking: BookingRow, now: Date): Promise<void> {
  const cancelled: BookingRow = {
    ...booking,
    status: BOOKING_TRANSITIONS.cancel.to,
    cancelled_at: now,
    updated_at: now,
    sequence: booking.sequence + 1,
  };
  await tx.query(
    `UPDATE bookings SET status = $2, cancelled_at = $3, updated_at = $3, sequence = $4 WHERE id = $1`,
    [booking.id, cancelled.status, now, cancelled.sequence],
  );
  await tx.query(`DELETE FROM slot_claims WHERE booking_id = $1`, [booking.id]);
  await insertEvent(tx, {
    type: 'booking.cancelled',
    workspace_id: booking.workspace_id,
    object: presentBooking(cancelled),
    created_at: now,
  });
}
