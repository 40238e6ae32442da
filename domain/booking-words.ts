import { wallClock } from './time-zone.js';
import type { Words } from './words/words.js';

/** `Blue room, 1 Dec 2026, 10:00 – 12:00 (Europe/London)`, for payers and operators. Contains no personal data. */
export function describeBooking(booking: {
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
}): string {
  return `${booking.room_name}, ${formatTime(booking)}`;
}

/** A booked time in British English, in the room's zone. `Intl` would take 0.25 ms. */
export function formatTime(booking: { time_zone: string; start_at: Date; end_at: Date }): string {
  const { time_zone, start_at, end_at } = booking;
  const start = readingOf(start_at, time_zone);
  const end = readingOf(end_at, time_zone);
  const until = start.day === end.day ? `–${end.time}` : `\u2009–\u2009${end.day}, ${end.time}`;
  return `${start.day}, ${start.time}${until} (${time_zone})`;
}

/**
 * The description of a line with its days as the speakers of a language write them. Descriptions are stored in English, and are
 * the same in the books for every payer.
 */
export const describedIn = (words: Words, description: string): string =>
  words.language === 'en'
    ? description
    : description.replaceAll(DAY, (_, day: string, month: string, year: string) =>
        words.dayOfYear(new Date(Date.UTC(Number(year), MONTHS.indexOf(month), Number(day)))),
      );

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** `1 Dec 2026`, as `readingOf` writes it. */
const DAY = new RegExp(`\\b(\\d{1,2}) (${MONTHS.join('|')}) (\\d{4})\\b`, 'g');

/** Date and time of an instant in a zone: `1 Dec 2026` and `10:00`. */
function readingOf(at: Date, timeZone: string): { day: string; time: string } {
  const wall = new Date(wallClock(at.getTime(), timeZone));
  const day = `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`;
  return { day, time: wall.toISOString().slice(11, 16) };
}
