import { setImmediate } from 'node:timers/promises';
import ical, { escape, foldLines, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { CalendarRow } from '../../db/repositories/bookings/calendar-queries.js';
import { calendarText, presentCalendarEntry } from '../../domain/presenters/calendar-entry.js';

const EOL = '\r\n';
const END = 'END:VCALENDAR';
const MAX_LINE_BYTES = 75;
const REFRESH_SECONDS = 3_600;
/** An entry takes some 35 µs to write. Others get their turn after this many. */
const ENTRIES_A_TURN = 200;

/** The library folds character by character, seven times slower than all the rest: it gets what is too long only. */
const fold = (line: string): string => (Buffer.byteLength(line) > MAX_LINE_BYTES ? foldLines(line) : line);

/** Who booked by name, but no mail address: a calendar goes on to places that we don't know. */
function describe(booking: CalendarRow): string {
  const lines = [`Booked by ${booking.booked_by}`, `Attendees: ${booking.attendees}`];
  return calendarText([...lines, ...(booking.notes ? ['', booking.notes] : [])].join('\n'));
}

/**
 * Writes bookings as an iCalendar document (RFC 5545): times in UTC, lines folded at 75 octets. It has no METHOD, so
 * a DTSTAMP says when the booking last changed, and the same bookings make the same document at any time. No
 * ORGANIZER or ATTENDEE either: they make calendars send mail. `own` is the member whose name needn't be said.
 */
export async function writeCalendar(
  workspaceName: string,
  bookings: CalendarRow[],
  own: string,
): Promise<string> {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    // The library writes a name as it is.
    name: escape(calendarText(workspaceName), false),
    ttl: REFRESH_SECONDS,
  });
  const parts = [calendar.toString().slice(0, -END.length)];
  for (const [index, booking] of bookings.entries()) {
    if (index % ENTRIES_A_TURN === ENTRIES_A_TURN - 1) await setImmediate();
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
