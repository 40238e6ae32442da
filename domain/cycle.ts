import { DAY_MS, HOUR_MS } from './durations.js';
import { toInstant, knownZone, wallClock } from './time-zone.js';

/** Monthly cycles on calendar days. A day is `YYYY-MM-DD`, in the workspace's time zone. */
export type Day = string;

const LAST_ANCHOR_DAY = 28;

const parts = (day: Day): [number, number, number] => day.split('-').map(Number) as [number, number, number];

/** Returns the UTC day of an instant, or the day of a wall-clock time (milliseconds). */
export const utcDay = (at: number): Day => new Date(at).toISOString().slice(0, 10);

/** The number of days between two days. */
export const daysBetween = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** Returns the day that is `days` days after a day, by default the next day. */
export const dayAfter = (day: Day, days = 1): Day => utcDay(Date.parse(day) + days * DAY_MS);

/** Returns the previous day. */
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

/** Returns the calendar month of a day, as `[start, end)`. */
export const calendarMonth = (day: Day): { start: Day; end: Day } => periodContaining('2000-01-01', day);

/** Returns the calendar month before the month of a day, as `[start, end)`. */
export const monthBefore = (day: Day): { start: Day; end: Day } =>
  calendarMonth(dayBefore(calendarMonth(day).start));

/** Returns the calendar day at an instant in a time zone. */
export const dayIn = (timeZone: string, at: Date): Day => utcDay(wallClock(at.getTime(), timeZone));

/** Returns the instant at which a day begins in a time zone. */
export const startOfDay = (day: Day, timeZone: string): Date =>
  new Date(toInstant(Date.parse(day), timeZone));

/** The time zone furthest ahead of UTC is UTC+14. */
const EASTERNMOST_MS = 14 * HOUR_MS;

/** Returns the current day in the time zone furthest ahead of UTC. No zone has a later day. */
export const latestDay = (now: Date): Day => utcDay(now.getTime() + EASTERNMOST_MS);

/**
 * A day's invoices are created from this time on, on the workspace's clock
 * (docs/rules/billing.md#subscription-invoices).
 */
const BILLED_FROM_MS = 6 * HOUR_MS;

/** Returns the day for which invoices are created at an instant. Throws `UnknownTimeZone`. */
export const billingDay = (timeZone: string, now: Date): Day =>
  utcDay(wallClock(now.getTime(), knownZone(timeZone)) - BILLED_FROM_MS);
