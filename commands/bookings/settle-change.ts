import {
  UNPAID_CHANGE_STATES,
  type BookingStatus,
  type ChangeState,
  type ConfirmationSource,
} from '../../domain/states.js';
import type { Tx } from '../../db/transaction.js';
import { insertPayment, type ReceivedPayment } from '../billing/payments.js';
import { findSettlement, type Settlement } from '../../db/queries/billing/settlement.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import { endWithdrawnChange, lockChange } from './booking-changes.js';
import { lockBooking } from './bookings.js';
import { finishPaidChange, undoChange } from './change-booking.js';
import { refuseLatePayment } from './late-payment.js';
import { setPaid, withdrawUnpaidChanges } from './pending-changes.js';

/**
 * Settles the payment of a change's difference (docs/rules/bookings.md#charging-the-difference): it makes the change that
 * waits for it. If the change has ended without it, or its new time is over, the money is refunded in full. Idempotent:
 * repeated calls return the first outcome.
 */
export async function settleChange(
  tx: Tx,
  changeId: string,
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<Settlement> {
  const change = (await lockChange(tx, changeId))!;
  const booking = (await lockBooking(tx, change.booking_id))!;
  const settled = await findSettlement(tx, received.payment_intent_id);
  if (settled) return settled;
  const byLink = change.state === 'opening' || change.state === 'pending';
  if (pays(change, booking, received)) {
    if (change.plan!.move!.end_at > Date.now()) {
      const { payment_id } = await finishPaidChange(tx, change, received, byLink ? source : null);
      await setPaid(tx, changeId);
      return { kind: 'confirmed', already: false, payment_id };
    }
    if (byLink) await withdrawUnpaidChanges(tx, booking, [change], 'lapsed');
    else await undoChange(tx, change);
  }
  await endWithdrawnChange(tx, changeId);
  await setPaid(tx, changeId);
  const payment_id = await insertPayment(tx, {
    workspace_id: change.workspace_id,
    invoice_id: booking.invoice_id,
    booking_id: booking.id,
    kind: 'charge',
    received,
    source: null,
  });
  const payment = { id: payment_id, amount_minor: received.amount_minor };
  return refuseLatePayment(tx, payment, { id: booking.id, row: booking });
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
