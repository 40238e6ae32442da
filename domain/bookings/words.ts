import { DAY_MS } from '../durations.js';
import { wallClock } from '../time-zone.js';
import type { Words } from '../words/words.js';

/**
 * Describes a booking without personal data, for payers and operators: `Blue room, 1 Dec 2026, 10:00 – 12:00
 * (Europe/London)`.
 */
export function describeBooking(booking: {
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
}): string {
  return `${booking.room_name}, ${formatTime(booking)}`;
}

/**
 * A booked time in British English, in the room's zone. It is stored, and `describedIn` reads it again, so it
 * must not change with the version of `Intl`.
 */
export function formatTime(booking: { time_zone: string; start_at: Date; end_at: Date }): string {
  const { time_zone, start_at, end_at } = booking;
  const start = wallClock(start_at.getTime(), time_zone);
  const end = wallClock(end_at.getTime(), time_zone);
  const isOneDay = Math.floor(start / DAY_MS) === Math.floor(end / DAY_MS);
  const until = isOneDay
    ? `–${formatWallTime(end)}`
    : `\u2009–\u2009${formatWallDay(end)}, ${formatWallTime(end)}`;
  return `${formatWallDay(start)}, ${formatWallTime(start)}${until} (${time_zone})`;
}

/**
 * The description of a line in the reader's language: its days, and the service's own words about plans,
 * hour credits, discount codes, changes, cancellations and refunds are translated. Descriptions are stored in
 * English, and go to the accounting system like that.
 */
export function describedIn(words: Words, description: string): string {
  if (words.language === 'en') return description;
  return description
    .replace(MEMBERSHIP, (_, plan: string) => words.say('terms.membership', { plan }))
    .replace(UPGRADE, (_, from: string, to: string) => words.say('terms.upgrade', { from, to }))
    .replace(CREDITS, (_, hours: string) => words.say('terms.credits', { hours: Number(hours) }))
    .replace(OF_DOCUMENT, (_, about: keyof typeof OF_DOCUMENTS, number: string) =>
      words.say(OF_DOCUMENTS[about], { number }),
    )
    .replace(OF_CHANGE, (_, about: keyof typeof OF_CHANGES, what: string) =>
      words.say(OF_CHANGES[about], { what }),
    )
    .replace(CANCELLED, (_, what: string, percent: string) =>
      words.say('terms.cancelled_line', {
        what: describedIn(words, what),
        percent: words.number(Number(percent)),
      }),
    )
    .replace(OF_CODE, (_, code: string, percent?: string) =>
      percent === undefined
        ? words.say('terms.code_line', { code })
        : words.say('terms.code_percent', { code, percent: words.number(Number(percent)) }),
    )
    .replaceAll(FIRST_DAY, '$1 $2 –')
    .replaceAll(DAY, (_, day: string, month: string, year: string) =>
      words.dayOfYear(new Date(Date.UTC(Number(year), MONTHS.indexOf(month), Number(day)))),
    );
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];
const DAY_OF_MONTH = `\\d{1,2} (?:${MONTHS.join('|')})`;

/** A day as `formatWallDay` writes it: `1 Dec 2026`. */
const DAY = new RegExp(`\\b(\\d{1,2}) (${MONTHS.join('|')}) (\\d{4})\\b`, 'g');
/** The first day of a period within a year, and that year: `23 Nov – 22 Dec 2026`. */
const FIRST_DAY = new RegExp(`\\b(${DAY_OF_MONTH}) –(?= ${DAY_OF_MONTH} (\\d{4})\\b)`, 'g');
/** The beginnings of `membershipLine` and `upgradeLine`, and the whole text of `formatHourCredits`. */
const MEMBERSHIP = new RegExp(`^(.+) membership(?=, ${DAY_OF_MONTH}\\b)`);
const UPGRADE = new RegExp(`^Membership upgrade from (.+) to (.+)(?=, ${DAY_OF_MONTH}\\b)`);
const CREDITS = /^(\d+(?:\.\d+)?) hour credits?$/;
/** The beginnings of the lines that `issueDocuments` adds, before a document's number. */
const OF_DOCUMENTS = {
  'Refund of': 'terms.refund_of',
  'Dispute of a payment of': 'terms.dispute_of',
  'Returned after a dispute of a payment of': 'terms.dispute_returned',
  Cancels: 'terms.cancels',
} as const;
const OF_DOCUMENT = new RegExp(`^(${Object.keys(OF_DOCUMENTS).join('|')}) ([A-Z\\d]+(?:-[A-Z]?\\d+)+)$`);
/** The beginnings of the lines of `describedDifference`, longest first, before extras or a booking. */
const OF_CHANGES = {
  'Difference for the change to': 'terms.change_difference',
  'Difference for': 'terms.difference_for',
  'Instead of': 'terms.instead_of',
  'Changed to': 'terms.changed_to',
} as const;
const OF_CHANGE = new RegExp(`^(${Object.keys(OF_CHANGES).join('|')}) (.+)$`);
/** The line of a cancelled booking that stays due. */
const CANCELLED = /^Cancelled: (.+), (\d+(?:\.\d+)?) %$/;

/** The whole text of a line of `discountLines`. */
const OF_CODE = /^Code ([A-Z\d][A-Z\d_-]*)(?:, (\d+(?:\.\d+)?)%)?$/;

/** Writes the day of a wall-clock time: `1 Dec 2026`. */
function formatWallDay(wall: number): string {
  const day = new Date(wall);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** Writes the time of a wall-clock time: `10:00`. */
const formatWallTime = (wall: number): string => new Date(wall).toISOString().slice(11, 16);
