import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.js';
import test from 'ava';
import fc from 'fast-check';
import { availabilityOf, type Availability, type RoomCalendar } from '../../domain/availability.js';
import { lineFrom, onGrid } from '../../domain/grid.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertOpen,
  type OpeningHours,
  type Range,
} from '../../domain/slots.js';
import { CHANGES, openHours, ZONES } from './zones.js';

const succeeds = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};
const overlap = (a: Range, b: Range): boolean => a.start < b.end && b.start < a.end;
const isWithin = (a: Range, b: Range): boolean => a.start >= b.start && a.end <= b.end;

interface Scene {
  calendar: RoomCalendar;
  requested: Range;
  now: number;
}

/** Whether a create would be accepted: its own checks, with the two database lookups done in memory. */
function isAccepted({ calendar: { room, claims, blackouts }, now }: Scene, booking: Range): boolean {
  const occupies = { ...booking, end: booking.end + room.turnaround_minutes * MINUTE_MS };
  return (
    succeeds(() => assertBookableTime(booking, now)) &&
    succeeds(() => assertFitsRoom(room, booking, 1)) &&
    succeeds(() => assertOpen(room, booking)) &&
    !blackouts.some((blackout) => overlap(blackout, booking)) &&
    !claims.some((claim) => overlap(claim, occupies))
  );
}

/** Bookings on the grid in and around the requested range: from each line the shortest ones, and a longer one. */
function* bookingsOf({ calendar: { room }, requested }: Scene): Generator<Range> {
  const least = (room.min_minutes ?? 1) * MINUTE_MS;
  const last = requested.end + least;
  for (let start = lineFrom(requested.start - least, room); start < last; start = lineFrom(start + 1, room)) {
    const next = (end: number): number => lineFrom(end + 1, room);
    const shortest = lineFrom(start + least, room);
    const longest = lineFrom(start + (room.max_minutes ?? 600) * MINUTE_MS, room);
    const ends = new Set([next(start), shortest, next(shortest), next(next(shortest)), longest]);
    for (const end of ends) yield { start, end };
  }
}

const nearClockChange = fc
  .constantFrom(...CHANGES)
  .chain(([zone, change]) =>
    fc.record({ zone: fc.constant(zone), moment: fc.constant(Date.parse(`${change}Z`)) }),
  );
const anywhere = fc.record({
  zone: fc.constantFrom(...ZONES),
  moment: fc
    .integer({ min: Date.UTC(2027, 0) / HOUR_MS, max: Date.UTC(2028, 0) / HOUR_MS })
    .map((h) => h * HOUR_MS),
});
const minutes = (min: number, max: number) => fc.integer({ min, max }).map((minute) => minute * MINUTE_MS);
const stretch = (longest: number) =>
  fc.record({ start: minutes(-1_600, 3_200), length: minutes(1, longest) });

/** Random rooms, with and without a clock change, with bookings and blackouts on and off the grid. */
const scene: fc.Arbitrary<Scene> = fc
  .record({
    at: fc.oneof(nearClockChange, anywhere),
    slot_minutes: fc.constantFrom(15, 30, 45, 60, 90, 180, 720, 1440),
    min_minutes: fc.option(fc.constantFrom(1, 30, 50, 60, 90, 120, 180, 1440)),
    max_minutes: fc.option(fc.constantFrom(60, 120, 240, 480, 1380, 3000)),
    turnaround_minutes: fc.constantFrom(0, 0, 7, 15, 30, 60, 200),
    opening_hours: fc.option(
      fc.record(Object.fromEntries(['sun', 'mon', 'wed', 'fri', 'sat'].map((day) => [day, openHours]))),
    ),
    requested: fc.record({ start: minutes(-1_440, 1_440), length: minutes(1, 2_880) }),
    claims: fc.array(stretch(300), { maxLength: 6 }),
    blackouts: fc.array(stretch(600), { maxLength: 2 }),
    now: fc.oneof(
      fc.constant(-30 * DAY_MS),
      minutes(-1_440, 2_880),
      minutes(-1_440, 2_880).map((ms) => ms - 730 * DAY_MS),
    ),
  })
  .filter(({ min_minutes, max_minutes }) => (min_minutes ?? 0) <= (max_minutes ?? Infinity))
  .map(({ at: { zone, moment }, requested, claims, blackouts, now, opening_hours, ...room }) => {
    const place = ({ start, length }: { start: number; length: number }): Range => ({
      start: moment + start,
      end: moment + start + length,
    });
    const around = 4 * DAY_MS;
    return {
      calendar: {
        room: {
          ...room,
          time_zone: zone,
          opening_hours: opening_hours as OpeningHours | null,
          capacity: null,
          tiers: null,
          archived: false,
        },
        loaded: { start: place(requested).start - around, end: place(requested).end + around },
        claims: claims.map(place),
        blackouts: blackouts.map(place),
      },
      requested: place(requested),
      now: moment + now,
    };
  });

