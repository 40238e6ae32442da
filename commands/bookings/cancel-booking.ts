import {
  assertRefundAsShown,
  waivedMinor,
  planRefund,
  refundedPercent,
  whyNotCancel,
  type CancellationRefund,
} from '../../domain/booking-cancellation.js';
import type { ChangeOutcome } from '../../domain/booking-change.js';
import { refuse } from '../../domain/errors.js';
import { BOOKING_TRANSITIONS } from '../../domain/states.js';
import { Room } from '../../db/entities/rooms.js';
import type { Tx } from '../../db/transaction.js';
import { voidInvoice } from '../billing/invoice-lifecycle.js';
import { createRefunds, lockRefundable, reasonOf } from '../billing/refunds.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../workspaces/audit.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import { finishChange, lockUnpaidChanges } from './booking-changes.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking, recordBookingEvent, releaseSlots, updateBooking } from './bookings.js';
import { cancelUnpaid, lockUnpaidInvoice } from './cancel-unpaid.js';
import { returnHourCredits } from './hour-credits.js';
import { withdrawUnpaidChanges } from './pending-changes.js';

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
  const unpaid = await lockUnpaidChanges(tx, change.booking_id);
  const booking = (await lockBooking(tx, change.booking_id))!;
  const takesEffect = booking.status !== 'cancelled';
  const { refund_policy } = change.request!;
  await withdrawUnpaidChanges(tx, booking, unpaid, 'cancelled');
  const refund_ids = takesEffect ? await cancel(tx, booking, change) : [];
  const outcome: ChangeOutcome = {
    kind: 'done',
    charged_minor: 0,
    payment_id: null,
    refund_ids,
    ...(takesEffect && { refund_policy }),
  };
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
  refuse(whyNotCancel(booking, now));
  const { refund_ids, refund_minor, returns_credits } = await refund(tx, booking, change, now);
  if (returns_credits) await returnHourCredits(tx, booking);
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

/** Creates the refunds of a cancellation. */
async function refund(
  tx: Tx,
  booking: BookingRow,
  { actor, request }: BookingChange & { kind: 'cancel' },
  now: Date,
): Promise<CancellationRefund & { refund_ids: string[] }> {
  const unpaid = await lockUnpaidInvoice(tx, booking);
  const refundable = await lockRefundable(tx, { booking_id: booking.id }, 'cancellation');
  const { refund_steps } = await tx.findOneByOrFail(Room, { id: booking.room_id });
  const plan = planRefund(booking, refundable, refund_steps, request!.refund_policy, now);
  if (unpaid) {
    const percent = refundedPercent(booking, refund_steps, request!.refund_policy, now);
    assertRefundAsShown(request!, { refund_minor: waivedMinor(unpaid, percent) });
    await cancelUnpaid(tx, booking, unpaid, percent, now);
    return { refund_minor: 0, returns_credits: plan.returns_credits, refund_ids: [] };
  }
  assertRefundAsShown(request!, plan);
  const { refund_minor: amount_minor } = plan;
  const amount = { amount_minor, purpose: 'cancellation', reason: reasonOf(booking, actor) } as const;
  return { ...plan, refund_ids: await createRefunds(tx, refundable, amount) };
}
