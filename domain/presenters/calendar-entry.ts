import type { BookingStatus } from '../states.js';

/** What a calendar entry is made of. */
export interface CalendarEntryFacts {
  id: string;
  status: BookingStatus;
  sequence: number;
  start_at: Date;
  end_at: Date;
  updated_at: Date;
  room_name: string;
  workspace_name: string;
}

const STATUS = {
  pending_payment: 'TENTATIVE',
  confirmed: 'CONFIRMED',
  completed: 'CONFIRMED',
  cancelled: 'CANCELLED',
  expired: 'CANCELLED',
} as const satisfies Record<BookingStatus, string>;

/**
 * A booking as an entry of a calendar (RFC 5545, VEVENT; decisions.md, "Bookings"), the same in the feed and in the
 * mail, so that a calendar which gets both has it once. Times are instants.
 */
export function presentCalendarEntry(booking: CalendarEntryFacts) {
  return {
    id: `${booking.id}@holdfast`,
    sequence: booking.sequence,
    stamp: booking.updated_at,
    start: booking.start_at,
    end: booking.end_at,
    status: STATUS[booking.status],
    summary: calendarText(booking.room_name),
    location: calendarText(`${booking.room_name}, ${booking.workspace_name}`),
  };
}

/** Text without the control characters that RFC 5545 has no way to write; line breaks and tabs stay. */
export function calendarText(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '');
}
