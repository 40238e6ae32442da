import { calendarMonth, dayIn, startOfDay } from '../cycle.js';

/** A calendar month: `2026-11`. */
export type Month = string;

/** Returns the month of an instant in a time zone. */
export const monthIn = (timeZone: string, at: Date): Month => dayIn(timeZone, at).slice(0, 7);

/** Returns the instants `[from, to)` of a month in a time zone. */
export function monthRange(month: Month, timeZone: string): { from: Date; to: Date } {
  const { start, end } = calendarMonth(`${month}-01`);
  return { from: startOfDay(start, timeZone), to: startOfDay(end, timeZone) };
}
