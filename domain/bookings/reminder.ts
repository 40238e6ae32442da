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

/** What a reminder is about: the booking and its start, so that there is one for each start it has had. */
export const aboutReminder = (bookingId: string, startAt: Date): string =>
  `${bookingId}/${startAt.toISOString()}`;

/**
 * True if a reminder should still be sent. The booking may have been cancelled or moved in the meantime, and
 * its room may send none any more. `about`: what it is about.
 */
export const isReminderDue = (
  reminder: {
    about: string;
    booking_id: string;
    status: BookingStatus;
    no_show_at: Date | null;
    start_at: Date;
    reminder_hours: number | null;
  },
  now: Date,
): boolean =>
  reminder.status === 'confirmed' &&
  reminder.no_show_at === null &&
  reminder.reminder_hours !== null &&
  reminder.start_at > now &&
  reminder.about === aboutReminder(reminder.booking_id, reminder.start_at);
