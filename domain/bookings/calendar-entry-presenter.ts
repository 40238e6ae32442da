import { visibleArrival, type Arrival } from '../rooms/arrival.js';
import type { BookingStatus } from '../states.js';
import type { Words } from '../words/words.js';

/** The input of `presentCalendarEntry`. */
export interface CalendarEntryFacts extends Arrival {
  id: string;
  reference: string;
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
 * A booking as a calendar entry (RFC 5545, VEVENT; docs/rules/bookings.md#calendar-feed) in the words of its
 * reader. The feed and the mails use the same entry, so a calendar that receives both shows it once.
 */
export function presentCalendarEntry(words: Words, booking: CalendarEntryFacts) {
  const { address, directions, access_notes } = visibleArrival(booking.status, booking);
  const notes = [directions, access_notes].flatMap((text) => (text ? ['', text] : []));
  return {
    id: `${booking.id}@holdfast`,
    sequence: booking.sequence,
    stamp: booking.updated_at,
    start: booking.start_at,
    end: booking.end_at,
    status: STATUS[booking.status],
    summary: calendarText(booking.room_name),
    location: calendarText(`${booking.room_name}, ${oneLine(address) || booking.workspace_name}`),
    description: calendarText([`${words.say('payer.reference')}: ${booking.reference}`, ...notes].join('\n')),
  };
}

const oneLine = (address: string | null): string => (address ?? '').trim().replace(/\s*\n\s*/g, ', ');

/** Removes the control characters that RFC 5545 cannot represent. Line breaks and tabs stay. */
export function calendarText(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '');
}
