import type { Room } from '../../../db/entities/rooms.js';
import { WEEKDAYS, type OpeningHours, type Weekday } from '../../../domain/bookings/slots.js';

export { describeRefundSteps } from '../../../domain/bookings/refund-words.js';

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

/** `Mon` */
export const shortDay = (day: Weekday): string => DAY_NAMES[day].slice(0, 3);

const hoursOfDay = (hours: OpeningHours, day: Weekday): string =>
  (hours[day] ?? [])
    .map(([opens, closes]) => (opens === '00:00' && closes === opens ? 'all day' : `${opens}–${closes}`))
    .join(', ') || 'closed';

/** `Monday–Friday 08:00–20:00, Saturday–Sunday closed`. */
export function describeOpeningHours({
  opening_hours: hours,
}: {
  opening_hours?: OpeningHours | null;
}): string {
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

export const formatLength = (minutes: number): string =>
  minutes % 60 === 0 ? (minutes === 60 ? '1 hour' : `${minutes / 60} hours`) : `${minutes} minutes`;

/** `30 minutes to 4 hours`. */
export function formatLengths({ min_minutes: min, max_minutes: max }: Room): string {
  if (min && max) return `${formatLength(min)} to ${formatLength(max)}`;
  if (min) return `at least ${formatLength(min)}`;
  return max ? `at most ${formatLength(max)}` : 'any length';
}
