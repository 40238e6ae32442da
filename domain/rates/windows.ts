import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '../durations.js';
import type { RoomRate } from './rates.js';
import { mergeRanges, minuteOfDay, toWeekday, type Range } from '../bookings/slots.js';
import { spanAt } from '../utc-offsets.js';

/** A stretch of time with one rate. Days are counted from 1970-01-01 on the room's clock. */
export interface RatedStretch<Rate> extends Range {
  /** Null if no rate matches. */
  rate: Rate | null;
  /** The day on which the stretch is. */
  day: number;
  /** The day on which the rate's window began. After midnight, it is the previous day. */
  begun: number;
}

type Windowed = Pick<RoomRate, 'days' | 'from' | 'to' | 'dates'>;

/**
 * Returns when windows of a rate begin and end, in minutes after the midnight of the day on which they begin.
 */
function windowMinutes({ from, to }: Windowed): { from: number; to: number } {
  const [begins, ends] = [minuteOfDay(from ?? '00:00'), minuteOfDay(to ?? '00:00')];
  return { from: begins, to: ends > begins ? ends : ends + DAY_MINUTES };
}

const dayNumber = (date: string): number => Date.parse(date) / DAY_MS;

/** The facts of rates that are the same on all days. */
interface Prepared<Rate> {
  rate: Rate;
  from: number;
  to: number;
  firstDay: number;
  lastDay: number;
}

/** Cached for each rate: many times of one room are priced in a row, and rates are never changed in place. */
const prepared = new WeakMap<Windowed, Prepared<Windowed>>();

function prepare<Rate extends Windowed>(rate: Rate): Prepared<Rate> {
  let known = prepared.get(rate);
  if (!known) {
    const firstDay = rate.dates?.from ? dayNumber(rate.dates.from) : -Infinity;
    const lastDay = rate.dates?.to ? dayNumber(rate.dates.to) : Infinity;
    prepared.set(rate, (known = { rate, ...windowMinutes(rate), firstDay, lastDay }));
  }
  return known as Prepared<Rate>;
}

const beginsOn = ({ rate, firstDay, lastDay }: Prepared<Windowed>, day: number): boolean =>
  day >= firstDay && day <= lastDay && (rate.days === null || rate.days.includes(toWeekday(day)));

/**
 * Returns the positions of the rates whose windows begin on a day. Days with the same rates have the same
 * prices.
 */
export const beginningOn = (rates: RoomRate[], day: number): string =>
  rates.flatMap((rate, index) => (beginsOn(prepare(rate), day) ? [index] : [])).join();

/**
 * Splits a range by the rate of each minute: the first rate whose window contains it, on the room's clock
 * (docs/rules/rates.md). An hour that the clock repeats has the same rate twice; an hour that it skips does
 * not occur. The result is sorted and has no gaps.
 */
export function splitByRate<Rate extends Windowed>(
  rates: Rate[],
  range: Range,
  timeZone: string,
): RatedStretch<Rate>[] {
  const all = rates.map(prepare);
  const stretches: RatedStretch<Rate>[] = [];
  for (let at = range.start; at < range.end;) {
    const span = spanAt(at, timeZone);
    const day = Math.floor((at + span.offset) / DAY_MS);
    const midnight = day * DAY_MS - span.offset;
    const end = Math.min(range.end, span.end, midnight + DAY_MS);
    stretches.push(...stretchesOfDay(all, { start: at, end }, day, midnight));
    at = end;
  }
  return stretches;
}

/**
 * Returns the stretches of a part of one day, during which the clock does not change. `midnight`: the instant
 * of the day's midnight by the offset of that part.
 */
function stretchesOfDay<Rate extends Windowed>(
  prepared: Prepared<Rate>[],
  part: Range,
  day: number,
  midnight: number,
): RatedStretch<Rate>[] {
  const stretches: RatedStretch<Rate>[] = [];
  let left = [part];
  for (const each of prepared) {
    if (left.length === 0) break;
    for (const begun of [day, day - 1]) {
      const shift = midnight - (day - begun) * DAY_MS;
      const window = { start: shift + each.from * MINUTE_MS, end: shift + each.to * MINUTE_MS };
      if (window.end <= part.start || window.start >= part.end || !beginsOn(each, begun)) continue;
      for (const { start, end } of left) {
        const taken = { start: Math.max(start, window.start), end: Math.min(end, window.end) };
        if (taken.start < taken.end) stretches.push({ ...taken, rate: each.rate, day, begun });
      }
      left = left.flatMap(({ start, end }) => [
        ...(start < window.start ? [{ start, end: Math.min(end, window.start) }] : []),
        ...(end > window.end ? [{ start: Math.max(start, window.end), end }] : []),
      ]);
    }
  }
  for (const { start, end } of left) stretches.push({ start, end, rate: null, day, begun: day });
  return stretches.sort((a, b) => a.start - b.start);
}

/** Returns the merged time in a range in which the first matching rate closes the room. */
export const closedTime = (rates: RoomRate[], range: Range, timeZone: string): Range[] =>
  rates.some(({ closed }) => closed)
    ? mergeRanges(
        splitByRate(rates, range, timeZone)
          .filter(({ rate }) => rate?.closed)
          .map(({ start, end }) => ({ start, end })),
      )
    : [];
