import { BOOKING_TRANSITIONS, canMove, type ConfirmationSource } from '../../domain/states.js';
import type { Tx } from '../../db/transaction.js';
import { insertPayment, type ReceivedPayment } from '../payments/payments.js';
import { findSettlement, type Settlement } from '../../db/queries/payments/settlement.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking } from './bookings.js';
import { confirmBooking } from './confirm-booking.js';
import { expireBooking } from './expire-booking.js';
import { LOST_PAGE, publishBooking } from './publish-booking.js';
import { refuseLatePayment } from './late-payment.js';

/**
 * Settles a payment that the processor received for a booking (docs/rules/bookings.md#confirmation). It
 * confirms a pending booking whose time is not over. For any other booking it is a late payment, which is
 * refunded in full. Idempotent: repeated calls return the first outcome. Also returns the booking if this
 * call confirmed it.
 */
export async function settlePayment(
  tx: Tx,
  checkout: { owner_id: string; workspace_id: string },
  received: ReceivedPayment,
  source: ConfirmationSource | null,
): Promise<{ settlement: Settlement; confirmed: BookingRow | null }> {
  const locked = await lockBooking(tx, checkout.owner_id);
  const settled = isUnsettled(locked) ? null : await findSettlement(tx, received.payment_intent_id);
  if (settled) return { settlement: settled, confirmed: null };
  const booking = locked && (await published(tx, locked));
  const payment_id = await insertPayment(tx, {
    workspace_id: checkout.workspace_id,
    invoice_id: booking?.invoice_id ?? null,
    booking_id: booking?.id ?? null,
    kind: 'charge',
    received,
    source,
    checkout: checkout.owner_id,
  });
  if (booking && isUnsettled(booking)) {
    const at = new Date();
    if (booking.end_at > at) {
      const by = { source, paymentIntentId: received.payment_intent_id, at };
      const confirmed = await confirmBooking(tx, booking, by);
      return { settlement: { kind: 'confirmed', already: false, payment_id }, confirmed };
    }
    await expireBooking(tx, booking.id);
  }
  const payment = { id: payment_id, amount_minor: received.amount_minor };
  const settlement = await refuseLatePayment(tx, payment, { id: checkout.owner_id, row: booking });
  return { settlement, confirmed: null };
}

/**
 * True for a published booking that waits for its payment. Settling a payment confirms it in the same
 * transaction.
 */
const isUnsettled = (booking: BookingRow | null): boolean =>
  !!booking?.published_at && canMove(BOOKING_TRANSITIONS.confirm, booking.status);

/**
 * Returns the booking, published if necessary: if it was paid but is not published here, the record of its
 * publication was lost and its payer has the page.
 */
function published(tx: Tx, booking: BookingRow): Promise<BookingRow | null> | BookingRow {
  const isLost =
    !booking.published_at &&
    canMove(BOOKING_TRANSITIONS.confirm, booking.status) &&
    booking.end_at > new Date();
  return isLost ? publishBooking(tx, booking.id, { ...LOST_PAGE, is_paid: true }) : booking;
}
