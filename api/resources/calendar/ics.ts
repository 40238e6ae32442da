import { setImmediate } from 'node:timers/promises';
import ical, { escape, foldLines, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { CalendarRow } from '../../../db/queries/bookings/calendar.js';
import { HOUR_SECONDS } from '../../../domain/durations.js';
import { calendarText, presentCalendarEntry } from '../../../domain/presenters/calendar-entry.js';

const EOL = '\r\n';
const END = 'END:VCALENDAR';
const MAX_LINE_BYTES = 75;
const REFRESH_SECONDS = HOUR_SECONDS;
/** Writing an entry takes about 35 µs. The event loop is released after this many. */
const ENTRIES_PER_TURN = 200;

/** The library folds character by character, seven times slower than everything else, so it only gets long lines. */
const fold = (line: string): string => (Buffer.byteLength(line) > MAX_LINE_BYTES ? foldLines(line) : line);

/** Names the booker but contains no email address, since calendars are shared further. */
function describe(booking: CalendarRow): string {
  const lines = [`Booked by ${booking.booked_by}`, `Attendees: ${booking.attendees}`];
  return calendarText([...lines, ...(booking.notes ? ['', booking.notes] : [])].join('\n'));
}

/**
 * Writes bookings as an iCalendar document (RFC 5545) with times in UTC and lines folded at 75 octets. Without a METHOD,
 * DTSTAMP is the time of the last change, so the same bookings always result in the same document. ORGANIZER and ATTENDEE
 * are omitted because they make calendars send mail. The summary of a booking by `own` does not name the booker.
 */
export async function writeCalendar(
  workspaceName: string,
  bookings: CalendarRow[],
  own: string,
): Promise<string> {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    // The library does not escape names.
    name: escape(calendarText(workspaceName), false),
    ttl: REFRESH_SECONDS,
  });
  const parts = [calendar.toString().slice(0, -END.length)];
  for (const [index, booking] of bookings.entries()) {
    if (index % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await setImmediate();
    const { summary, status, ...entry } = presentCalendarEntry(booking);
    const event = calendar.createEvent({
      ...entry,
      summary: booking.member_id === own ? summary : `${summary} – ${calendarText(booking.booked_by)}`,
      description: describe(booking),
      status: ICalEventStatus[status],
      transparency: status === 'CANCELLED' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    });
    parts.push(event.toString().split(EOL).map(fold).join(EOL));
  }
  return parts.join('') + END + EOL;
}