/** True if a booking contains another that would start too far ahead. No free window can contain it. */
function coversOneTooLate({ calendar: { room }, now }: Scene, booking: Range): boolean {
  const start = lineFrom(now + 730 * DAY_MS + 1, room);
  return booking.end >= lineFrom(start + (room.min_minutes ?? 1) * MINUTE_MS, room);
}

function findViolation(scene: Scene, { free, busy }: Availability): string | null {
  const describe = ({ start, end }: Range): string =>
    `${new Date(start).toISOString()} to ${new Date(end).toISOString()}`;
  const { room } = scene.calendar;
  for (const window of free) {
    if (!onGrid(window.start, room) || !onGrid(window.end, room)) return `off the grid: ${describe(window)}`;
  }
  const all = [...free, ...busy].sort((a, b) => a.start - b.start);
  for (const [index, window] of all.entries()) {
    if (window.start >= window.end) return `empty: ${describe(window)}`;
    if (index > 0 && window.start < all[index - 1]!.end) return `twice: ${describe(window)}`;
  }
  const bookings = [...bookingsOf(scene)];
  for (const window of free) {
    const whole =
      window.start > lineFrom(scene.requested.start, room) &&
      lineFrom(window.end + 1, room) <= scene.requested.end;
    const isUsed = bookings.some((one) => isAccepted(scene, one) && isWithin(one, window));
    if (whole && !isUsed) return `too short: ${describe(window)}`;
  }
  for (const booking of bookings) {
    const accepted = isAccepted(scene, booking);
    const inside = free.some((window) => isWithin(booking, window));
    const allowed = succeeds(() => assertFitsRoom(room, booking, 1));
    if (inside && allowed && !accepted) return `free, but refused: ${describe(booking)}`;
    if (!accepted) continue;
    const touched = busy.find((window) => overlap(window, booking));
    if (touched && !coversOneTooLate(scene, booking))
      return `busy (${touched.reason}), but accepted: ${describe(booking)}`;
    if (isWithin(booking, scene.requested) && !inside && !touched)
      return `accepted, but neither free nor busy: ${describe(booking)}`;
  }
  return null;
}

test('free time can be booked and busy time cannot, in any room, around every clock change', (t) => {
  const counts = { free: 0, busy: 0 };
  fc.assert(
    fc.property(scene, (scene) => {
      const availability = availabilityOf(scene.calendar, scene.requested, scene.now);
      counts.free += availability.free.length;
      counts.busy += availability.busy.length;
      const wrong = findViolation(scene, availability);
      if (wrong) throw new Error(wrong);
    }),
    { numRuns: 1_000 },
  );
  t.log(counts);
  t.true(counts.free > 300 && counts.busy > 300, 'both kinds occur often');
});

interface Case {
  room?: Partial<RoomCalendar['room']>;
  claims?: string[];
  blackouts?: string[];
  requested: string;
  now?: string;
  free: string[];
  busy: string[];
}

const instant = (text: string): number => Date.parse(`${text}Z`);
const rangeOf = (text: string): Range => {
  const [start, end] = text.split(' ');
  return { start: instant(start!), end: instant(end!) };
};
const show = ({ start, end }: Range): string =>
  `${new Date(start).toISOString().slice(0, 16)} ${new Date(end).toISOString().slice(0, 16)}`;

