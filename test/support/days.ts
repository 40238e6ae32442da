import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_CARD } from '../../dev/processor/payments/cards.js';
import { formatDay } from '../../domain/display.js';
import type { Day } from '../../domain/cycle.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.js';

/*
 * Days for tests whose code compares with the clock: a fixed date would be in the past some day.
 */

const isoDay = (time: number): Day => new Date(time).toISOString().slice(0, 10);

/** A day plus a number of days, as `2027-01-13`. */
export const daysAfter = (day: string, days: number): string => isoDay(Date.parse(day) + days * DAY_MS);

/** The first day, two weeks or some other days from now or later, that matches, such as a Monday. */
export function nextDay(isAsAsked: (day: Date) => boolean, days = 14): string {
  let day = daysAfter(isoDay(Date.now()), days);
  while (!isAsAsked(new Date(day))) day = daysAfter(day, 1);
  return day;
}

/** A year from now, on the minute, as `2027-11-29T10:00:00.000Z`. */
export const IN_A_YEAR = `${daysAfter(isoDay(Date.now()), 365)}T10:00:00.000Z`;

/** The expiry of the tests' cards, the same as in the simulator. */
export const CARD_YEAR = DEFAULT_CARD.exp_year;
export const CARD_EXPIRY = `12 / ${CARD_YEAR % 100}`;

/** The minimum time left in a day or an hour when a test asks for the current one. */
const LEAST_LEFT_MS = 2 * MINUTE_MS;

/** The start of the current day or hour in UTC. In its last minutes, waits for the next. */
async function current(length: number): Promise<number> {
  const left = length - (Date.now() % length);
  if (left < LEAST_LEFT_MS) await sleep(left + 1);
  return Math.floor(Date.now() / length) * length;
}

/** Today in UTC, with some minutes left, as `2027-01-13`. */
export const today = async (): Promise<Day> => isoDay(await current(DAY_MS));

/** The current hour, with some minutes left. */
export async function runningHour(): Promise<{ start_at: string; end_at: string }> {
  const start = await current(HOUR_MS);
  return { start_at: new Date(start).toISOString(), end_at: new Date(start + HOUR_MS).toISOString() };
}

const SUNDAY = 0;
const MONDAY = 1;
const WEDNESDAY = 3;
const MARCH = 2;
const OCTOBER = 9;
/** Months in which clocks in London show UTC on each day. */
const WINTER = [10, 11, 0, 1];

export const NEXT_MONDAY = nextDay((day) => day.getUTCDay() === MONDAY);
/** That day in UTC, as a query. */
export const ON_NEXT_MONDAY = `from=${NEXT_MONDAY}T00:00:00Z&to=${daysAfter(NEXT_MONDAY, 1)}T00:00:00Z`;

/**
 * A Wednesday on which clocks in London show UTC, as on the days around it. Today is not on the pages of its
 * week and month, which differ then.
 */
export const WINTER_WEDNESDAY = nextDay(
  (day) => day.getUTCDay() === WEDNESDAY && WINTER.includes(day.getUTCMonth()),
  42,
);

/** The day on which clocks in London go forward, at 01:00 UTC. */
export const CLOCKS_GO_FORWARD = nextDay(
  (day) => day.getUTCDay() === SUNDAY && day.getUTCMonth() === MARCH && day.getUTCDate() > 24,
);

/** The day on which clocks in London go back, at 01:00 UTC. */
export const CLOCKS_GO_BACK = nextDay(
  (day) => day.getUTCDay() === SUNDAY && day.getUTCMonth() === OCTOBER && day.getUTCDate() > 24,
);

/** A day as pages show it: `Wed 13 Jan 2027`, without its year if that is the current one. */
export const formatDateAsPages = (day: string): string => formatDay(new Date(day), 'UTC', new Date());

/** A day as invoices show it: `13 January 2027`. */
export const dayOnDocuments = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
