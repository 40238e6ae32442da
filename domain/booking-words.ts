import { DAY_MS } from './durations.js';
import { isoOf } from './instants.js';
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
  const start = wallClock(start_at.getTime(), time_zone);
  const end = wallClock(end_at.getTime(), time_zone);
  const isOneDay = Math.floor(start / DAY_MS) === Math.floor(end / DAY_MS);
  const until = isOneDay ? `–${timeOf(end)}` : `\u2009–\u2009${dayOf(end)}, ${timeOf(end)}`;
  return `${dayOf(start)}, ${timeOf(start)}${until} (${time_zone})`;
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

/** `1 Dec 2026`, as `dayOf` writes it. */
const DAY = new RegExp(`\\b(\\d{1,2}) (${MONTHS.join('|')}) (\\d{4})\\b`, 'g');

/** `1 Dec 2026`, of a wall-clock time. */
function dayOf(wall: number): string {
  const day = new Date(wall);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** `10:00`, of a wall-clock time. */
const timeOf = (wall: number): string => isoOf(wall).slice(11, 16);
