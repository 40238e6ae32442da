import { longestOffer } from '../../../domain/bookings/offered-times.js';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { ApiError, type ErrorCode } from '../../../domain/errors.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertOpen,
  assertTierAllowed,
  elapsedMinutes,
  openWindows,
  type BookableRoom,
  type OpeningHours,
} from '../../../domain/bookings/slots.js';
import { toInstant } from '../../../domain/time-zone.js';
import { daysAfter, NEXT_MONDAY } from '../../support/days.js';
import { openHours } from '../../support/zones.js';

const utc = (text: string): number => Date.parse(`${text}Z`);
const range = (start: string, end: string) => ({ start: utc(start), end: utc(end) });

function buildRoom(overrides: Partial<BookableRoom> = {}): BookableRoom {
  return {
    time_zone: 'Europe/London',
    slot_minutes: 30,
    min_minutes: null,
    max_minutes: null,
    capacity: null,
    opening_hours: null,
    tiers: null,
    archived: false,
    ...overrides,
  };
}

function refuses(t: ExecutionContext, work: () => void, code: ErrorCode, context?: object) {
  const error = t.throws(work, { instanceOf: ApiError });
  t.is(error.code, code);
  if (context) t.like(error.context, context);
}

const formatWindows = (hours: OpeningHours, zone: string, from: string, to: string): string[] =>
  openWindows(buildRoom({ opening_hours: hours, time_zone: zone }), range(from, to)).map(
    ({ start, end }) =>
      `${new Date(start).toISOString().slice(0, 16)} ${new Date(end).toISOString().slice(11, 16)}`,
  );

test('opening hours are wall-clock time, so they move in UTC when clocks change', (t) => {
  const hours: OpeningHours = { sat: [['08:00', '20:00']], sun: [['08:00', '20:00']] };
  t.deepEqual(formatWindows(hours, 'Europe/London', '2027-03-27T00:00', '2027-03-29T00:00'), [
    '2027-03-27T08:00 20:00',
    '2027-03-28T07:00 19:00',
  ]);
});

test('a window across a clock change is an hour shorter or longer in elapsed time', (t) => {
  const allDay: OpeningHours = { sun: [['00:00', '00:00']] };
  const length = (date: string) => {
    const room = buildRoom({ opening_hours: allDay });
    const [window] = openWindows(room, { start: utc(`${date}T12:00`), end: utc(`${date}T13:00`) });
    return elapsedMinutes(window!) / 60;
  };
  t.is(length('2027-03-21'), 24);
  t.is(length('2027-03-28'), 23);
  t.is(length('2027-10-31'), 25);
});

test('opening hours across midnight belong to the day they begin on and merge with those of the next day', (t) => {
  const night: OpeningHours = { fri: [['20:00', '02:00']] };
  t.deepEqual(formatWindows(night, 'UTC', '2027-03-05T00:00', '2027-03-07T00:00'), [
    '2027-03-05T20:00 02:00',
  ]);
  t.deepEqual(formatWindows(night, 'UTC', '2027-03-06T01:00', '2027-03-06T03:00'), [
    '2027-03-05T20:00 02:00',
  ]);
  const seamless: OpeningHours = { fri: [['18:00', '00:00']], sat: [['00:00', '06:00']] };
  const room = buildRoom({ opening_hours: seamless, time_zone: 'UTC' });
  t.notThrows(() => assertOpen(room, range('2027-03-05T23:00', '2027-03-06T01:00')));
  refuses(t, () => assertOpen(room, range('2027-03-06T05:30', '2027-03-06T06:30')), 'slot_unavailable', {
    details: { reason: 'closed' },
  });
});

test('hours that begin at a skipped midnight begin at the first instant of the day', (t) => {
  // Santiago, Sunday 6 September 2026: 23:59:59 (-04) is followed by 01:00 (-03).
  t.deepEqual(
    formatWindows({ sun: [['00:00', '06:00']] }, 'America/Santiago', '2026-09-06T00:00', '2026-09-06T12:00'),
    ['2026-09-06T04:00 09:00'],
  );
});

test('a day without hours and an archived room are closed, and a room without opening hours is always open', (t) => {
  const monday = range('2027-03-01T10:00', '2027-03-01T11:00');
  t.notThrows(() => assertOpen(buildRoom(), monday));
  for (const opening_hours of [{}, { mon: [] }, { tue: [['00:00', '00:00']] } as OpeningHours])
    refuses(t, () => assertOpen(buildRoom({ opening_hours }), monday), 'slot_unavailable');
  refuses(t, () => assertOpen(buildRoom({ archived: true }), monday), 'slot_unavailable');
});

test('a booking must lie in one window, not in two with a break between them', (t) => {
  const room = buildRoom({
    opening_hours: {
      mon: [
        ['08:00', '12:00'],
        ['13:00', '17:00'],
      ],
    },
    time_zone: 'UTC',
  });
  t.notThrows(() => assertOpen(room, range('2027-03-01T08:00', '2027-03-01T12:00')));
  refuses(t, () => assertOpen(room, range('2027-03-01T11:00', '2027-03-01T14:00')), 'slot_unavailable');
});

