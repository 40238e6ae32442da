import { In, type DataSource } from 'typeorm';
import { CHECKOUT_TRANSITIONS, REQUEST_TRANSITIONS } from '../../domain/states.js';
import { maybeOne } from '../../db/query.js';
import { NOW } from '../../db/database-time.js';
import { BookingRequest } from '../../db/entities/bookings.js';
import { Checkout } from '../../db/entities/payments.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { returnHourCredits } from './hour-credits.js';

/**
 * Releases a reservation that was never published: the slot and the key are free again, and only the failed
 * request remains. Returns false if it was published or released in the meantime.
 */
export async function releaseReservation(tx: Tx, bookingId: string, failureCode: string): Promise<boolean> {
  const released = await maybeOne<Pick<BookingRow, 'member_id' | 'hour_credits_used' | 'hour_credit_grant'>>(
    tx,
    `DELETE FROM bookings WHERE id = $1 AND published_at IS NULL 
     RETURNING member_id, hour_credits_used, hour_credit_grant`,
    [bookingId],
  );
  if (!released) return false;
  await returnHourCredits(tx, released);
  const failed = {
    state: REQUEST_TRANSITIONS.fail.to,
    failure_code: failureCode,
    finished_at: NOW,
    client: null,
  };
  await tx.update(
    BookingRequest,
    { booking_id: bookingId, state: In(REQUEST_TRANSITIONS.fail.from) },
    failed,
  );
  const { from, to } = CHECKOUT_TRANSITIONS.abandon;
  await tx.update(Checkout, { booking_id: bookingId, state: In(from) }, { state: to, updated_at: NOW });
  return true;
}

/** Releases reservations that no request or run is processing any more, each in its own transaction. */
export async function releaseAbandoned(db: DataSource, bookingIds: string[]): Promise<void> {
  for (const id of bookingIds) await transaction(db, (tx) => releaseReservation(tx, id, 'abandoned'));
}
