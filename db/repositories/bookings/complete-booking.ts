import { BOOKING_TRANSITIONS } from '../../../domain/states.js';
import type { Tx } from '../../transaction.js';
import { lockChargingChanges, withdrawChargingChanges } from './booking-changes.js';
import type { BookingRow } from './booking-queries.js';
import { lockBooking, recordBookingEvent, updateBooking } from './bookings.js';
import { releaseOtherSlots } from './slots.js';

/**
 * Completes a confirmed booking whose time is over. Its slot stays claimed for the turnaround, but not the slot of a change
 * that was not paid in time.
 */
export async function completeBooking(tx: Tx, id: string): Promise<BookingRow | null> {
  const charging = await lockChargingChanges(tx, id);
  const booking = await lockBooking(tx, id);
  if (booking?.status !== 'confirmed') return booking;
  const now = new Date();
  const completed = await updateBooking(tx, booking, {
    status: BOOKING_TRANSITIONS.complete.to,
    completed_at: now,
    updated_at: now,
  });
  await withdrawChargingChanges(tx, charging, 'The booking was over before its change was paid.');
  await releaseOtherSlots(tx, id);
  await recordBookingEvent(tx, 'booking.completed', completed);
  return completed;
}
