import { BOOKING_TRANSITIONS, canMove } from '../../domain/states.js';
import type { Tx } from '../../db/transaction.js';
import { lockUnpaidChanges } from './change/plan.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking, recordBookingEvent, updateBooking } from './bookings.js';
import { withdrawUnpaidChanges } from './change/pay.js';
import { releaseOtherSlots } from './slots.js';

/**
 * Completes a confirmed booking whose time is over; does nothing before that. Its slot stays claimed for the
 * turnaround. The slot of a change that was not paid in time is released.
 */
export async function completeBooking(tx: Tx, id: string): Promise<BookingRow | null> {
  const unpaid = await lockUnpaidChanges(tx, id);
  const booking = await lockBooking(tx, id);
  if (!booking || !canMove(BOOKING_TRANSITIONS.complete, booking.status)) return booking;
  const now = new Date();
  if (booking.end_at > now) return booking;
  await withdrawUnpaidChanges(tx, booking, unpaid, 'over');
  const completed = await updateBooking(tx, booking, {
    status: BOOKING_TRANSITIONS.complete.to,
    completed_at: now,
    updated_at: now,
  });
  await releaseOtherSlots(tx, id);
  await recordBookingEvent(tx, 'booking.completed', completed);
  return completed;
}
