import { groupBy } from '../group-by.js';
import { MINUTE_MS } from '../durations.js';
import { splitByRate, type RatedStretch } from './windows.js';
import type { RoomRate } from './rates.js';
import type { Range } from '../bookings/slots.js';

/**
 * What the minutes of one rate cost in a booking, before tier discounts. Costs are in sixtieths of a minor
 * unit, so that the price of a minute is a whole number.
 */
export interface RatedTime {
  /** Null for the room's hourly price. */
  rate: RoomRate | null;
  minutes: number;
  /** The number of its flat windows or days; null for an hourly rate. */
  times: number | null;
  cost60: number;
  /** From its first minute to its last; there can be other rates in between. */
  start: number;
  end: number;
}

/** The terms that decide the price of time. */
export interface RateTerms {
  /** The rates that apply, in order. Rates that close the room have no price. */
  rates: RoomRate[];
  price_per_hour_minor: number;
  time_zone: string;
}

type Stretch = RatedStretch<RoomRate>;

const sumMinutes = (stretches: Range[]): number =>
  stretches.reduce((sum, { start, end }) => sum + (end - start) / MINUTE_MS, 0);

/** Returns what time costs by the hourly rates among the given ones, without their limits. */
function hourlyCost60(time: Range[], { rates, price_per_hour_minor, time_zone }: RateTerms): number {
  const hourly = rates.filter(({ unit, closed }) => unit === 'hour' && !closed);
  return time
    .flatMap((range) => splitByRate(hourly, range, time_zone))
    .reduce((sum, each) => sum + sumMinutes([each]) * (each.rate?.amount_minor ?? price_per_hour_minor), 0);
}

/**
 * Returns the cost of one day or window of a day or flat rate. It is at most the price of the hours, unless
 * the rate is always charged.
 */
function flatCost60(rate: RoomRate, stretches: Stretch[], terms: RateTerms): number {
  const flat = rate.amount_minor * 60;
  if (rate.always) return flat;
  const after = terms.rates.slice(terms.rates.indexOf(rate) + 1);
  return Math.min(flat, hourlyCost60(stretches, { ...terms, rates: after }));
}

/** Returns what stretches of one rate cost, with its limits per day and per booking, and its minimum. */
function priceStretches(
  rate: RoomRate,
  stretches: Stretch[],
  terms: RateTerms,
): { cost60: number; times: number | null } {
  const { unit, amount_minor, day_cap_minor, cap_minor, minimum_minor } = rate;
  const occurrences = groupBy(stretches, ({ begun, day }) => (unit === 'flat' ? begun : day));
  const parts = [...occurrences.values()].map((each) => ({
    day: each[0]!.day,
    cost60: unit === 'hour' ? sumMinutes(each) * amount_minor : flatCost60(rate, each, terms),
  }));
  const ofDays = new Map<number, number>();
  for (const { day, cost60 } of parts) ofDays.set(day, (ofDays.get(day) ?? 0) + cost60);
  const limited = [...ofDays.values()].map((cost60) =>
    day_cap_minor === null ? cost60 : Math.min(cost60, day_cap_minor * 60),
  );
  const sum = limited.reduce((total, cost60) => total + cost60, 0);
  const capped = cap_minor === null ? sum : Math.min(sum, cap_minor * 60);
  return {
    cost60: Math.max(capped, (minimum_minor ?? 0) * 60),
    times: unit === 'hour' ? null : occurrences.size,
  };
}

/**
 * Returns the price of the time of a booking by rate, in the order in which the rates begin
 * (docs/rules/rates.md).
 */
export function priceTime(range: Range, terms: RateTerms): RatedTime[] {
  const priced = terms.rates.filter(({ closed }) => !closed);
  const groups = groupBy(splitByRate(priced, range, terms.time_zone), ({ rate }) => rate);
  return [...groups].map(([rate, stretches]) => {
    const minutes = sumMinutes(stretches);
    const cost = rate
      ? priceStretches(rate, stretches, { ...terms, rates: priced })
      : { cost60: minutes * terms.price_per_hour_minor, times: null };
    return { rate, minutes, ...cost, start: stretches[0]!.start, end: stretches.at(-1)!.end };
  });
}
