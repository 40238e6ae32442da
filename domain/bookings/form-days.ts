import { dayAfter, dayIn, startOfDay, utcDay, type Day } from '../cycle.js';
import { latestStart } from './slots.js';

/** The number of days whose free times a form shows: the day on which it opens and the days after it. */
export const FORM_DAYS = 7;

/** The day in the URL of a form, and the day on which the form had opened. */
export interface AskedDay {
  day?: string | string[];
  opened?: string | string[];
}

/** The days of a form that offers free times, in the room's time zone (docs/rules/rooms.md#forms). */
export interface FormDays {
  zone: string;
  /** `FORM_DAYS` days in order. */
  days: Day[];
  chosen: Day | undefined;
  /** The first and last day on which a booking may start. */
  first: Day;
  last: Day;
}

/**
 * Returns the days of a form, beginning with the chosen day if bookings may start on it, otherwise with the
 * day of `opens_at` or today.
 */
export function formDays(
  { day = '', opened }: AskedDay,
  { zone, now, opens_at = new Date(now) }: { zone: string; now: number; opens_at?: Date },
): FormDays {
  const first = dayIn(zone, new Date(now));
  const last = dayIn(zone, new Date(latestStart(now)));
  const asked = String(day);
  const isChosen = asked !== String(opened) && isDay(asked) && asked >= first && asked <= last;
  const from = isChosen ? asked : dayIn(zone, opens_at);
  const days = Array.from({ length: FORM_DAYS }, (_, n) => dayAfter(from, n));
  return { zone, days, chosen: isChosen ? asked : undefined, first, last };
}

/** True if a text is a day of the calendar, unlike 31 February. */
export function isDay(text: string): boolean {
  const at = Date.parse(text);
  return !Number.isNaN(at) && utcDay(at) === text;
}

/** Returns the instants at which the days of a form begin and end. */
export const formRange = ({ days, zone }: FormDays): { from: number; until: number } => ({
  from: startOfDay(days[0]!, zone).getTime(),
  until: startOfDay(dayAfter(days.at(-1)!), zone).getTime(),
});

/** The free times that a form offers, by day in the room's time zone. */
export interface OfferedDays {
  /** `FORM_DAYS` days in order, each with its starts. */
  days: Map<Day, Date[]>;
  day: Day;
  /** The same day if nobody chose it. The form sends it back, so that it is not mistaken for a choice. */
  opened: Day | undefined;
  starts: Date[];
  /** The first day with a free time. */
  next: Day | undefined;
  first: Day;
  last: Day;
}

/**
 * Groups the free starts in a form's range by day. The form shows the chosen day, otherwise the first day
 * with a free time.
 */
export function buildOfferedDays(
  { zone, days: inOrder, chosen, first, last }: FormDays,
  free: Date[],
): OfferedDays {
  const days = new Map(inOrder.map((day) => [day, [] as Date[]]));
  for (const start of free) days.get(dayIn(zone, start))!.push(start);
  const next = inOrder.find((day) => days.get(day)!.length > 0);
  const opened = chosen ? undefined : (next ?? inOrder[0]!);
  const day = chosen ?? opened!;
  return { days, day, opened, starts: days.get(day)!, next, first, last };
}
