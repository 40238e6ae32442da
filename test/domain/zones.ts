import fc from 'fast-check';

const MINUTE = 60_000;

/** Zones of every kind: no summer time, half and quarter hours, changes at midnight, at a quarter to, of 30 minutes, for Ramadan. */
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
  .integer({ min: Date.UTC(2026, 0) / MINUTE, max: Date.UTC(2030, 0) / MINUTE })
  .map((minutes) => minutes * MINUTE);

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a zone show at an instant, as the platform says it, written as if it were UTC milliseconds. */
export function readClock(instant: number, timeZone: string): number {
  const known = clocks.get(timeZone);
  const clock =
    known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  if (!known) clocks.set(timeZone, clock);
  return Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) + (instant % 1000);
}
