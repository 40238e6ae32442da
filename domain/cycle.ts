import { DAY_MS, HOUR_MS } from './durations.js';
import { toInstant, knownZone, wallClock } from './time-zone.js';

/** Monthly cycles on calendar days. A day is `YYYY-MM-DD`, in the workspace's time zone. */
export type Day = string;

const LAST_ANCHOR_DAY = 28;

const parts = (day: Day): [number, number, number] => day.split('-').map(Number) as [number, number, number];

/** The day in UTC at an instant, or of a wall-clock time (milliseconds). */
export const utcDay = (at: number): Day => new Date(at).toISOString().slice(0, 10);

/** The number of days between two days. */
export const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The day after, or a number of days after. */
export const dayAfter = (day: Day, days = 1): Day => utcDay(Date.parse(day) + days * DAY_MS);

/** The day before. */
export const dayBefore = (day: Day): Day => dayAfter(day, -1);

/**
 * The period `[start, end)` that contains `day`. Periods begin on the anchor's day of each month; 29 to 31
 * count as 28 (docs/rules/billing.md#subscription-invoices).
 */
export function periodContaining(anchor: Day, day: Day): { start: Day; end: Day } {
  const anchorDay = Math.min(parts(anchor)[2], LAST_ANCHOR_DAY);
  const [year, month, date] = parts(day);
  const first = date < anchorDay ? month - 2 : month - 1;
  return {
    start: utcDay(Date.UTC(year, first, anchorDay)),
    end: utcDay(Date.UTC(year, first + 1, anchorDay)),
  };
}

/** The calendar month of a day, as `[start, end)`. */
export const calendarMonth = (day: Day): { start: Day; end: Day } => periodContaining('2000-01-01', day);

/** The month before that of a day. */
export const monthBefore = (day: Day): { start: Day; end: Day } =>
  calendarMonth(dayBefore(calendarMonth(day).start));

/** The calendar day at an instant. */
export const dayIn = (timeZone: string, at: Date): Day => utcDay(wallClock(at.getTime(), timeZone));

/** The instant at which a day begins. */
export const startOfDay = (day: Day, timeZone: string): Date =>
  new Date(toInstant(Date.parse(day), timeZone));

/** The easternmost clock is so far ahead of UTC. */
const EASTERNMOST_MS = 14 * HOUR_MS;

/** The day on the easternmost clock: no zone has a later one. */
export const latestDay = (now: Date): Day => utcDay(now.getTime() + EASTERNMOST_MS);

/**
 * A day of invoices begins at this time, on the workspace's clock
 * (docs/rules/billing.md#subscription-invoices).
 */
const BILLED_FROM_MS = 6 * HOUR_MS;

/** The day that is invoiced at an instant. Throws `UnknownTimeZone`. */
export const billingDay = (timeZone: string, now: Date): Day =>
  utcDay(wallClock(now.getTime(), knownZone(timeZone)) - BILLED_FROM_MS);