test('lengths are elapsed minutes, also on the day of a clock change', (t) => {
  const room = buildRoom({ min_minutes: 60, max_minutes: 120 });
  // 00:00 GMT to 03:00 BST on the 23-hour day: two hours.
  t.notThrows(() => assertFitsRoom(room, range('2027-03-28T00:00', '2027-03-28T02:00'), 1));
  // 01:30 BST to 01:30 GMT on the 25-hour day: one hour, though the wall clock shows none.
  t.notThrows(() => assertFitsRoom(room, range('2027-10-31T00:30', '2027-10-31T01:30'), 1));
  refuses(
    t,
    () => assertFitsRoom(room, range('2027-10-30T23:00', '2027-10-31T02:00'), 1),
    'validation_failed',
    {
      param: 'end_at',
    },
  );
});

test('public guests are offered the maximum of a room, or a day of its local time', (t) => {
  t.is(longestOffer(buildRoom({ max_minutes: 90 }), utc('2027-06-01T09:00')), 90);
  t.is(longestOffer(buildRoom(), utc('2027-06-01T09:00')), 1_440);
  t.is(longestOffer(buildRoom(), utc('2027-10-30T12:00')), 1_500, 'clocks go back');
});

test('a booking must start in the future, at most 730 days ahead, and end after its start', (t) => {
  const now = utc('2027-01-01T00:00');
  const from = (start: number) => ({ start, end: start + HOUR_MS });
  t.notThrows(() => assertBookableTime(from(now + 1), now));
  t.notThrows(() => assertBookableTime(from(now + 730 * 24 * HOUR_MS), now));
  refuses(t, () => assertBookableTime(from(now), now), 'validation_failed', { param: 'start_at' });
  refuses(t, () => assertBookableTime(from(now + 730 * 24 * HOUR_MS + 1), now), 'validation_failed', {
    param: 'start_at',
  });
  refuses(
    t,
    () => assertBookableTime({ start: now + HOUR_MS, end: now + HOUR_MS }, now),
    'validation_failed',
    {
      param: 'end_at',
    },
  );
});

test('a booking lasts at most a year, which a room booked by days counts in days of its clock', (t) => {
  const book = (room: BookableRoom, start: number, end: number) => () => {
    assertBookableTime({ start, end }, start - 1);
    assertFitsRoom(room, { start, end }, 1);
  };
  const byMinutes = buildRoom({ slot_minutes: 1 });
  const noon = Date.parse(`${NEXT_MONDAY}T12:00Z`);
  t.notThrows(book(byMinutes, noon, noon + 365 * DAY_MS));
  refuses(t, book(byMinutes, noon, noon + 365 * DAY_MS + 60_000), 'validation_failed', { param: 'end_at' });
  const byDays = buildRoom({ slot_minutes: 1_440 });
  const lengths = new Set<number>();
  // Clocks go back 52 or 53 weeks after the last time: a year can begin before and end after it.
  for (let day = 0; day < 3_000; day++) {
    const midnight = (days: number) => toInstant(Date.parse(daysAfter(NEXT_MONDAY, days)), byDays.time_zone);
    const [start, end] = [midnight(day), midnight(day + 365)];
    lengths.add(elapsedMinutes({ start, end }));
    book(byDays, start, end)();
    const error = t.throws(book(byDays, start, midnight(day + 366)), { instanceOf: ApiError });
    t.is(error.message, 'A booking of this room can last at most 365 days.');
  }
  t.deepEqual(
    [...lengths].sort((a, b) => a - b),
    [525_540, 525_600, 525_660],
  );
});

test('a room for certain tiers refuses other tiers and guests', (t) => {
  const room = buildRoom({ tiers: ['pro'] });
  t.notThrows(() => assertTierAllowed(room, 'pro'));
  refuses(t, () => assertTierAllowed(room, 'basic'), 'tier_not_allowed');
  refuses(t, () => assertTierAllowed(room, null), 'tier_not_allowed');
  t.notThrows(() => assertTierAllowed(buildRoom(), null));
});

const week = fc.record({ mon: openHours, tue: openHours, wed: openHours, sat: openHours, sun: openHours });

test('open windows are sorted, not empty, and never overlap or meet, in any zone and week', (t) => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/London',
    'America/Santiago',
    'Africa/Cairo',
    'Australia/Lord_Howe',
  );
  const start = fc.integer({
    min: utc('2026-01-01T00:00') / HOUR_MS,
    max: utc('2029-01-01T00:00') / HOUR_MS,
  });
  fc.assert(
    fc.property(week, zones, start, fc.integer({ min: 1, max: 200 }), (hours, zone, hour, length) => {
      const asked = { start: hour * HOUR_MS, end: (hour + length) * HOUR_MS };
      const windows = openWindows(
        buildRoom({ opening_hours: hours as OpeningHours, time_zone: zone }),
        asked,
      );
      return windows.every(
        (window, i) =>
          window.end > window.start &&
          window.end > asked.start &&
          window.start < asked.end &&
          (i === 0 || window.start > windows[i - 1]!.end),
      );
    }),
    { numRuns: 500 },
  );
  t.pass();
});