/** Times in UTC; 2027-03-01 is a Monday. London's clocks change on 2027-03-28 and on 2027-10-31. */
const CASES: Record<string, Case> = {
  'an empty room is free, in complete slots': {
    requested: '2027-03-01T09:10 2027-03-01T17:50',
    free: ['2027-03-01T09:30 2027-03-01T17:30'],
    busy: [],
  },
  'back-to-back bookings are one busy window, and its edges are free': {
    claims: ['2027-03-01T10:00 2027-03-01T11:00', '2027-03-01T11:00 2027-03-01T12:00'],
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: ['2027-03-01T09:00 2027-03-01T10:00', '2027-03-01T12:00 2027-03-01T13:00'],
    busy: ['2027-03-01T10:00 2027-03-01T12:00 booked'],
  },
  'turnaround before and after a booking is busy, up to the next grid line': {
    room: { turnaround_minutes: 20 },
    claims: ['2027-03-01T10:00 2027-03-01T11:20'],
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: ['2027-03-01T09:00 2027-03-01T09:30', '2027-03-01T11:30 2027-03-01T13:00'],
    busy: ['2027-03-01T09:30 2027-03-01T11:30 booked'],
  },
  'the turnaround before a booking outside the requested range is busy within it': {
    room: { turnaround_minutes: 30 },
    claims: ['2027-03-01T13:00 2027-03-01T14:30'],
    requested: '2027-03-01T11:00 2027-03-01T13:00',
    free: ['2027-03-01T11:00 2027-03-01T12:30'],
    busy: ['2027-03-01T12:30 2027-03-01T13:00 booked'],
  },
  'a gap shorter than min_minutes has the weaker reason of its neighbours': {
    room: { min_minutes: 60, opening_hours: { mon: [['09:00', '18:00']] } },
    claims: ['2027-03-01T09:30 2027-03-01T12:00', '2027-03-01T12:30 2027-03-01T14:00'],
    blackouts: ['2027-03-01T14:30 2027-03-01T15:00', '2027-03-01T17:30 2027-03-01T17:45'],
    requested: '2027-03-01T08:00 2027-03-01T19:00',
    free: ['2027-03-01T15:00 2027-03-01T17:30'],
    busy: [
      '2027-03-01T08:00 2027-03-01T09:00 closed',
      '2027-03-01T09:00 2027-03-01T14:30 booked',
      '2027-03-01T14:30 2027-03-01T15:00 blackout',
      '2027-03-01T17:30 2027-03-01T18:00 blackout',
      '2027-03-01T18:00 2027-03-01T19:00 closed',
    ],
  },
  'a gap of exactly min_minutes is free': {
    room: { min_minutes: 60 },
    claims: ['2027-03-01T09:00 2027-03-01T10:00', '2027-03-01T11:00 2027-03-01T12:00'],
    requested: '2027-03-01T09:00 2027-03-01T12:00',
    free: ['2027-03-01T10:00 2027-03-01T11:00'],
    busy: ['2027-03-01T09:00 2027-03-01T10:00 booked', '2027-03-01T11:00 2027-03-01T12:00 booked'],
  },
  'a gap at the edge is free if a booking can extend beyond the requested range, otherwise busy': {
    room: { min_minutes: 120 },
    claims: ['2027-03-01T10:00 2027-03-01T11:00', '2027-03-01T12:30 2027-03-01T13:00'],
    requested: '2027-03-01T11:30 2027-03-01T13:30',
    free: ['2027-03-01T13:00 2027-03-01T13:30'],
    busy: ['2027-03-01T11:30 2027-03-01T13:00 booked'],
  },
  'a room without an allowed length on the grid is closed': {
    room: { slot_minutes: 60, min_minutes: 90, max_minutes: 100 },
    requested: '2027-03-01T10:00 2027-03-01T12:00',
    free: [],
    busy: ['2027-03-01T10:00 2027-03-01T12:00 closed'],
  },
  'a free window may be longer than max_minutes': {
    room: { max_minutes: 60 },
    requested: '2027-03-01T10:00 2027-03-01T20:00',
    free: ['2027-03-01T10:00 2027-03-01T20:00'],
    busy: [],
  },
  'where several reasons apply, the reason is the one that a create returns': {
    room: { opening_hours: { mon: [['08:00', '12:00']] } },
    claims: ['2027-03-01T09:00 2027-03-01T13:00'],
    blackouts: ['2027-03-01T10:00 2027-03-01T11:00'],
    requested: '2027-03-01T08:00 2027-03-01T14:00',
    free: ['2027-03-01T08:00 2027-03-01T09:00'],
    busy: [
      '2027-03-01T09:00 2027-03-01T10:00 booked',
      '2027-03-01T10:00 2027-03-01T11:00 blackout',
      '2027-03-01T11:00 2027-03-01T12:00 booked',
      '2027-03-01T12:00 2027-03-01T14:00 closed',
    ],
  },
  'a blackout off the grid blocks every slot it overlaps': {
    blackouts: ['2027-03-01T10:10 2027-03-01T10:50'],
    requested: '2027-03-01T09:00 2027-03-01T12:00',
    free: ['2027-03-01T09:00 2027-03-01T10:00', '2027-03-01T11:00 2027-03-01T12:00'],
    busy: ['2027-03-01T10:00 2027-03-01T11:00 blackout'],
  },
  'past time is closed, and a booking must start after now': {
    requested: '2027-03-01T08:00 2027-03-01T12:00',
    now: '2027-03-01T10:00',
    free: ['2027-03-01T10:30 2027-03-01T12:00'],
    busy: ['2027-03-01T08:00 2027-03-01T10:30 closed'],
  },
  'the latest start is 730 days ahead, and the free window ends before a booking that starts later would': {
    room: { min_minutes: 60 },
    now: '2025-03-01T10:00',
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: ['2027-03-01T09:00 2027-03-01T11:00'],
    busy: ['2027-03-01T11:00 2027-03-01T13:00 closed'],
  },
  'time after the latest start is closed': {
    now: '2024-03-01T10:00',
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: [],
    busy: ['2027-03-01T09:00 2027-03-01T13:00 closed'],
  },
  'an archived room is closed': {
    room: { archived: true },
    claims: ['2027-03-01T10:00 2027-03-01T11:00'],
    requested: '2027-03-01T09:00 2027-03-01T13:00',
    free: [],
    busy: ['2027-03-01T09:00 2027-03-01T13:00 closed'],
  },
  'opening hours across midnight belong to the day they begin on': {
    room: { opening_hours: { mon: [['20:00', '02:00']], tue: [['02:00', '04:00']] } },
    requested: '2027-03-01T00:00 2027-03-03T00:00',
    free: ['2027-03-01T20:00 2027-03-02T04:00'],
    busy: ['2027-03-01T00:00 2027-03-01T20:00 closed', '2027-03-02T04:00 2027-03-03T00:00 closed'],
  },
  'opening hours off the grid are free from the first to the last grid line within them': {
    room: { opening_hours: { mon: [['09:15', '16:50']] } },
    requested: '2027-03-01T09:00 2027-03-01T17:00',
    free: ['2027-03-01T09:30 2027-03-01T16:30'],
    busy: ['2027-03-01T09:00 2027-03-01T09:30 closed', '2027-03-01T16:30 2027-03-01T17:00 closed'],
  },
  'opening hours are wall-clock time on a day of 23 hours': {
    room: { opening_hours: { sat: [['22:00', '04:00']], sun: [['08:00', '20:00']] } },
    requested: '2027-03-27T22:00 2027-03-28T20:00',
    free: ['2027-03-27T22:00 2027-03-28T03:00', '2027-03-28T07:00 2027-03-28T19:00'],
    busy: ['2027-03-28T03:00 2027-03-28T07:00 closed', '2027-03-28T19:00 2027-03-28T20:00 closed'],
  },
  'opening hours are wall-clock time on a day of 25 hours': {
    room: { opening_hours: { sun: [['00:00', '00:00']] } },
    requested: '2027-10-30T00:00 2027-11-02T00:00',
    free: ['2027-10-30T23:00 2027-11-01T00:00'],
    busy: ['2027-10-30T00:00 2027-10-30T23:00 closed', '2027-11-01T00:00 2027-11-02T00:00 closed'],
  },
  'a booking may end at the clock change, where the first instant after it stands for a line': {
    room: {
      time_zone: 'Australia/Lord_Howe',
      slot_minutes: 45,
      min_minutes: 120,
      max_minutes: 120,
      opening_hours: { sat: [['02:00', '02:00']] },
    },
    requested: '2027-10-02T13:30 2027-10-02T15:30',
    free: ['2027-10-02T13:30 2027-10-02T15:30'],
    busy: [],
  },
  'a booking may start after the clock change, where the first instant after it stands for a line': {
    room: { time_zone: 'Australia/Lord_Howe', slot_minutes: 60, min_minutes: 120, max_minutes: 120 },
    now: '2027-10-02T15:29',
    requested: '2027-10-02T15:30 2027-10-02T18:00',
    free: ['2027-10-02T15:30 2027-10-02T18:00'],
    busy: [],
  },
  'a slot of a day has 25 hours when clocks go back, and can exceed max_minutes': {
    room: { slot_minutes: 1440, max_minutes: 1440 },
    claims: ['2027-10-29T23:00 2027-10-30T23:00', '2027-11-01T00:00 2027-11-02T00:00'],
    requested: '2027-10-28T23:00 2027-11-03T00:00',
    free: ['2027-10-28T23:00 2027-10-29T23:00', '2027-11-02T00:00 2027-11-03T00:00'],
    busy: ['2027-10-29T23:00 2027-11-02T00:00 booked'],
  },
  'the grid follows the wall clock of Kathmandu': {
    room: { slot_minutes: 60, time_zone: 'Asia/Kathmandu' },
    requested: '2027-03-01T10:00 2027-03-01T13:00',
    free: ['2027-03-01T10:15 2027-03-01T12:15'],
    busy: [],
  },
};

for (const [title, { room, claims = [], blackouts = [], requested, now, free, busy }] of Object.entries(
  CASES,
)) {
  test(title, (t) => {
    const window = rangeOf(requested);
    const availability = availabilityOf(
      {
        room: {
          time_zone: 'Europe/London',
          slot_minutes: 30,
          min_minutes: null,
          max_minutes: null,
          capacity: null,
          opening_hours: null,
          tiers: null,
          archived: false,
          turnaround_minutes: 0,
          ...room,
        },
        loaded: { start: window.start - 2 * DAY_MS, end: window.end + 2 * DAY_MS },
        claims: claims.map(rangeOf),
        blackouts: blackouts.map(rangeOf),
      },
      window,
      instant(now ?? '2027-01-01T00:00'),
    );
    t.deepEqual(availability.free.map(show), free);
    t.deepEqual(
      availability.busy.map((window) => `${show(window)} ${window.reason}`),
      busy,
    );
  });
}
