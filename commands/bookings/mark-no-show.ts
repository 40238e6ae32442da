import { ApiError } from '../../domain/errors.js';
import type { Tx } from '../../db/transaction.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking, recordBookingEvent, updateBooking } from './bookings.js';

/** For how many days after its end a booking can be marked. */
const NO_SHOW_DAYS = 7;

/**
 * Marks a no-show (docs/rules/bookings.md#no-show): the status stays and nothing is refunded. A booking can be marked
 * from its start until a week after its end. Marking it again changes nothing.
 * Errors: 409 `booking_not_started`, `booking_not_editable`.
 */
export async function markNoShow(tx: Tx, id: string): Promise<BookingRow> {
  const booking = (await lockBooking(tx, id))!;
  if (booking.no_show_at) return booking;
  const now = new Date();
  if (booking.status !== 'confirmed' && booking.status !== 'completed') {
    const message = `A booking with status ${booking.status} cannot be marked as a no-show.`;
    throw new ApiError('booking_not_editable', message);
  }
  if (now < booking.start_at)
    throw new ApiError('booking_not_started', 'A no-show can be marked once the booking has started.');
  if (now.getTime() > booking.end_at.getTime() + NO_SHOW_DAYS * 86_400_000) {
    const message = `A no-show can be marked until ${NO_SHOW_DAYS} days after the end of the booking.`;
    throw new ApiError('booking_not_editable', message);
  }
  const marked = await updateBooking(tx, booking, { no_show_at: now, updated_at: now });
  await recordBookingEvent(tx, 'booking.no_show', marked);
  return marked;
}
