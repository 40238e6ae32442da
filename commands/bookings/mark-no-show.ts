import { refuse } from '../../domain/errors.js';
import { whyNotMarkNoShow } from '../../domain/no-show.js';
import type { Tx } from '../../db/transaction.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking, recordBookingEvent, updateBooking } from './bookings.js';

/**
 * Marks a no-show (docs/rules/bookings.md#no-show): the status stays and nothing is refunded. A booking can be marked
 * from its start until a week after its end. Marking it again changes nothing.
 * Errors: 409 `booking_not_started`, `booking_not_editable`.
 */
export async function markNoShow(tx: Tx, id: string): Promise<BookingRow> {
  const booking = (await lockBooking(tx, id))!;
  if (booking.no_show_at) return booking;
  const now = new Date();
  refuse(whyNotMarkNoShow(booking, now));
  const marked = await updateBooking(tx, booking, { no_show_at: now, updated_at: now });
  await recordBookingEvent(tx, 'booking.no_show', marked);
  return marked;
}
