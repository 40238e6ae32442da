import { buildPriceTerms, computeTotal, type PricedRoom, type PriceTerms } from './booking-price.js';
import { DAY_MS, MINUTE_MS } from '../durations.js';
import { countedMinutes, lineFrom } from '../rooms/grid.js';
import type { TaxCode, Tier } from './price.js';
import { beginningOn } from './windows.js';
import { isNoticeMet, type Audience, type RoomRate } from './rates.js';
import { earliestEnd, lengthLimits, type BookableRoom, type Range } from '../bookings/slots.js';
import { spanAt } from '../utc-offsets.js';

/** Prices are compared at starts that are at least this many minutes apart. */
const LEAST_STEP = 15;
/**
 * The limits of the cache: rooms, days of each room, and the memory of all prices. A full cache is emptied.
 */
const MAX_ROOMS = 2_000;
const MAX_DAYS = 1_000;
const MAX_BYTES = 32 * 2 ** 20;

/** Prices by the slot of the day in which a booking starts; NaN if the price has not been computed yet. */
type DayPrices = Float64Array;

/**
 * The prices of a room, by the rates that are possible with the notice. Days have the same prices if the same
 * rates begin on them and on the days before and after.
 */
interface Prices {
  byRates: Map<string, DayPrices>;
  byDay: Map<number, DayPrices>;
}

/** Starts before `until` (and after the previous period) have the same rates by their notice. */
interface Period {
  until: number;
  prices: Prices;
}

type Room = PricedRoom & BookableRoom;

/**
 * The prices of rooms, keyed by everything that decides them. A change of rates increases the version in the
 * key.
 */
const cached = new Map<string, Map<string, Prices>>();
let bytes = 0;

function emptyCache(): void {
  cached.clear();
  bytes = 0;
}

/** Returns a day whose prices are not computed yet. */
function newDay(lines: number): DayPrices {
  const prices = new Float64Array(lines).fill(NaN);
  bytes += prices.byteLength;
  if (bytes > MAX_BYTES) emptyCache();
  return prices;
}

function getPrices(room: Room, terms: PriceTerms): Map<string, Prices> {
  const { id, rate_version, slot_minutes, min_minutes } = room;
  const { price_per_hour_minor, discount_percent, tax_rate_bps, currency, time_zone, table } = terms;
  const of = [id, rate_version, table?.audience.tier, slot_minutes, min_minutes, price_per_hour_minor];
  const key = [...of, discount_percent, tax_rate_bps, currency, time_zone].join();
  let prices = cached.get(key);
  if (!prices) {
    if (cached.size >= MAX_ROOMS) emptyCache();
    cached.set(key, (prices = new Map()));
  }
  return prices;
}

/** Returns the periods of starts that have the same rates by their notice, from `now` on. */
function noticePeriods(rates: RoomRate[], kept: Map<string, Prices>, now: number): Period[] {
  const bounds = rates.flatMap(({ notice }) => [
    ...((notice?.min_minutes ?? null) === null ? [] : [now + notice!.min_minutes! * MINUTE_MS]),
    ...((notice?.max_days ?? null) === null ? [] : [now + notice!.max_days! * DAY_MS + 1]),
  ]);
  const sorted = [...new Set(bounds)].sort((a, b) => a - b);
  return [...sorted, Infinity].map((until, index) => {
    const first = sorted[index - 1] ?? Math.min(now, until) - 1;
    const key = rates.flatMap((rate, n) => (isNoticeMet(rate, first - now) ? [n] : [])).join();
    let prices = kept.get(key);
    if (!prices) kept.set(key, (prices = { byRates: new Map(), byDay: new Map() }));
    return { until, prices };
  });
}

/**
 * Returns the price of the cheapest booking of the shortest length that starts in a range and ends by
 * `until`, tax included, in minor units; null if there is none. Call it with ranges in ascending order.
 */
export type FromPrice = (starts: Range, until: number) => number | null;

/**
 * Returns a function for the price of a time for a booker, tax included, in minor units; null if the
 * workspace no longer has the room's tax code. `now`: UTC milliseconds.
 */
