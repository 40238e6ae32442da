import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import test from 'ava';
import fc from 'fast-check';
import {
  computeAvailability,
  type Availability,
  type RoomCalendar,
} from '../../../domain/bookings/availability.js';
import { addLength, lineFrom, onGrid } from '../../../domain/rooms/grid.js';
import { bookingsFrom, offeredLengths } from '../../../domain/bookings/offered-times.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertOpen,
  earliestEnd,
  startsAfter,
  type OpeningHours,
  type Range,
} from '../../../domain/bookings/slots.js';
import { CHANGES, openHours, ZONES } from '../../support/zones.js';

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
  by_staff: boolean;
}

/** Whether a create would be accepted: its own checks, with the two database lookups done in memory. */
function isAccepted(
  { calendar: { room, claims, part_claims, blackouts }, now, by_staff }: Scene,
  booking: Range,
): boolean {
  const occupies = { ...booking, end: booking.end + room.turnaround_minutes * MINUTE_MS };
  return (
    succeeds(() => assertBookableTime(booking, now, startsAfter(room, now, { by_staff }))) &&
    succeeds(() => assertFitsRoom(room, booking, 1)) &&
    succeeds(() => assertOpen(room, booking)) &&
    !blackouts.some((blackout) => overlap(blackout, booking)) &&
    ![...claims, ...part_claims].some((claim) => overlap(claim, occupies))
  );
}

/**
 * Bookings on the grid in and around the requested range: from each line the shortest ones, and a longer one.
 */
function* gridBookings({ calendar: { room }, requested }: Scene): Generator<Range> {
  const least = (room.min_minutes ?? 1) * MINUTE_MS;
  const last = requested.end + least;
  for (let start = lineFrom(requested.start - least, room); start < last; start = lineFrom(start + 1, room)) {
    const next = (end: number): number => lineFrom(end + 1, room);
    const shortest = earliestEnd(start, room);
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
    claims: fc.array(stretch(300), { maxLength: 4 }),
    taken: fc.array(stretch(300), { maxLength: 3 }),
    blackouts: fc.array(stretch(600), { maxLength: 2 }),
    by_staff: fc.boolean(),
    now: fc.oneof(
      fc.constant(-30 * DAY_MS),
      minutes(-1_440, 2_880),
      minutes(-1_440, 2_880).map((ms) => ms - 730 * DAY_MS),
    ),
  })
  .filter(({ min_minutes, max_minutes }) => (min_minutes ?? 0) <= (max_minutes ?? Infinity))
  .map(
    ({
      at: { zone, moment },
      requested,
      claims,
      taken,
      blackouts,
      now,
      by_staff,
      opening_hours,
      ...room
    }) => {
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
            rates: [],
          },
          asker: null,
          loaded: { start: place(requested).start - around, end: place(requested).end + around },
          claims: claims.map(place),
          part_claims: taken.map((claim) => ({ ...place(claim), room_name: 'Hall' })),
          blackouts: blackouts.map(place),
        },
        requested: place(requested),
        now: moment + now,
        by_staff,
      };
    },
  );

/** True if a booking contains another that would start too far ahead. No free window can contain it. */
function coversOneTooLate({ calendar: { room }, now }: Scene, booking: Range): boolean {
  const start = lineFrom(now + 730 * DAY_MS + 1, room);
  return booking.end >= earliestEnd(start, room);
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
  const bookings = [...gridBookings(scene)];
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
      const availability = computeAvailability(scene.calendar, scene.requested, scene.now, scene);
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

test('free time is the same at every moment of a minute', (t) => {
  fc.assert(
    fc.property(scene, fc.integer({ min: 0, max: MINUTE_MS - 1 }), (scene, later) => {
      const at = (now: number) => computeAvailability(scene.calendar, scene.requested, now).free;
      t.deepEqual(at(scene.now + later), at(scene.now));
    }),
    { numRuns: 500 },
  );
});

test('forms offer only bookable times, and every bookable time of a listed length', (t) => {
  let offered = 0;
  fc.assert(
    fc.property(scene, (scene) => {
      const { calendar, requested, now, by_staff } = scene;
      const { room } = calendar;
      for (const minutes of offeredLengths(room).filter((length) => length <= 2_880)) {
        const asked = { from: requested.start, until: requested.end, minutes };
        const found = new Set(
          [...bookingsFrom(calendar, asked, now, { by_staff })].map(({ start, end }) => `${start} ${end}`),
        );
        offered += found.size;
        for (let start = lineFrom(asked.from, room); start < asked.until; start = lineFrom(start + 1, room)) {
          const booking = { start, end: addLength(start, minutes, room) };
          const accepted = isAccepted(scene, booking);
          if (
            accepted !== found.delete(`${start} ${booking.end}`) &&
            !(accepted && coversOneTooLate(scene, booking))
          )
            throw new Error(
              `${accepted ? 'not offered' : 'refused'}: ${new Date(start).toISOString()}, ${minutes}`,
            );
        }
        if (found.size > 0) throw new Error('offered off the grid');
      }
    }),
    { numRuns: 500 },
  );
  t.true(offered > 10_000, `${offered}`);
});
