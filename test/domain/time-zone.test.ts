import test from 'ava';
import fc from 'fast-check';
import { DAY, instantOf, isTimeZone, onGrid, wallClock } from '../../domain/time-zone.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const utc = (text: string): number => Date.parse(`${text}Z`);
const dayLength = (date: string, zone: string): number =>
  (instantOf(utc(`${date}T00:00`) + DAY, zone) - instantOf(utc(`${date}T00:00`), zone)) / HOUR;

test('a day of a clock change has 23 or 25 hours, on Lord Howe 23.5 or 24.5', (t) => {
  t.is(dayLength('2027-03-27', 'Europe/London'), 24);
  t.is(dayLength('2027-03-28', 'Europe/London'), 23);
  t.is(dayLength('2027-10-31', 'Europe/London'), 25);
  t.is(dayLength('2027-10-03', 'Australia/Lord_Howe'), 23.5);
  t.is(dayLength('2027-04-04', 'Australia/Lord_Howe'), 24.5);
  t.is(dayLength('2026-09-06', 'America/Santiago'), 23);
});

test('a time that the clocks skip is moved past the gap by its length', (t) => {
  // London, 28 March 2027: 01:00 GMT is followed by 02:00 BST.
  t.is(instantOf(utc('2027-03-28T01:30'), 'Europe/London'), utc('2027-03-28T01:30'));
  t.is(wallClock(utc('2027-03-28T01:30'), 'Europe/London'), utc('2027-03-28T02:30'));
  // Santiago, 6 September 2026: midnight itself does not exist.
  const midnight = instantOf(utc('2026-09-06T00:00'), 'America/Santiago');
  t.is(midnight, utc('2026-09-06T04:00'));
  t.is(wallClock(midnight, 'America/Santiago'), utc('2026-09-06T01:00'));
});

test('a time that comes twice is the first of the two', (t) => {
  // London, 31 October 2027: 01:30 BST (00:30 UTC), then 01:30 GMT (01:30 UTC).
  t.is(instantOf(utc('2027-10-31T01:30'), 'Europe/London'), utc('2027-10-31T00:30'));
});

test('names of time zones are known, others are not', (t) => {
  for (const zone of ['Europe/London', 'UTC', 'Asia/Kathmandu']) t.true(isTimeZone(zone), zone);
  for (const zone of ['', 'Mars/Olympus', 'Europe/London ', 'a\0b']) t.false(isTimeZone(zone), zone);
});

test('the grid is counted from midnight by the wall clock', (t) => {
  // Nepal is 5:45 ahead: its half hours lie on the quarters of UTC.
  t.true(onGrid(utc('2027-03-01T00:15'), 30, 'Asia/Kathmandu'));
  t.false(onGrid(utc('2027-03-01T00:00'), 30, 'Asia/Kathmandu'));
  t.false(onGrid(utc('2027-03-01T10:00') + 1, 30, 'UTC'), 'a millisecond beside it');
  t.false(onGrid(utc('2027-03-01T10:00') + 1_000, 30, 'UTC'), 'a second beside it');
});

test('on a grid of 3 hours the day of a clock change keeps its wall-clock lines', (t) => {
  t.true(onGrid(utc('2027-03-28T00:00'), 180, 'Europe/London'));
  t.true(onGrid(utc('2027-03-28T02:00'), 180, 'Europe/London'), '03:00 BST');
  t.false(onGrid(utc('2027-03-28T03:00'), 180, 'Europe/London'), '04:00 BST');
  t.true(onGrid(utc('2027-10-31T03:00'), 180, 'Europe/London'), '03:00 GMT');
  t.false(onGrid(utc('2027-10-31T02:00'), 180, 'Europe/London'), '02:00 GMT');
});

test('where the clocks jump over a grid line, the first instant after the jump stands for it', (t) => {
  const afterGap = utc('2026-09-06T04:00'); // Santiago's 01:00, there is no 00:00
  t.true(onGrid(afterGap, 1440, 'America/Santiago'));
  t.true(onGrid(afterGap, 720, 'America/Santiago'));
  t.false(onGrid(afterGap + 30 * MINUTE, 1440, 'America/Santiago'));
  t.false(onGrid(afterGap + HOUR, 1440, 'America/Santiago'));
});

const ZONES = [
  'UTC',
  'Europe/London',
  'America/Santiago',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/St_Johns',
];
const zone = fc.constantFrom(...ZONES);
const minuteOf2026To2030 = fc
  .integer({ min: utc('2026-01-01T00:00') / MINUTE, max: utc('2030-01-01T00:00') / MINUTE })
  .map((minutes) => minutes * MINUTE);

test('a wall-clock reading leads back to its instant, or to the earlier one of the same reading', (t) => {
  fc.assert(
    fc.property(minuteOf2026To2030, zone, (instant, name) => {
      const back = instantOf(wallClock(instant, name), name);
      return back <= instant && instant - back <= HOUR && wallClock(back, name) === wallClock(instant, name);
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});

test('instants of later readings are never earlier, and no reading is lost', (t) => {
  fc.assert(
    fc.property(minuteOf2026To2030, zone, (wall, name) => {
      const instant = instantOf(wall, name);
      const shift = wallClock(instant, name) - wall;
      return shift >= 0 && shift <= HOUR;
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});

test('every local midnight is on every grid, in every zone, whatever the clocks do', (t) => {
  fc.assert(
    fc.property(
      minuteOf2026To2030,
      zone,
      fc.constantFrom(15, 30, 45, 60, 90, 720, 1440),
      (moment, name, slot) => {
        const midnight = Math.floor(wallClock(moment, name) / DAY) * DAY;
        return onGrid(instantOf(midnight, name), slot, name);
      },
    ),
    { numRuns: 3_000 },
  );
  t.pass();
});
