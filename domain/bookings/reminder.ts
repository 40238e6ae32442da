import { HOUR_MS } from '../durations.js';
import type { BookingStatus } from '../states.js';

/**
 * Returns when the booker is reminded of a booking; null if its room sends no reminders, or if that time has
 * already passed. `now`: when the booking is confirmed or moved.
 */
export function reminderTime(
  { start_at, reminder_hours }: { start_at: Date; reminder_hours: number | null },
  now: Date,
): Date | null {
  if (reminder_hours === null) return null;
  const at = new Date(start_at.getTime() - reminder_hours * HOUR_MS);
  return at > now ? at : null;
}

/** True if a reminder should still be sent. The booking may have been cancelled or moved in the meantime. */
export const isReminderDue = (
  booking: {
    status: BookingStatus;
    no_show_at: Date | null;
    start_at: Date;
    reminder_hours: number | null;
  },
  now: Date,
): boolean =>
  booking.status === 'confirmed' &&
  booking.no_show_at === null &&
  booking.reminder_hours !== null &&
  booking.start_at > now &&
  booking.start_at.getTime() - booking.reminder_hours * HOUR_MS <= now.getTime();
