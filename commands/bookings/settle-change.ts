import {
  UNPAID_CHANGE_STATES,
  type BookingStatus,
  type ChangeState,
  type ConfirmationSource,
} from '../../domain/states.js';
import type { ChangeAttempt } from '../../domain/payments/money-facts.js';
import type { Tx } from '../../db/transaction.js';
import { insertPayment, type ReceivedPayment } from '../payments/payments.js';
import { findSettlement, type Settlement } from '../../db/queries/payments/settlement.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockChange } from './booking-changes.js';
import { lockBooking } from './bookings.js';
import { undoChange } from './change-booking.js';
import { finishPaidChange } from './finish-paid-change.js';
import { refuseLatePayment } from './late-payment.js';
import { setPaid } from './change-attempts.js';
import { withdrawUnpaidChanges } from './pending-changes.js';

/** What a payment says that it is for. */
interface PaidChange {
  id: string;
  /** The booking. */
  owner_id: string;
  workspace_id: string;
  attempt: ChangeAttempt;
}

/**
 * Settles the payment of a change's difference (docs/rules/bookings.md#charging-the-difference): it makes
 * the change that waits for it. If the change has ended without it, or its new time is over, the money is
 * refunded in full. So it is if the change or the booking is lost, as after a restored backup.
 * Idempotent: repeated calls return the first outcome. Null, and nothing is stored, if the change is one
 * of another booking or workspace.
 */
export async function settleChange(
  tx: Tx,
  { id: changeId, owner_id, workspace_id, attempt }: PaidChange,
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<Settlement | null> {
  const change = await lockChange(tx, changeId);
  const booking = await lockBooking(tx, owner_id);
  const isOfOther =
    (change && change.booking_id !== owner_id) || (booking && booking.workspace_id !== workspace_id);
  const settled = await findSettlement(tx, received.payment_intent_id);
  if (settled) {
    // Stored without its attempt: nobody is to look at the attempt again.
    if (isOfOther) return settled;
    await setPaid(tx, changeId, attempt);
    // The money was that of another change, which is lost, and goes back.
    if (settled.kind === 'refused' && booking && change?.state === 'charging') await undoChange(tx, change);
    return settled;
  }
  if (isOfOther) return null;
  if (change && booking) {
    await setPaid(tx, changeId, attempt);
    const done = await makeChange(tx, change, booking, received, source);
    if (done) return done;
  }
  const payment_id = await insertPayment(tx, {
    workspace_id,
    invoice_id: booking?.invoice_id ?? null,
    booking_id: booking?.id ?? null,
    kind: 'charge',
    received,
    source: null,
  });
  const payment = { id: payment_id, amount_minor: received.amount_minor };
  return refuseLatePayment(tx, payment, { id: owner_id, row: booking });
}

/**
 * Makes the change that waits for a payment; null if it does not wait for it, or not any
 * more: then it has ended.
 */
async function makeChange(
  tx: Tx,
  change: BookingChange,
  booking: BookingRow,
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<Settlement | null> {
  const byLink = change.state === 'opening' || change.state === 'pending';
  if (pays(change, booking, received)) {
    if (change.plan!.move!.end_at > Date.now()) {
      const { payment_id } = await finishPaidChange(tx, change, {
        received,
        source: byLink ? source : null,
      });
      return { kind: 'confirmed', already: false, payment_id };
    }
    if (byLink) await withdrawUnpaidChanges(tx, booking, [change], 'lapsed');
    else await undoChange(tx, change);
  }
  return null;
}

/** True if the change waits for this amount in this currency. */
function pays(
  { state, plan }: BookingChange,
  booking: { status: BookingStatus; currency: string },
  received: ReceivedPayment,
): boolean {
  return (
    (UNPAID_CHANGE_STATES as readonly ChangeState[]).includes(state) &&
    booking.status === 'confirmed' &&
    received.amount_minor === plan!.move!.difference.total_minor &&
    received.currency === booking.currency
  );
}
