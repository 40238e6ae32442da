import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { lineFrom, type Grid } from '../../../domain/rooms/grid.js';
import type { Range } from '../../../domain/bookings/slots.js';
import { nextChange, openHours, ZONES } from '../../support/zones.js';
import { sweep } from '../../support/invariants.js';
import type { ApiResponse } from '../../support/api-response.js';
import { bookingBody } from '../../support/bookings.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { everywhere, refused } from '../../support/booking-calls.js';

const FREE = { currency: 'GBP', amount_minor: 0 };
const DAYS = ['sun', 'mon', 'tue', 'thu', 'fri', 'sat'];

/** Two days around the next clock change, in minutes from it. */
const stretch = (longest: number) =>
  fc.record({
    start: fc.integer({ min: -1_440, max: 1_440 }),
    minutes: fc.integer({ min: 1, max: longest }),
  });

const scene = fc.record({
  room: fc
    .record({
      time_zone: fc.constantFrom(...ZONES),
      slot_minutes: fc.constantFrom(15, 30, 45, 60, 90, 180, 1440),
      min_minutes: fc.option(fc.constantFrom(30, 50, 60, 120), { freq: 2 }),
      max_minutes: fc.option(fc.constantFrom(180, 300, 1500), { freq: 2 }),
      turnaround_minutes: fc.constantFrom(0, 0, 10, 30, 75),
      opening_hours: fc.option(fc.record(Object.fromEntries(DAYS.map((day) => [day, openHours]))), {
        freq: 2,
      }),
    })
    .filter(({ slot_minutes, max_minutes }) => slot_minutes <= (max_minutes ?? Infinity)),
  bookings: fc.array(stretch(300), { minLength: 2, maxLength: 6 }),
  blackouts: fc.array(stretch(400), { maxLength: 2 }),
  asked: fc.record({
    before: fc.integer({ min: 30, max: 1_440 }),
    after: fc.integer({ min: 30, max: 1_440 }),
  }),
  /** Which of the possible bookings to request, in thousandths of their number. */
  picks: fc.array(fc.integer({ min: 0, max: 999 }), {
    minLength: 12,
    maxLength: 12,
  }),
});
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

type Room = Grid & { id: string; min_minutes: number | null; max_minutes: number | null };

/**
 * Bookings on the room's grid with allowed lengths: from each grid line the two shortest and a longer one.
 */
function bookingsIn(room: Room, { start, end }: Range): Range[] {
  const bookings: Range[] = [];
  const [least, most] = [(room.min_minutes ?? 1) * MINUTE_MS, (room.max_minutes ?? 1_440) * MINUTE_MS];
  for (let from = lineFrom(start, room); from < end; from = lineFrom(from + 1, room)) {
    const shortest = lineFrom(from + least, room);
    const ends = [shortest, lineFrom(shortest + 1, room), lineFrom(from + most / 2, room)];
    for (const to of new Set(ends)) {
      if (to - from >= least && to - from <= most && to <= end) bookings.push({ start: from, end: to });
    }
  }
  return bookings;
}

const pick = <T>(from: T[], picks: number[]): T[] =>
  from.length === 0
    ? []
    : [...new Set(picks.map((share) => from[Math.floor((share / 1000) * from.length)]!))];

const toTimes = ({ start, end }: Range) => ({
  start_at: new Date(start).toISOString(),
  end_at: new Date(end).toISOString(),
});
const toRange = ({ start_at, end_at }: { start_at: string; end_at: string }): Range => ({
  start: Date.parse(start_at),
  end: Date.parse(end_at),
});
const overlap = (a: Range, b: Range): boolean => a.start < b.end && b.start < a.end;

async function play(t: ExecutionContext, { room: kind, bookings, blackouts, asked, picks }: Scene) {
  const workspace = await newWorkspace({ processor_account_id: null });
  const on = everywhere(workspace);
  const room: Room & { turnaround_minutes: number } = await newRoom(workspace.api, {
    ...kind,
    price_per_hour: FREE,
  });
  const moment = nextChange(room.time_zone);
  const at = (minutes: number): number => moment + minutes * MINUTE_MS;
  const post = (range: Range, turn: number): Promise<ApiResponse> =>
    on(turn).post('/v1/bookings', bookingBody(room.id, toTimes(range)));
  const window = toTimes({ start: at(-asked.before), end: at(asked.after) });
  const ask = async (): Promise<{ free: Range[]; busy: (Range & { reason: string })[] }> => {
    const query = new URLSearchParams({ room_id: room.id, from: window.start_at, to: window.end_at });
    const { status, body } = await on(0).get(`/v1/availability?${query}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    const { free, busy } = body.data[0]!;
    return {
      free: free.map(toRange),
      busy: busy.map((one) => ({ ...toRange(one), reason: one.reason })),
    };
  };

  for (const [turn, { start, minutes }] of bookings.entries()) {
    const from = lineFrom(at(start), room);
    const length = Math.min(Math.max(minutes, room.min_minutes ?? 1), room.max_minutes ?? 1_440);
    await post({ start: from, end: lineFrom(from + length * MINUTE_MS, room) }, turn);
  }
  for (const { start, minutes } of blackouts) {
    const body = { ...toTimes({ start: at(start), end: at(start + minutes) }), force: true };
    t.is((await on(0).post(`/v1/rooms/${room.id}/blackouts`, body)).status, 201);
  }
  const { free, busy } = await ask();
  const about = (range: Range): string =>
    JSON.stringify({
      room,
      window,
      booking: toTimes(range),
      free: free.map(toTimes),
      busy: busy.map(toTimes),
    });

  const around = { start: at(-asked.before) - 6 * HOUR_MS, end: at(asked.after) + 6 * HOUR_MS };
  const touching = bookingsIn(room, around).filter((one) => busy.some((window) => overlap(window, one)));
  const impossible = pick(touching, picks);
  for (const [turn, response] of (await Promise.all(impossible.map(post))).entries()) {
    if (response.status === 201) throw new Error(`busy, but booked: ${about(impossible[turn]!)}`);
    refused(t, response, 409, 'slot_unavailable');
  }

  const booked: Range[] = [];
  const inside = free.flatMap((window) => bookingsIn(room, window));
  for (const [turn, one] of pick(inside, picks).entries()) {
    const near = {
      start: one.start - room.turnaround_minutes * MINUTE_MS,
      end: one.end + room.turnaround_minutes * MINUTE_MS,
    };
    if (booked.length === 4 || booked.some((other) => overlap(near, other))) continue;
    const { status, body } = await post(one, turn);
    if (status !== 201) throw new Error(`free, but ${JSON.stringify(body)}: ${about(one)}`);
    booked.push(one);
  }
  const after = await ask();
  for (const one of booked) {
    t.false(after.free.some((window) => overlap(window, one)));
    t.true(after.busy.some((window) => window.reason === 'booked' && overlap(window, one)));
  }
  await sweep(t, workspace);
  return { busy: impossible.length, free: booked.length };
}

test('free time can be booked and busy time cannot, in random rooms', async (t) => {
  const tried = { busy: 0, free: 0 };
  await fc.assert(
    fc.asyncProperty(fc.noBias(scene), async (scene) => {
      const { busy, free } = await play(t, scene);
      tried.busy += busy;
      tried.free += free;
    }),
    { numRuns: 12, endOnFailure: true },
  );
  t.log(tried);
  t.true(tried.busy >= 30 && tried.free >= 9, 'both were tested often');
});
