import { HOUR_MS } from '../durations.js';
import type { BookingStatus } from '../states.js';

/**
 * When the booker is reminded of a booking; null if its room reminds nobody, or if that time is over already.
 * `now`: when it is confirmed or moved.
 */
export function reminderTime(
  { start_at, reminder_hours }: { start_at: Date; reminder_hours: number | null },
  now: Date,
): Date | null {
  if (reminder_hours === null) return null;
  const at = new Date(start_at.getTime() - reminder_hours * HOUR_MS);
  return at > now ? at : null;
}

/**
 * Whether a reminder that is about to be sent still has a purpose: the booking may have been
 * cancelled or moved meanwhile.
 */
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
