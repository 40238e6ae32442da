import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import test from 'ava';
import fc from 'fast-check';
import { isEven, lineFrom, lineUntil, onGrid, type Grid } from '../../../domain/rooms/grid.js';
import { toInstant, wallClock } from '../../../domain/time-zone.js';
import { CHANGES, minuteOf2026To2030, readClock, zone } from '../../support/zones.js';

const utc = (text: string): number => Date.parse(`${text}Z`);
const grid = (slot_minutes: number, time_zone: string) => ({ slot_minutes, time_zone });

test('grid lines are counted from midnight, by the wall clock', (t) => {
  // Nepal is 5:45 ahead, so its half hours are quarter hours in UTC.
  t.true(onGrid(utc('2027-03-01T00:15'), grid(30, 'Asia/Kathmandu')));
  t.false(onGrid(utc('2027-03-01T00:00'), grid(30, 'Asia/Kathmandu')));
  t.false(onGrid(utc('2027-03-01T10:00') + 1, grid(30, 'UTC')), 'a millisecond off');
  t.false(onGrid(utc('2027-03-01T10:00') + 1_000, grid(30, 'UTC')), 'a second off');
});

test('on a grid of 3 hours the day of a clock change keeps its wall-clock lines', (t) => {
  const threeHours = grid(180, 'Europe/London');
  t.true(onGrid(utc('2027-03-28T00:00'), threeHours));
  t.true(onGrid(utc('2027-03-28T02:00'), threeHours), '03:00 BST');
  t.false(onGrid(utc('2027-03-28T03:00'), threeHours), '04:00 BST');
  t.true(onGrid(utc('2027-10-31T03:00'), threeHours), '03:00 GMT');
  t.false(onGrid(utc('2027-10-31T02:00'), threeHours), '02:00 GMT');
});

test('if clocks skip a grid line, the first instant after the gap counts as the line', (t) => {
  const afterGap = utc('2026-09-06T04:00'); // Santiago's 01:00, there is no 00:00
  t.true(onGrid(afterGap, grid(1440, 'America/Santiago')));
  t.true(onGrid(afterGap, grid(720, 'America/Santiago')));
  t.false(onGrid(afterGap + 30 * MINUTE_MS, grid(1440, 'America/Santiago')));
  t.false(onGrid(afterGap + HOUR_MS, grid(1440, 'America/Santiago')));
});

test('a grid is even if no clock change shifts its lines', (t) => {
  const march = [utc('2027-03-20T00:00'), utc('2027-04-03T00:00')] as const;
  const april = [utc('2027-04-01T00:00'), utc('2027-04-10T00:00')] as const;
  t.true(isEven(...march, grid(60, 'Europe/London')));
  t.false(isEven(...march, grid(45, 'Europe/London')));
  t.false(isEven(...march, grid(1440, 'Europe/London')));
  t.true(isEven(...march, grid(1440, 'UTC')));
  t.true(isEven(...april, grid(30, 'Australia/Lord_Howe')));
  t.false(isEven(...april, grid(60, 'Australia/Lord_Howe')));
  // Chatham's clocks go from 2:45 to 3:45, so the line of 3:00 is at 3:45.
  const september = [utc('2027-09-20T00:00'), utc('2027-09-30T00:00')] as const;
  t.false(isEven(...september, grid(60, 'Pacific/Chatham')));
  t.true(isEven(...september, grid(15, 'Pacific/Chatham')));
});

const slot = fc.constantFrom(1, 15, 30, 45, 60, 90, 180, 480, 720, 1440);

test('every local midnight is on every grid, in every zone', (t) => {
  fc.assert(
    fc.property(minuteOf2026To2030, zone, slot, (moment, name, minutes) => {
      const midnight = Math.floor(wallClock(moment, name) / DAY_MS) * DAY_MS;
      return onGrid(toInstant(midnight, name), grid(minutes, name));
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});

/** The lines found by stepping from each to the next. */
function linesBetween(start: number, end: number, grid: Grid): number[] {
  const lines: number[] = [];
  for (let line = lineFrom(start, grid); line <= end; line = lineFrom(line + 1, grid)) lines.push(line);
  return lines;
}

/** The lines of three days, found by checking every minute. */
function linesByMinute(from: number, slotMinutes: number, timeZone: string): number[] {
  const lines: number[] = [];
  let before = readClock(from - MINUTE_MS, timeZone);
  for (let instant = from; instant <= from + 3 * DAY_MS; instant += MINUTE_MS) {
    const wall = readClock(instant, timeZone);
    const line = Math.floor(wall / (slotMinutes * MINUTE_MS)) * slotMinutes * MINUTE_MS;
    if (line === wall || (wall - before > MINUTE_MS && line > before)) lines.push(instant);
    before = wall;
  }
  return lines;
}

test('the grid lines around every kind of clock change match the wall clock', (t) => {
  for (const [name, change] of CHANGES) {
    const from = utc(change) - DAY_MS - 7 * MINUTE_MS;
    for (const minutes of [8, 30, 45, 60, 180, 1440]) {
      const lines = linesByMinute(from, minutes, name);
      const what = `${name} ${change} ${minutes}`;
      t.deepEqual(linesBetween(from, from + 3 * DAY_MS, grid(minutes, name)), lines, what);
      for (const [index, line] of lines.entries()) {
        if (index === 0) continue;
        t.is(lineUntil(line, grid(minutes, name)), line, what);
        t.is(lineUntil(line - 1, grid(minutes, name)), lines[index - 1]!, what);
        t.is(lineFrom(lines[index - 1]! + 1, grid(minutes, name)), line, what);
      }
      const even = lines.every(
        (line, index) => index === 0 || lines[index - 1]! + minutes * MINUTE_MS === line,
      );
      t.is(isEven(lines[0]!, lines.at(-1)!, grid(minutes, name)), even, what);
    }
  }
});

test('the lines before and after any instant are on the grid, with none between them', (t) => {
  fc.assert(
    fc.property(
      minuteOf2026To2030,
      fc.integer({ min: 0, max: MINUTE_MS }),
      zone,
      slot,
      (minute, ms, name, minutes) => {
        const [instant, lines] = [minute + ms, grid(minutes, name)];
        const [before, after] = [lineUntil(instant, lines), lineFrom(instant, lines)];
        const none = lineFrom(before + 1, lines) === after && lineUntil(after - 1, lines) === before;
        return onGrid(instant, lines)
          ? before === instant && after === instant
          : before < instant && instant < after && onGrid(before, lines) && onGrid(after, lines) && none;
      },
    ),
    { numRuns: 5_000 },
  );
  t.pass();
});
