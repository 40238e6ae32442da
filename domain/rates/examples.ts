import { isClosed, buildPriceTerms, computeTotal, type PricedRoom } from './booking-price.js';
import {
  earliestEnd,
  isOpen,
  lengthLimits,
  openWindows,
  toWeekday,
  type BookableRoom,
  type Range,
  type Weekday,
} from '../bookings/slots.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.js';
import { countedMinutes, lineFrom, lineUntil } from '../rooms/grid.js';
import { toInstant, wallClock } from '../time-zone.js';
import type { TaxCode } from './price.js';
import { GUEST } from './rates.js';

type Room = PricedRoom & BookableRoom;

const WORKING_DAYS: Weekday[] = ['wed', 'thu', 'fri', 'mon', 'tue'];
/** An hour and an evening on a working day, and a day on the weekend, each on the first of its days. */
const EXAMPLES: [Weekday[], from: number, to: number][] = [
  [WORKING_DAYS, 10, 11],
  [WORKING_DAYS, 18, 21],
  [['sat', 'sun'], 9, 17],
];
const LONGEST_HOURS = 12;

/** The price of an example booking by a guest, tax included, in minor units; null for closed time. */
export interface RateExample {
  start_at: Date;
  end_at: Date;
  price_minor: number | null;
}

/** Returns an hour on a weekday at least a week after `now`, on the room's clock, in UTC milliseconds. */
function findHour(weekday: Weekday, hour: number, now: number, zone: string): number {
  let day = Math.floor(wallClock(now, zone) / DAY_MS) + 7;
  while (toWeekday(day) !== weekday) day++;
  return toInstant(day * DAY_MS + hour * HOUR_MS, zone);
}

/** Whether a room is open for guests during a time of a length that it allows. */
function isBookable(room: Room, range: Range, now: number): boolean {
  const { min, max } = lengthLimits(room);
  const minutes = range.end > range.start ? countedMinutes(range, room) : 0;
  return (
    minutes >= min &&
    minutes <= max &&
    isOpen(room, range) &&
    !isClosed(room, { range, audience: GUEST, now })
  );
}

/** Returns the time of a window that is most like the wanted one: its part of it, or its beginning. */
function fit(room: Room, window: Range, wanted: Range): Range {
  const from = wanted.start < window.end ? Math.max(wanted.start, window.start) : window.start;
  const start = lineFrom(from, room);
  const last = Math.min(wanted.end - wanted.start, lengthLimits(room).max * MINUTE_MS);
  const end = lineUntil(Math.min(start + last, window.end), room);
  return { start, end: Math.max(end, earliestEnd(start, room)) };
}

/** Returns up to three times at which guests can book a room by its hours and rates. */
export function exampleTimes(room: Room, now: number): Range[] {
  const times = EXAMPLES.flatMap(([weekdays, from, to]) => {
    const possible = weekdays.flatMap((weekday) => {
      const [start, end] = [from, to].map((hour) => findHour(weekday, hour, now, room.time_zone)) as [
        number,
        number,
      ];
      const windows = openWindows(room, { start: start - from * HOUR_MS, end: start + 2 * DAY_MS });
      return windows.map((window) => fit(room, window, { start, end }));
    });
    return possible.find((range) => isBookable(room, range, now)) ?? [];
  });
  return times.filter(
    ({ start, end }, n) => n === times.findIndex((t) => t.start === start && t.end === end),
  );
}

/** Returns the prices of bookings of a room at some times by its rates. `now`: UTC milliseconds. */
export function rateExamples(room: Room, taxCodes: TaxCode[], times: Range[], now: number): RateExample[] {
  const terms = buildPriceTerms(room, GUEST, taxCodes);
  return times.map((range) => {
    const closed = isClosed(room, { range, audience: GUEST, now });
    const price_minor = closed ? null : computeTotal(terms, range, now);
    return { start_at: new Date(range.start), end_at: new Date(range.end), price_minor };
  });
}

/**
 * Returns a booking that costs less than one that is a slot shorter, by the rates for guests on a Wednesday
 * and a Saturday when the room is open; null if there is none (docs/rules/rates.md#what-it-costs). `now`: UTC
 * milliseconds.
 */
export function cheaperThanShorter(room: Room, taxCodes: TaxCode[], now: number): Range | null {
  const terms = buildPriceTerms(room, GUEST, taxCodes);
  const slot = Math.max(30, room.slot_minutes) * MINUTE_MS;
  for (const weekday of ['wed', 'sat'] as const)
    for (let hour = 0; hour < 24; hour += 2) {
      const start = findHour(weekday, hour, now, room.time_zone);
      let last = 0;
      for (let end = start + slot; end <= start + LONGEST_HOURS * HOUR_MS; end += slot) {
        const total = computeTotal(terms, { start, end }, now);
        if (total < last && isBookable(room, { start, end }, now)) return { start, end };
        last = total;
      }
    }
  return null;
}
