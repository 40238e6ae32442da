import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.js';

/**
 * Zones without summer time, with half and quarter hours, and with changes at midnight, at a quarter to, of
 * 30 minutes, and for Ramadan.
 */
export const ZONES = [
  'UTC',
  'Europe/London',
  'America/Santiago',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Antarctica/Troll',
  'Pacific/Apia',
  'America/St_Johns',
];
export const zone = fc.constantFrom(...ZONES);

export const minuteOf2026To2030 = fc
  .integer({ min: Date.UTC(2026, 0) / MINUTE_MS, max: Date.UTC(2030, 0) / MINUTE_MS })
  .map((minutes) => minutes * MINUTE_MS);

/** Clock changes of every kind, in UTC, and two moments without one. */
export const CHANGES: [string, string][] = [
  ['Europe/London', '2027-03-28T01:00'],
  ['Europe/London', '2027-10-31T01:00'],
  ['America/Santiago', '2027-09-05T04:00'],
  ['America/Santiago', '2027-04-04T03:00'],
  ['Australia/Lord_Howe', '2027-10-02T15:30'],
  ['Australia/Lord_Howe', '2027-04-03T15:00'],
  ['Pacific/Chatham', '2027-09-25T14:00'],
  ['Pacific/Chatham', '2027-04-03T14:00'],
  ['Antarctica/Troll', '2027-03-28T01:00'],
  ['Africa/Casablanca', '2027-02-07T02:00'],
  ['Asia/Kathmandu', '2027-02-07T02:00'],
];

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '45'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
/** The opening hours of a day, which may cross midnight. */
export const openHours = fc.array(fc.tuple(time, time), { maxLength: 3 });

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A zone's wall clock at an instant according to `Intl`, as if it were UTC milliseconds. */
export function readClock(instant: number, timeZone: string): number {
  const known = clocks.get(timeZone);
  const clock =
    known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  if (!known) clocks.set(timeZone, clock);
  return Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) + (instant % 1000);
}

/**
 * A zone's next clock change at least five days ahead, to the hour; just that time if the zone has no
 * changes.
 */
export function nextChange(timeZone: string): number {
  const first = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 5 * DAY_MS;
  const offsetAt = (instant: number): number => readClock(instant, timeZone) - instant;
  for (let day = first; day < first + 366 * DAY_MS; day += DAY_MS) {
    if (offsetAt(day) === offsetAt(day + DAY_MS)) continue;
    let hour = day;
    while (offsetAt(hour) === offsetAt(hour + HOUR_MS)) hour += HOUR_MS;
    return hour + HOUR_MS;
  }
  return first;
}