export function pricesFor(
  room: PricedRoom,
  audience: Audience,
  taxCodes: TaxCode[],
  now: number,
): ((range: Range) => number) | null {
  if (!taxCodes.some(({ code }) => code === room.tax_code)) return null;
  const terms = buildPriceTerms(room, audience, taxCodes);
  return (range) => computeTotal(terms, range, now);
}

/**
 * Returns a function for prices of a room's free time for a tier (null for a guest;
 * docs/rules/rooms.md#availability); null if the workspace no longer has the room's tax code. `now`: UTC
 * milliseconds.
 */
export function computeFromPrice(
  room: Room,
  tier: Tier | null,
  taxCodes: TaxCode[],
  now: number,
): FromPrice | null {
  if (!taxCodes.some(({ code }) => code === room.tax_code)) return null;
  const terms = buildPriceTerms(room, { tier, company_id: null }, taxCodes);
  const { rates, time_zone } = room;
  const periods = noticePeriods(rates, getPrices(room, terms), now);
  const slot = room.slot_minutes * MINUTE_MS;
  const length = lengthLimits(room).min * MINUTE_MS;
  const longest = lengthLimits(room).max * MINUTE_MS;
  const isLong = length > DAY_MS;
  const evenLength = Math.ceil(length / slot) * slot;
  const linesADay = DAY_MS / slot;
  const linesAStep = Math.ceil(LEAST_STEP / room.slot_minutes);
  const evenStep = linesAStep * slot;
  // Grid lines are closer together where clocks go forward.
  const step = isLong ? DAY_MS : room.slot_minutes < LEAST_STEP ? LEAST_STEP * MINUTE_MS : 1;
  let period = 0;

  /** Returns the prices of a day, for bookings during which clocks do not change. */
  function pricesOnDay({ byRates, byDay }: Prices, day: number): DayPrices {
    const known = byDay.get(day);
    if (known) return known;
    const key = [day - 1, day, day + 1].map((each) => beginningOn(rates, each)).join(';');
    let prices = byRates.get(key);
    if (!prices) byRates.set(key, (prices = newDay(linesADay)));
    if (byDay.size >= MAX_DAYS) byDay.clear();
    byDay.set(day, prices);
    return prices;
  }

  const total = (start: number, end: number): number => computeTotal(terms, { start, end }, now);

  /**
   * Returns the lowest price of bookings that start between two grid lines, from the prices of days. Clocks
   * must not change until they end.
   */
  function leastOfDays(first: number, last: number, offset: number): number {
    let least = Infinity;
    let day = Math.floor((first + offset) / DAY_MS);
    let line = (first + offset - day * DAY_MS) / slot;
    let prices: DayPrices | null = null;
    for (let start = first; start <= last; start += evenStep, line += linesAStep) {
      if (line >= linesADay) {
        day++;
        line -= linesADay;
        prices = null;
      }
      if (start >= periods[period]!.until) {
        while (start >= periods[period]!.until) period++;
        prices = null;
      }
      prices ??= pricesOnDay(periods[period]!.prices, day);
      let price = prices[line]!;
      if (Number.isNaN(price)) prices[line] = price = total(start, start + evenLength);
      if (price < least) least = price;
    }
    return least;
  }

  /** Returns the lowest price for any times, without the prices of days. */
  function leastOfLines(first: number, { end: before }: Range, until: number): number {
    let least = Infinity;
    for (let start = first; start < before; start = lineFrom(start + step, room)) {
      const end = earliestEnd(start, room);
      if (end > until) break;
      if (countedMinutes({ start, end }, room) * MINUTE_MS <= longest)
        least = Math.min(least, total(start, end));
    }
    return least;
  }

  return (starts, until) => {
    const first = lineFrom(starts.start, room);
    let { offset, end } = spanAt(first, time_zone);
    for (let next; end <= until && (next = spanAt(end, time_zone)).offset === offset;) end = next.end;
    const isEven = !isLong && until < end && (first + offset) % slot === 0 && evenLength <= longest;
    const least = isEven
      ? leastOfDays(first, Math.min(starts.end - 1, until - evenLength), offset)
      : leastOfLines(first, starts, until);
    return least === Infinity ? null : least;
  };
}
