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
import { DAY } from '../../domain/time-zone.js';
import { CHANGES, openHours, ZONES } from './zones.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;

const succeeds = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};
const overlap = (a: Range, b: Range): boolean => a.start < b.end && b.start < a.end;

interface Scene {
  calendar: RoomCalendar;
  asked: Range;
  now: number;
}

/** What a create decides, by its own functions; the two looks into the database are written out. */
function isAccepted({ calendar: { room, claims, blackouts }, now }: Scene, booking: Range): boolean {
  const occupies = { ...booking, end: booking.end + room.turnaround_minutes * MINUTE };
  return (
    succeeds(() => assertBookableTime(booking, now)) &&
    succeeds(() => assertFitsRoom(room, booking, 1)) &&
    succeeds(() => assertOpen(room, booking)) &&
    !blackouts.some((blackout) => overlap(blackout, booking)) &&
    !claims.some((claim) => overlap(claim, occupies))
  );
}

/** Bookings on the grid in and around what is asked for: from each line the shortest ones, and longer ones. */
function* bookingsOf({ calendar: { room }, asked }: Scene): Generator<Range> {
  const least = (room.min_minutes ?? 1) * MINUTE;
  const last = asked.end + least;
  for (let start = lineFrom(asked.start - least, room); start < last; start = lineFrom(start + 1, room)) {
    const next = (end: number): number => lineFrom(end + 1, room);
    const shortest = lineFrom(start + least, room);
    const longest = lineFrom(start + (room.max_minutes ?? 600) * MINUTE, room);
    const ends = new Set([next(start), shortest, next(shortest), next(next(shortest)), longest]);
    for (const end of ends) yield { start, end };
  }
}

const roundTheChanges = fc
  .constantFrom(...CHANGES)
  .chain(([zone, change]) =>
    fc.record({ zone: fc.constant(zone), moment: fc.constant(Date.parse(`${change}Z`)) }),
  );
const anywhere = fc.record({
  zone: fc.constantFrom(...ZONES),
  moment: fc.integer({ min: Date.UTC(2027, 0) / HOUR, max: Date.UTC(2028, 0) / HOUR }).map((h) => h * HOUR),
});
const minutes = (min: number, max: number) => fc.integer({ min, max }).map((minute) => minute * MINUTE);
const stretch = (longest: number) =>
  fc.record({ start: minutes(-1_600, 3_200), length: minutes(1, longest) });

/** Rooms of every kind around a clock change or not, with bookings and blackouts, on or off the grid of now. */
const scene: fc.Arbitrary<Scene> = fc
  .record({
    at: fc.oneof(roundTheChanges, anywhere),
    slot_minutes: fc.constantFrom(15, 30, 45, 60, 90, 180, 720, 1440),
    min_minutes: fc.option(fc.constantFrom(1, 30, 50, 60, 90, 120, 180, 1440)),
    max_minutes: fc.option(fc.constantFrom(60, 120, 240, 480, 1380, 3000)),
    turnaround_minutes: fc.constantFrom(0, 0, 7, 15, 30, 60, 200),
    opening_hours: fc.option(
      fc.record(Object.fromEntries(['sun', 'mon', 'wed', 'fri', 'sat'].map((day) => [day, openHours]))),
    ),
    asked: fc.record({ start: minutes(-1_440, 1_440), length: minutes(1, 2_880) }),
    claims: fc.array(stretch(300), { maxLength: 6 }),
    blackouts: fc.array(stretch(600), { maxLength: 2 }),
    now: fc.oneof(
      fc.constant(-30 * DAY),
      minutes(-1_440, 2_880).map((ms) => ms + 1),
      minutes(-1_440, 2_880).map((ms) => ms - 730 * DAY),
    ),
  })
  .filter(({ min_minutes, max_minutes }) => (min_minutes ?? 0) <= (max_minutes ?? Infinity))
  .map(({ at: { zone, moment }, asked, claims, blackouts, now, opening_hours, ...room }) => {
    const place = ({ start, length }: { start: number; length: number }): Range => ({
      start: moment + start,
      end: moment + start + length,
    });
    const around = 4 * DAY;
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
        seen: { start: place(asked).start - around, end: place(asked).end + around },
        claims: claims.map(place),
        blackouts: blackouts.map(place),
      },
      asked: place(asked),
      now: moment + now,
    };
  });

/** Whether a booking that starts in time could reach past the last instant at which one may start. */
const reachesPastTheLimit = ({ now }: Scene, { end }: Range): boolean => end > now + 730 * DAY;

function complaint(scene: Scene, { free, busy }: Availability): string | null {
  const show = ({ start, end }: Range): string =>
    `${new Date(start).toISOString()} to ${new Date(end).toISOString()}`;
  const { room } = scene.calendar;
  for (const window of free) {
    if (!onGrid(window.start, room) || !onGrid(window.end, room)) return `off the grid: ${show(window)}`;
  }
  const all = [...free, ...busy].sort((a, b) => a.start - b.start);
  for (const [index, window] of all.entries()) {
    if (window.start >= window.end) return `empty: ${show(window)}`;
    if (index > 0 && window.start < all[index - 1]!.end) return `twice: ${show(window)}`;
  }
  for (const booking of bookingsOf(scene)) {
    const accepted = isAccepted(scene, booking);
    const inside = free.some((window) => window.start <= booking.start && booking.end <= window.end);
    const allowed = succeeds(() => assertFitsRoom(room, booking, 1));
    if (inside && allowed && !accepted) return `free, but refused: ${show(booking)}`;
    if (!accepted) continue;
    const touched = busy.find((window) => overlap(window, booking));
    if (touched && !reachesPastTheLimit(scene, booking))
      return `busy (${touched.reason}), but accepted: ${show(booking)}`;
    const within = scene.asked.start <= booking.start && booking.end <= scene.asked.end;
    if (within && !inside && !touched) return `accepted, but neither free nor busy: ${show(booking)}`;
  }
  return null;
}

test('what is free can be booked and what is busy cannot, in any room, around every clock change', (t) => {
  const seen = { free: 0, busy: 0 };
  fc.assert(
    fc.property(scene, (scene) => {
      const availability = availabilityOf(scene.calendar, scene.asked, scene.now);
      seen.free += availability.free.length;
      seen.busy += availability.busy.length;
      const wrong = complaint(scene, availability);
      if (wrong) throw new Error(wrong);
    }),
    { numRuns: 1_000 },
  );
  t.log(seen);
  t.true(seen.free > 300 && seen.busy > 300, 'both are met often');
});
