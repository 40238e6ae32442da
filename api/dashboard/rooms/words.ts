import type { Room } from '../../../db/rows.js';
import type { RefundStep } from '../../../domain/refund-policy.js';
import { WEEKDAYS, type OpeningHours, type Weekday } from '../../../domain/slots.js';

/** The days of a week from Monday on. */
export const WEEK: Weekday[] = [...WEEKDAYS.slice(1), WEEKDAYS[0]];

export const DAY_NAMES: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const hoursOfDay = (hours: OpeningHours, day: Weekday): string =>
  (hours[day] ?? []).map(([opens, closes]) => `${opens}–${closes}`).join(', ') || 'closed';

/** `Monday–Friday 08:00–20:00, Saturday–Sunday closed`. */
export function hoursInWords({ opening_hours: hours }: Pick<Room, 'opening_hours'>): string {
  if (!hours) return 'Always open';
  const spans: { from: Weekday; to: Weekday; open: string }[] = [];
  for (const day of WEEK) {
    const open = hoursOfDay(hours, day);
    const last = spans.at(-1);
    if (last?.open === open) last.to = day;
    else spans.push({ from: day, to: day, open });
  }
  return spans
    .map(({ from, to, open }) => {
      const days = from === to ? DAY_NAMES[from] : `${DAY_NAMES[from]}–${DAY_NAMES[to]}`;
      return `${days} ${open}`;
    })
    .join('; ');
}

const shareOf = (percent: number): string =>
  percent === 100 ? 'everything back' : percent === 0 ? 'nothing back' : `${percent} % back`;

function durationOf(hours: number): string {
  if (hours >= 48 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** A room's refund steps as sentences, earliest cancellation first (docs/rules/rooms.md#refund-steps). */
export function refundsInWords(steps: RefundStep[]): string[] {
  const sorted = steps.toSorted((a, b) => b.hours_before - a.hours_before);
  const until = sorted
    .filter(({ hours_before }) => hours_before > 0)
    .map(
      ({ hours_before, percent }) =>
        `Cancelled at least ${durationOf(hours_before)} before the start: ${shareOf(percent)}.`,
    );
  const last = sorted.find(({ hours_before }) => hours_before === 0);
  const rest = shareOf(last?.percent ?? 0);
  return [...until, until.length > 0 ? `Cancelled later: ${rest}.` : `Cancelled before the start: ${rest}.`];
}

const lengthOf = (minutes: number): string =>
  minutes % 60 === 0 ? (minutes === 60 ? '1 hour' : `${minutes / 60} hours`) : `${minutes} minutes`;

/** `30 minutes to 4 hours`. */
export function lengthsInWords({ min_minutes: min, max_minutes: max }: Room): string {
  if (min && max) return `${lengthOf(min)} to ${lengthOf(max)}`;
  if (min) return `at least ${lengthOf(min)}`;
  return max ? `at most ${lengthOf(max)}` : 'any length';
}
