import type { DataSource } from 'typeorm';
import type { BookingRow } from '../../db/repositories/bookings/booking-queries.js';
import { markNoShow as mark } from '../../db/repositories/bookings/mark-no-show.js';
import { transaction } from '../../db/transaction.js';

/**
 * `POST /v1/bookings/{id}/no-show` (decisions.md, "Bookings"): one transaction, since the booking's run may be over.
 * Marking again changes nothing. Errors: 409 `booking_not_started`, `booking_not_editable`.
 */
export function markNoShow(db: DataSource, booking: BookingRow): Promise<BookingRow> {
  return transaction(db, (tx) => mark(tx, booking.id));
}
