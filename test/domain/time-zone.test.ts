import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import test from 'ava';
import fc from 'fast-check';
import { assertDayRange } from '../../domain/day-range.js';
import { ApiError } from '../../domain/errors.js';
import { toInstant, isZoneName, wallClock } from '../../domain/time-zone.js';
import { minuteOf2026To2030, readClock, zone } from '../support/zones.js';

const utc = (text: string): number => Date.parse(`${text}Z`);
const dayLength = (date: string, zone: string): number =>
  (toInstant(utc(`${date}T00:00`) + DAY_MS, zone) - toInstant(utc(`${date}T00:00`), zone)) / HOUR_MS;

/** How much clocks change around an instant: usually an hour, two on Troll, half an hour on Lord Howe. */
const changeAround = (instant: number, zone: string): number =>
  wallClock(instant + DAY_MS, zone) - wallClock(instant - DAY_MS, zone) - 2 * DAY_MS;

test('a day with a clock change has 23 or 25 hours, or 23.5 or 24.5 on Lord Howe', (t) => {
  t.is(dayLength('2027-03-27', 'Europe/London'), 24);
  t.is(dayLength('2027-03-28', 'Europe/London'), 23);
  t.is(dayLength('2027-10-31', 'Europe/London'), 25);
  t.is(dayLength('2027-10-03', 'Australia/Lord_Howe'), 23.5);
  t.is(dayLength('2027-04-04', 'Australia/Lord_Howe'), 24.5);
  t.is(dayLength('2026-09-06', 'America/Santiago'), 23);
});

test('a skipped time is moved past the gap by its length', (t) => {
  // London, 28 March 2027: 01:00 GMT is followed by 02:00 BST.
  t.is(toInstant(utc('2027-03-28T01:30'), 'Europe/London'), utc('2027-03-28T01:30'));
  t.is(wallClock(utc('2027-03-28T01:30'), 'Europe/London'), utc('2027-03-28T02:30'));
  // Santiago, 6 September 2026: midnight itself does not exist.
  const midnight = toInstant(utc('2026-09-06T00:00'), 'America/Santiago');
  t.is(midnight, utc('2026-09-06T04:00'));
  t.is(wallClock(midnight, 'America/Santiago'), utc('2026-09-06T01:00'));
});

test('a repeated time is the first of the two', (t) => {
  // London, 31 October 2027: 01:30 BST (00:30 UTC), then 01:30 GMT (01:30 UTC).
  t.is(toInstant(utc('2027-10-31T01:30'), 'Europe/London'), utc('2027-10-31T00:30'));
});

test('a range of local days is not too long because clocks go back in it', (t) => {
  const assertDays = (from: string, to: string, max: number, zone: string) =>
    assertDayRange({ from: new Date(from), to: new Date(to) }, max, zone);
  // October, and the fourth quarter, in London.
  const from = '2027-09-30T23:00:00Z';
  t.notThrows(() => assertDays(from, '2027-11-01T00:00:00Z', 31, 'Europe/London'));
  t.notThrows(() => assertDays(from, '2028-01-01T00:00:00Z', 92, 'Europe/London'));
  for (const to of ['2027-11-01T00:00:01Z', from])
    t.throws(() => assertDays(from, to, 31, 'Europe/London'), { instanceOf: ApiError });
  t.throws(() => assertDays(from, '2027-11-01T00:00:00Z', 31, 'UTC'), {
    message: 'to must be at most 31 days after from.',
  });
  // A month in which clocks go forward is an hour shorter.
  t.notThrows(() => assertDays('2027-03-01T00:00:00Z', '2027-04-01T00:00:00Z', 31, 'Europe/London'));
});

test('names of time zones are recognised, and others are not', (t) => {
  for (const zone of ['Europe/London', 'UTC', 'Asia/Kathmandu']) t.true(isZoneName(zone), zone);
  for (const zone of ['', 'Mars/Olympus', 'Europe/London ', 'a\0b']) t.false(isZoneName(zone), zone);
});

test('the wall clock agrees with the platform, to the millisecond and around every change', (t) => {
  fc.assert(
    fc.property(minuteOf2026To2030, fc.integer({ min: -1, max: 999 }), zone, (minute, ms, name) => {
      return wallClock(minute + ms, name) === readClock(minute + ms, name);
    }),
    { numRuns: 20_000 },
  );
  for (let hour = utc('2026-01-01T00:00'); hour < utc('2028-01-01T00:00'); hour += HOUR_MS)
    for (const name of ['Europe/London', 'America/Santiago', 'Africa/Casablanca'])
      for (const instant of [hour - 1, hour]) t.is(wallClock(instant, name), readClock(instant, name));
});

test('a wall-clock time converts back to its instant, or to the earlier one if it is repeated', (t) => {
  fc.assert(
    fc.property(minuteOf2026To2030, zone, (instant, name) => {
      const back = toInstant(wallClock(instant, name), name);
      const repeated = Math.max(0, -changeAround(instant, name));
      return (
        [instant, instant - repeated].includes(back) && wallClock(back, name) === wallClock(instant, name)
      );
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});

test('every wall-clock time has an instant, and a skipped one is moved by the length of the gap', (t) => {
  fc.assert(
    fc.property(minuteOf2026To2030, zone, (wall, name) => {
      const instant = toInstant(wall, name);
      const skipped = Math.max(0, changeAround(instant, name));
      return [wall, wall + skipped].includes(wallClock(instant, name));
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});
