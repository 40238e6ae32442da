import type { PaymentRefusal } from '../../domain/payments/late-payment.js';
import { column } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { setRefusal } from '../payments/payments.js';
import { reserveRefund } from '../payments/refunds.js';
import type { Settlement } from '../../db/queries/payments/settlement.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';

/**
 * Refuses a stored payment that arrived too late to confirm its booking, and creates a refund of the full
 * amount (docs/rules/bookings.md#late-payments). The booking's row is null if creating it failed.
 */
export async function refuseLatePayment(
  tx: Tx,
  payment: { id: string; amount_minor: number },
  booking: { id: string; row: BookingRow | null },
): Promise<Settlement> {
  const conflicting = booking.row && (await findLiveBookingInSlot(tx, booking.row));
  const { amount_minor } = payment;
  const refusal: PaymentRefusal = {
    code: conflicting ? 'slot_already_paid' : 'payment_too_late',
    booking_id: booking.id,
    conflicting_booking_id: conflicting,
    refund_id: await reserveRefund(tx, payment.id, { amount_minor, purpose: 'late', reason: 'other' }),
  };
  await setRefusal(tx, payment.id, refusal);
  return { kind: 'refused', refusal };
}

/**
 * Returns the live booking in a booking's slot: the booking itself if it is live, otherwise one that excludes
 * it, or null.
 */
async function findLiveBookingInSlot(tx: Tx, booking: BookingRow): Promise<string | null> {
  const [id] = await column<string>(
    tx,
    `SELECT b.id
     FROM (SELECT booking_id FROM slot_claims WHERE room_id = $1 AND during && tstzrange($2, $3)
           UNION SELECT c.booking_id FROM part_claims_of($1, tstzrange($2, $3)) c) AS claims
     JOIN bookings b ON b.id = claims.booking_id
     WHERE b.status IN ('pending_payment', 'confirmed')
     ORDER BY b.id = $4 DESC LIMIT 1`,
    [booking.room_id, booking.start_at, booking.end_at, booking.id],
  );
  return id ?? null;
}
