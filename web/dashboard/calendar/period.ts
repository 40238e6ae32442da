import { calendarMonth, utcDay, type Day } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';

export type View = 'day' | 'week' | 'month';
export const VIEWS = ['day', 'week', 'month'] as const satisfies View[];

export interface CalendarQuery {
  /** If absent, a week of one room, or a day of all rooms. */
  view?: View | '';
  /** `YYYY-MM-DD`, in each room's zone; today if absent. The week and the month are those that contain it. */
  day?: string;
  /** All rooms if absent. */
  room_id?: string;
  /** Which of the pages of rooms; the first if absent, the last if there are fewer. */
  page?: number;
  /** Whether a day has all 24 hours, not only those in which its rooms are open. */
  all?: 'yes' | '';
}

export const chosenView = ({ view, room_id }: CalendarQuery): View => view || (room_id ? 'week' : 'day');

/** The days of a view. Midnights as if they were UTC. */
export interface Period {
  view: View;
  /** The day of the address. */
  day: number;
  first: number;
  /** How many days; a month is shown in whole weeks. */
  days: number;
  /** The days of the address of the periods before and after. */
  previous: number;
  next: number;
}

const WEEK = 7 * DAY_MS;
/** 1970 began on a Thursday. */
const findMonday = (midnight: number): number =>
  midnight - ((((midnight / DAY_MS + 3) % 7) + 7) % 7) * DAY_MS;

/** The month of a day, `[start, end)`. */
export function findMonth(day: number): { start: number; end: number } {
  const { start, end } = calendarMonth(utcDay(day));
  return { start: Date.parse(start), end: Date.parse(end) };
}

/** The period of a view that contains a day. Weeks begin on Monday. */
export function findPeriod(view: View, day: number): Period {
  if (view === 'day') return { view, day, first: day, days: 1, previous: day - DAY_MS, next: day + DAY_MS };
  if (view === 'week')
    return { view, day, first: findMonday(day), days: 7, previous: day - WEEK, next: day + WEEK };
  const { start, end } = findMonth(day);
  const first = findMonday(start);
  const days = (findMonday(end - DAY_MS) + WEEK - first) / DAY_MS;
  return { view, day, first, days, previous: findMonth(start - DAY_MS).start, next: end };
}

export const listDays = ({ first, days }: Pick<Period, 'first' | 'days'>): number[] =>
  Array.from({ length: days }, (_, index) => first + index * DAY_MS);

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `Mon 30 Nov`, `Mon 30 Nov – Sun 6 Dec` or `November 2026`. `dayName`: the name of a midnight. */
export function periodName(
  { view, day, first, days }: Period,
  dayName: (midnight: number) => string,
): string {
  if (view === 'month') return MONTH.format(day);
  return view === 'day' ? dayName(first) : `${dayName(first)} – ${dayName(first + (days - 1) * DAY_MS)}`;
}

/** The address of the calendar. `changes` of the query that is shown; what is empty is left out. */
export function calendarPath(
  home: string,
  query: CalendarQuery,
  day: number,
  changes: CalendarQuery = {},
): string {
  const { page, ...rest } = { ...query, ...changes };
  const named: [string, string | undefined][] = [
    ['view', chosenView(rest)],
    ['day', utcDay(day) satisfies Day],
    ['room_id', rest.room_id],
    ['page', page && page > 1 ? String(page) : ''],
    ['all', rest.all],
  ];
  const set = named.flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `${home}/calendar?${new URLSearchParams(set)}`;
}
