import {
  assertRefundAsShown,
  toRefundChoice,
  waivedMinor,
  planRefund,
  refundedPercents,
  whyNotCancel,
  whyNotWaive,
  type CancellationRefund,
  type CancelRequest,
} from '../../domain/bookings/cancellation.js';
import type { ChangeOutcome } from '../../domain/bookings/change.js';
import { isUnproven } from '../../domain/bookings/origin.js';
import { whyNotRefundAtDesk } from '../../domain/payments/desk-refund.js';
import { refuse } from '../../domain/errors.js';
import type { RefundPolicy } from '../../domain/bookings/refund-policy.js';
import { BOOKING_TRANSITIONS } from '../../domain/states.js';
import { Room } from '../../db/entities/rooms.js';
import type { Tx } from '../../db/transaction.js';
import { voidInvoice } from '../invoices/lifecycle.js';
import { createRefunds, lockRefundable, refundReason } from '../payments/refunds.js';
import { enqueueMail, skipHeldMail, untilRefunded } from '../mail/mails.js';
import { releaseDiscount } from '../discounts/discounts.js';
import { audit } from '../audit-log/audit.js';
import { findCreditable } from '../../db/queries/invoices/creditable.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import { finishChange, lockUnpaidChanges } from './change/plan.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking, recordBookingEvent, releaseSlots, updateBooking } from './bookings.js';
import { cancelUnpaid, lockUnpaidInvoice } from './cancel-unpaid.js';
import { returnHourCredits } from './hour-credits.js';
import { endHold } from './public-guests.js';
import { withdrawUnpaidChanges } from './change/pay.js';

/**
 * Cancels a booking (docs/rules/bookings.md#cancellation): releases the slot, creates the refunds of the
 * policy or voids the invoice, and stores event, mail and audit entry. The booking's lock decides whether a
 * cancellation or a payment comes first: a payment that is settled later is a late payment. Cancelling again
 * changes nothing. Errors: 409 `booking_not_cancellable`.
 */
export async function cancelBooking(
  tx: Tx,
  change: BookingChange & { kind: 'cancel' },
): Promise<ChangeOutcome> {
  const unpaid = await lockUnpaidChanges(tx, change.booking_id);
  const booking = (await lockBooking(tx, change.booking_id))!;
  const takesEffect = booking.status !== 'cancelled';
  const refund_policy = chosenPolicy(change.request!);
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

/** Returns the policy of a cancellation, or `amount` if an amount was chosen. */
const chosenPolicy = (request: CancelRequest): RefundPolicy | 'amount' =>
  typeof toRefundChoice(request) === 'number' ? 'amount' : request.refund_policy;

async function cancel(
  tx: Tx,
  booking: BookingRow,
  change: BookingChange & { kind: 'cancel' },
): Promise<string[]> {
  const { notify_attendees, reason } = change.request!;
  const refund_policy = chosenPolicy(change.request!);
  const now = new Date();
  refuse(whyNotCancel(booking, now));
  const { refund_ids, refund_minor, returns_credits, staysDue } = await refund(tx, booking, change, now);
  if (returns_credits) await returnHourCredits(tx, booking);
  if (booking.status === 'pending_payment') await voidInvoice(tx, booking.invoice_id!, now);
  const wasFree = booking.price_minor === 0;
  if (wasFree ? returns_credits : !staysDue) await releaseDiscount(tx, booking.id);
  const cancelled = await updateBooking(tx, booking, {
    status: BOOKING_TRANSITIONS.cancel.to,
    cancelled_at: now,
    updated_at: now,
    sequence: booking.sequence + 1,
  });
  await releaseSlots(tx, booking.id);
  await recordBookingEvent(tx, 'booking.cancelled', cancelled);
  const { workspace_id, id } = booking;
  // A public guest entered this address. Without payment or proof it gets no further mail.
  if (isUnproven(booking)) {
    await skipHeldMail(tx, id);
    await endHold(tx, id, { isPaid: false });
  } else if (notify_attendees) {
    const delay_ms = untilRefunded(refund_ids);
    await enqueueMail(tx, { workspace_id, booking_id: id, kind: 'booking_cancelled', delay_ms });
  }
  const details = { reason, refund_policy, refund_minor, from: booking.status };
  const entry = { action: 'booking.cancelled', object: id, details };
  await audit(tx, { ...change.actor, workspace_id }, entry);
  return refund_ids;
}

async function refund(
  tx: Tx,
  booking: BookingRow,
  { actor, request }: BookingChange & { kind: 'cancel' },
  now: Date,
): Promise<CancellationRefund & { refund_ids: string[]; staysDue: boolean }> {
  const unpaid = await lockUnpaidInvoice(tx, booking);
  const refundable = await lockRefundable(tx, { booking_id: booking.id }, 'cancellation');
  const { refund_steps } = await tx.findOneByOrFail(Room, { id: booking.room_id });
  const facts = { booking, refundable, refund_steps, left: await findCreditable(tx, booking.id) };
  const choice = toRefundChoice(request!);
  if (request!.at_desk) {
    const limit = (await findWorkspace(tx, booking.workspace_id))!;
    refuse(whyNotRefundAtDesk({ ...facts, unpaid }, choice, limit, now));
  }
  const plan = planRefund(facts, choice, now);
  if (unpaid) {
    const percents = refundedPercents(booking, unpaid, refund_steps, choice, now);
    refuse(whyNotWaive(unpaid, choice, percents));
    assertRefundAsShown(request!, { refund_minor: waivedMinor(unpaid, percents) });
    const staysDue = await cancelUnpaid(tx, booking, unpaid, percents, now);
    return { refund_minor: 0, returns_credits: plan.returns_credits, refund_ids: [], staysDue };
  }
  assertRefundAsShown(request!, plan);
  const { refund_minor: amount_minor, credit } = plan;
  const amount = {
    amount_minor,
    credit,
    purpose: 'cancellation',
    reason: refundReason(booking, actor),
  } as const;
  return { ...plan, refund_ids: await createRefunds(tx, refundable, amount), staysDue: false };
}
