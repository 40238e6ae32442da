import { createHash } from 'node:crypto';
import ical, { escape, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { CalendarRow } from '../../../../db/queries/bookings/calendar.js';
import { takeTurns } from '../../../http/turns.js';
import { HOUR_SECONDS } from '../../../../domain/durations.js';
import type { BookingStatus } from '../../../../domain/states.js';
import { calendarText, presentCalendarEntry } from '../../../../domain/bookings/calendar-entry-presenter.js';
import { ENGLISH } from '../../../../domain/words/words.js';

const EOL = '\r\n';
const END = 'END:VCALENDAR';
const MAX_LINE_BYTES = 75;
const REFRESH_SECONDS = HOUR_SECONDS;
/** The maximum size of a document, in bytes. */
export const MAX_BYTES = 10 * 1024 * 1024;

/** A document in UTF-8, and the digest of it. */
export interface RenderedCalendar {
  document: Buffer;
  digest: string;
}

/** A document would be longer than `MAX_BYTES`. */
export class CalendarTooLong extends Error {
  override readonly name = 'CalendarTooLong';
}

/** Whether a UTF-8 byte continues a character. */
const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * Folds a line between characters. The library does it character by character, which takes
 * a hundred times as long.
 */
function fold(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
  const bytes = Buffer.from(line);
  const parts: string[] = [];
  for (let start = 0; start < bytes.length;) {
    // The space that begins a continued line counts.
    let end = start + MAX_LINE_BYTES - (start > 0 ? 1 : 0);
    while (continues(bytes[end])) end--;
    parts.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return parts.join(`${EOL} `);
}

/** Calendars get shared, so directions and access notes are only in the booker's own entries. */
const forOthers = { directions: null, access_notes: null };

/** The prefix of the title of a booking that does not take place. */
const ENDED: Partial<Record<BookingStatus, string>> = { cancelled: 'Cancelled', expired: 'Not paid in time' };

/** Names the booker but contains no email address, because calendars get shared. */
function describe(entry: string, booking: CalendarRow): string {
  const lines = [entry, `Booked by ${booking.booked_by}`, `Attendees: ${booking.attendees}`];
  if (booking.no_show_at) lines.push('Nobody came (no-show)');
  return calendarText([...lines, ...(booking.notes ? ['', booking.notes] : [])].join('\n'));
}

/**
 * Writes bookings as an iCalendar document (RFC 5545) with times in UTC and lines folded at 75 octets.
 * Without a METHOD, DTSTAMP is the time of the last change, so the same bookings always result in the same
 * document. ORGANIZER and ATTENDEE are omitted because they make calendars send mail. The summary of a
 * booking by `own` does not name the booker. Errors: `CalendarTooLong`.
 */
export async function writeCalendar(
  workspaceName: string,
  bookings: CalendarRow[],
  own: string,
): Promise<RenderedCalendar> {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    // The library does not escape names.
    name: escape(calendarText(workspaceName), false),
    ttl: REFRESH_SECONDS,
  });
  const parts: Buffer[] = [];
  const hash = createHash('sha256');
  const write = (text: string): void => {
    const part = Buffer.from(text);
    hash.update(part);
    parts.push(part);
  };
  write(calendar.toString().slice(0, -END.length));
  const turn = takeTurns();
  let bytes = 0;
  for (const booking of bookings) {
    await turn();
    const { summary, description, status, ...entry } = presentCalendarEntry(
      ENGLISH,
      booking.member_id === own ? booking : { ...booking, ...forOthers },
    );
    // For calendar programs that do not show the status.
    const title = [ENDED[booking.status], summary].filter(Boolean).join(': ');
    const event = calendar.createEvent({
      ...entry,
      summary: booking.member_id === own ? title : `${title} – ${calendarText(booking.booked_by)}`,
      description: describe(description, booking),
      status: ICalEventStatus[status],
      transparency: status === 'CANCELLED' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    });
    write(event.toString().split(EOL).map(fold).join(EOL));
    bytes += parts.at(-1)!.length;
    if (bytes > MAX_BYTES) throw new CalendarTooLong();
  }
  write(END + EOL);
  return { document: Buffer.concat(parts), digest: hash.digest('base64url') };
}
