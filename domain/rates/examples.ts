import { isClosed, buildPriceTerms, computeTotal, type PricedRoom } from './booking-price.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.js';
import type { TaxCode } from './price.js';
import { toWeekday, type Range, type Weekday } from '../bookings/slots.js';
import { toInstant, wallClock } from '../time-zone.js';

const GUEST = { tier: null, company_id: null };
/** An hour and an evening on a working day, and a day on the weekend. */
const EXAMPLES: [Weekday, from: number, to: number][] = [
  ['wed', 10, 11],
  ['wed', 18, 21],
  ['sat', 9, 17],
];
const LONGEST_HOURS = 12;

/**
 * The price of an example booking by a guest, tax included, in minor units; null if the room is closed at
 * that time.
 */
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

/** Returns the prices of three example bookings of a room by its rates. `now`: UTC milliseconds. */
export function rateExamples(room: PricedRoom, taxCodes: TaxCode[], now: number): RateExample[] {
  const terms = buildPriceTerms(room, GUEST, taxCodes);
  return EXAMPLES.map(([weekday, from, to]) => {
    const range = {
      start: findHour(weekday, from, now, room.time_zone),
      end: findHour(weekday, to, now, room.time_zone),
    };
    const closed = isClosed(room, { range, audience: GUEST, now });
    const price_minor = closed ? null : computeTotal(terms, range, now);
    return { start_at: new Date(range.start), end_at: new Date(range.end), price_minor };
  });
}

/**
 * Returns a booking that costs less than one that is a slot shorter, by the rates for guests on a Wednesday
 * and a Saturday; null if there is none (docs/rules/rates.md#what-it-costs). `now`: UTC milliseconds.
 */
export function cheaperThanShorter(
  room: PricedRoom & { slot_minutes: number },
  taxCodes: TaxCode[],
  now: number,
): Range | null {
  const terms = buildPriceTerms(room, GUEST, taxCodes);
  const slot = Math.max(30, room.slot_minutes) * MINUTE_MS;
  for (const weekday of ['wed', 'sat'] as const)
    for (let hour = 0; hour < 24; hour += 2) {
      const start = findHour(weekday, hour, now, room.time_zone);
      let last = 0;
      for (let end = start + slot; end <= start + LONGEST_HOURS * HOUR_MS; end += slot) {
        const total = computeTotal(terms, { start, end }, now);
        if (total < last) return { start, end };
        last = total;
      }
    }
  return null;
}
