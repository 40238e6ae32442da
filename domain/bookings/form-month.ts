import { calendarMonth, dayAfter, dayBefore, dayIn, daysBetween, startOfDay, type Day } from '../cycle.js';
import { isDay } from './form-days.js';
import { latestStart } from './slots.js';

/** A month of the calendar: `2026-11`. */
export type Month = string;

/** The day or month in the URL of a form. A day that bookings may start on takes precedence. */
export interface AskedMonth {
  day?: string | string[];
  month?: string | string[];
}

/** The month whose free days a form shows, in the room's time zone (docs/rules/rooms.md#forms). */
export interface FormMonth {
  zone: string;
  month: Month;
  /** All days of the month, in order. */
  days: Day[];
  chosen: Day | undefined;
  /** Without a choice, the form opens on the first free day from here on. */
  opens: Day;
  today: Day;
  /** The months before and after in which bookings may start. */
  previous: Month | undefined;
  next: Month | undefined;
  /** What was asked for, if bookings may start then; empty for a form that opens by itself. */
  asked: { day?: Day; month?: Month };
}

const toMonth = (day: Day): Month => day.slice(0, 7);

/**
 * Returns the month of the chosen day, the month that was asked for, or the month of `opens_at` or today.
 * Days and months in which no booking can start are ignored.
 */
export function formMonth(
  { day = '', month = '' }: AskedMonth,
  { zone, now, opens_at = new Date(now) }: { zone: string; now: number; opens_at?: Date },
): FormMonth {
  const today = dayIn(zone, new Date(now));
  const last = dayIn(zone, new Date(latestStart(now)));
  const [asked, askedMonth] = [String(day), String(month)];
  const chosen = isDay(asked) && asked >= today && asked <= last ? asked : undefined;
  const isMonth = isDay(`${askedMonth}-01`) && askedMonth >= toMonth(today) && askedMonth <= toMonth(last);
  const opens = chosen ?? (isMonth ? `${askedMonth}-01` : dayIn(zone, opens_at));
  const { start, end } = calendarMonth(opens);
  return {
    zone,
    month: toMonth(opens),
    days: Array.from({ length: daysBetween(start, end) }, (_, n) => dayAfter(start, n)),
    chosen,
    opens,
    today,
    previous: start > today ? toMonth(dayBefore(start)) : undefined,
    next: end <= last ? toMonth(end) : undefined,
    asked: chosen ? { day: chosen } : isMonth ? { month: askedMonth } : {},
  };
}

/** Returns the instants at which the month of a form begins and ends. */
export const monthRange = ({ days, zone }: FormMonth): { from: number; until: number } => ({
  from: startOfDay(days[0]!, zone).getTime(),
  until: startOfDay(dayAfter(days.at(-1)!), zone).getTime(),
});

/** The free days of a month, and the free times of one of them. */
export interface OfferedMonth extends FormMonth {
  /** The days with a free time. */
  free: ReadonlySet<Day>;
  /** The chosen day, else the first free day; undefined if nothing was chosen and nothing is free. */
  day: Day | undefined;
  starts: Date[];
  /** The first free day after the chosen one. */
  nextFree: Day | undefined;
}

/** Finds the free days of a form's month, and the times of the day that it shows. `starts`: in order. */
export function buildOfferedMonth(form: FormMonth, starts: Date[]): OfferedMonth {
  const { zone, days, chosen, opens } = form;
  const byDay = new Map<Day, Date[]>();
  let at = 0;
  for (const day of days) {
    const end = startOfDay(dayAfter(day), zone);
    const from = at;
    while (at < starts.length && starts[at]! < end) at++;
    if (at > from) byDay.set(day, starts.slice(from, at));
  }
  const day = chosen ?? days.find((each) => each >= opens && byDay.has(each));
  return {
    ...form,
    free: new Set(byDay.keys()),
    day,
    starts: (day !== undefined && byDay.get(day)) || [],
    nextFree: chosen && days.find((each) => each > chosen && byDay.has(each)),
  };
}
