import { formatDay } from '../../domain/display.js';
import { DAY_MS } from '../../domain/durations.js';

/*
 * Days of tests whose code compares with the clock: a day that is written out as text is past one day.
 */

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A day and some days, as `2027-01-13`. */
export const daysAfter = (day: string, days: number): string => isoDay(Date.parse(day) + days * DAY_MS);

/** The first day, two weeks from now or later, that is as asked, such as a Monday. */
export function nextDay(isAsAsked: (day: Date) => boolean): string {
  let day = daysAfter(isoDay(Date.now()), 14);
  while (!isAsAsked(new Date(day))) day = daysAfter(day, 1);
  return day;
}

const SUNDAY = 0;
const MONDAY = 1;
const WEDNESDAY = 3;
const OCTOBER = 9;
/** Months in which clocks in London show UTC on each day. */
const WINTER = [10, 11, 0, 1];

export const NEXT_MONDAY = nextDay((day) => day.getUTCDay() === MONDAY);

/** A Wednesday on which clocks in London show UTC, as on the days around it. */
export const WINTER_WEDNESDAY = nextDay(
  (day) => day.getUTCDay() === WEDNESDAY && WINTER.includes(day.getUTCMonth()),
);

/** The day on which clocks in London go back, at 01:00 UTC. */
export const CLOCKS_GO_BACK = nextDay(
  (day) => day.getUTCDay() === SUNDAY && day.getUTCMonth() === OCTOBER && day.getUTCDate() > 24,
);

/** A day as pages write it: `Wed 13 Jan 2027`, without its year if that is the current one. */
export const dayInWords = (day: string): string => formatDay(new Date(day), 'UTC', new Date());

/** A day as invoices write it: `13 January 2027`. */
export const dayOnDocuments = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
