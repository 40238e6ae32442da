import test from 'ava';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../../db/data-source.js';
import { claimSlot, assertSlotFree, releaseOtherSlots } from '../../../commands/bookings/slots.js';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import { linkParts } from '../../../commands/rooms/parts.js';
import { insertRoom, lockRooms, updateRoom } from '../../../commands/rooms/rooms.js';
import type { Room } from '../../../db/entities/rooms.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import type { Move } from '../../../domain/bookings/change.js';
import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { storeClaims, timeRange } from '../../support/rows.js';
import {
  newPlace,
  reserve,
  reserveIn,
  untilLocked,
  withScratchDatabase,
} from '../../support/scratch-database.js';

const DAY = Date.parse(NEXT_MONDAY);
const slot = (from: number, hours = 1) => ({
  start_at: new Date(DAY + from * HOUR_MS).toISOString(),
  end_at: new Date(DAY + (from + hours) * HOUR_MS).toISOString(),
});

/** Rooms of one workspace, with these minutes of turnaround. */
async function newRooms(scratch: DataSource, turnarounds: number[]): Promise<Room[]> {
  const first = await newPlace(scratch);
  const rooms: Room[] = [];
  for (const turnaround_minutes of turnarounds)
    rooms.push(await insertRoom(scratch.manager, { ...first, id: undefined, turnaround_minutes }));
  return rooms;
}

async function linkIn(tx: Tx, room: Room, parts: Room[]): Promise<void> {
  const ids = parts.map(({ id }) => id);
  await linkParts(tx, { workspace_id: room.workspace_id, room_id: room.id, parts: ids });
  await updateRoom(tx, room.id, { parts: ids });
}

const link = (scratch: DataSource, room: Room, parts: Room[]): Promise<void> =>
  transaction(scratch, (tx) => linkIn(tx, room, parts));

const errorReason = (error: unknown): unknown => {
  if (!(error instanceof ApiError)) throw error;
  return error.context.details?.reason ?? error.code;
};

/** A hall of two parts, and a room with neither. */
async function newHall(scratch: DataSource): Promise<{ hall: Room; left: Room; right: Room }> {
  const [hall, left, right] = (await newRooms(scratch, [0, 0, 0])) as [Room, Room, Room];
  await link(scratch, hall, [left, right]);
  return { hall, left, right };
}

/*
 * A model without claims: bookings exclude each other if their rooms are the same or share a room below them,
 * and their occupied times overlap.
 */
interface Model {
  parts: Map<number, number[]>;
  bookings: { id: string; room: number; start: number; end: number }[];
}

const below = ({ parts }: Model, room: number): number[] => [
  room,
  ...(parts.get(room) ?? []).flatMap((part) => below({ parts, bookings: [] }, part)),
];
const excludes = (model: Model, a: Model['bookings'][number], b: Model['bookings'][number]): boolean =>
  a.start < b.end && b.start < a.end && below(model, a.room).some((id) => below(model, b.room).includes(id));

/** True if a room can be reached from itself. */
function isCircular({ parts }: Model): boolean {
  const reaches = (from: number, to: number, steps: number): boolean =>
    steps > 0 && (parts.get(from) ?? []).some((part) => part === to || reaches(part, to, steps - 1));
  return [...parts.keys()].some((room) => reaches(room, room, 8));
}

const levels = (model: Model, room: number): number =>
  Math.max(0, ...(model.parts.get(room) ?? []).map((part) => 1 + levels(model, part)));

const ROOMS = 7;
const room = fc.nat({ max: ROOMS - 1 });
const time = fc.record({ from: fc.nat({ max: 7 }), hours: fc.integer({ min: 1, max: 3 }) });
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('book' as const), room, time }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), pick: fc.nat(), room, time }) },
  // Bypasses every check in code: the database alone refuses it.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('claim' as const), pick: fc.nat(), room, time }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), pick: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      room,
      parts: fc.uniqueArray(room, { maxLength: 3 }),
    }),
  },
);
const scene = fc.record({
  turnarounds: fc.array(fc.constantFrom(0, 0, 30), { minLength: ROOMS, maxLength: ROOMS }),
  actions: fc.array(action, { minLength: 20, maxLength: 40 }),
});
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Performs the actions one after another. Returns the first whose outcome differs from the model's, or null.
 */
async function findDisagreement(
  scratch: DataSource,
  { turnarounds, actions }: Scene,
): Promise<string | null> {
  const rooms = await newRooms(scratch, turnarounds);
  const model: Model = { parts: new Map(), bookings: [] };
  const placed = (index: number, { from, hours }: { from: number; hours: number }) => {
    const { start_at, end_at } = slot(from, hours);
    const [start, until] = [Date.parse(start_at), Date.parse(end_at)];
    return { room: index, start, end: until + turnarounds[index]! * MINUTE_MS, until, start_at, end_at };
  };
  const tryTo = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      if (error instanceof ApiError || /part_claims_no_overlap|slot_claims_no_overlap/.test(String(error)))
        return false;
      throw error;
    }
  };
  for (const [n, each] of actions.entries()) {
    const chosen =
      'pick' in each ? model.bookings[each.pick % Math.max(1, model.bookings.length)] : undefined;
    if ('pick' in each && !chosen) continue;
    let expected = true;
    let done: boolean;
    if (each.kind === 'book') {
      const place = placed(each.room, each.time);
      expected = !model.bookings.some((other) => excludes(model, { ...place, id: '' }, other));
      let id: string | null = null;
      done = await tryTo(reserve(scratch, rooms[each.room]!, place).then((made) => (id = made)));
      if (done) model.bookings.push({ ...place, id: id! });
    } else if (each.kind === 'move') {
      const place = placed(each.room, each.time);
      const others = model.bookings.filter((other) => other !== chosen);
      expected = !others.some((other) => excludes(model, { ...place, id: '' }, other));
      done = await tryTo(
        transaction(scratch, async (tx) => {
          const { id: room_id, workspace_id } = rooms[each.room]!;
          await lockRooms(tx, workspace_id, [room_id, rooms[chosen!.room]!.id]);
          const times = { start_at: place.start, end_at: place.until, occupied_until: place.end };
          const move = { room_id, ...times } as Move;
          await assertSlotFree(tx, chosen!.id, move);
          await claimSlot(tx, chosen!.id, move);
          await tx.query(
            `UPDATE bookings SET room_id = $2, start_at = $3, end_at = $4, occupies = tstzrange($3, $5)
              WHERE id = $1`,
            [chosen!.id, room_id, place.start_at, place.end_at, new Date(place.end)],
          );
          await releaseOtherSlots(tx, chosen!.id);
        }),
      );
      if (done) Object.assign(chosen!, place);
    } else if (each.kind === 'claim') {
      const place = placed(each.room, each.time);
      const others = model.bookings.filter((other) => other !== chosen);
      expected = !others.some((other) => excludes(model, { ...place, id: '' }, other));
      const during = timeRange(new Date(place.start), new Date(place.end));
      const claim = { booking_id: chosen!.id, room_id: rooms[each.room]!.id, during };
      done = await tryTo(
        storeClaims(scratch, [claim]).catch((error: unknown) => {
          // Its own claim a second time.
          if (!/slot_claims_pkey/.test(String(error))) throw error;
        }),
      );
      await releaseOtherSlots(scratch.manager, chosen!.id);
    } else if (each.kind === 'release') {
      done = await releaseReservation(scratch.manager, chosen!.id, 'test');
      model.bookings.splice(model.bookings.indexOf(chosen!), 1);
    } else {
      const after: Model = { ...model, parts: new Map(model.parts).set(each.room, each.parts) };
      expected =
        !isCircular(after) &&
        rooms.every((_, index) => levels(after, index) <= 3) &&
        !model.bookings.some((a) => model.bookings.some((b) => a !== b && excludes(after, a, b)));
      done = await tryTo(
        link(
          scratch,
          rooms[each.room]!,
          each.parts.map((part) => rooms[part]!),
        ),
      );
      if (done) model.parts = after.parts;
    }
    if (done !== expected) return `${n}: ${JSON.stringify(each)} is ${done ? 'done' : 'refused'}`;
    const claims = await findWrongClaims(scratch);
    if (claims) return `${n}: ${JSON.stringify(each)} leaves ${claims}`;
  }
  return null;
}

/** Missing or extra claims of parts, or null. */
async function findWrongClaims(scratch: DataSource): Promise<string | null> {
  const wrong: object[] = await scratch.query(
    `SELECT * FROM (SELECT c.booking_id, c.room_id, c.during, l.leaf_id FROM slot_claims c JOIN room_leaves l
      USING (room_id)) due
     FULL JOIN part_claims USING (booking_id, room_id, during, leaf_id)
     WHERE due IS NULL OR part_claims IS NULL`,
  );
  return wrong.length > 0 ? JSON.stringify(wrong) : null;
}

test('random rooms with parts accept the bookings, moves and links that a model without claims accepts', async (t) => {
  await withScratchDatabase(async (scratch) => {
    await fc.assert(
      fc.asyncProperty(scene, async (value) => {
        const found = await findDisagreement(scratch, value);
        if (found) throw new Error(found);
      }),
      { numRuns: 20 },
    );
    t.pass();
  });
});

test('negative control: without the constraint on parts the model finds time that is sold twice', async (t) => {
  await withScratchDatabase(async (scratch) => {
    await scratch.query('ALTER TABLE part_claims DROP CONSTRAINT part_claims_no_overlap');
    const { failed, errorInstance } = await fc.check(
      fc.asyncProperty(scene, async (value) => {
        const found = await findDisagreement(scratch, value);
        if (found) throw new Error(found);
      }),
      { numRuns: 100, endOnFailure: true },
    );
    t.true(failed);
    t.regex(String(errorInstance), /"kind":"claim".* is done/);
  });
});

/**
 * Bookings of a hall and its parts, each with its own slot, concurrently claim one more slot, and no code
 * checks anything.
 */
async function raceForClaim(scratch: DataSource): Promise<Record<string, number>> {
  const { hall, left, right } = await newHall(scratch);
  const rooms = { hall, left, right };
  const won = { hall: 0, left: 0, right: 0 };
  const { start_at, end_at } = slot(100);
  const attempts = Object.entries(rooms).flatMap(([name, { id: room_id }], n) =>
    Array.from({ length: 4 }, async (_, turn) => {
      const id = await reserve(scratch, rooms[name as 'hall'], slot(n * 4 + turn));
      await storeClaims(scratch, [{ booking_id: id!, room_id, during: timeRange(start_at, end_at) }]);
      won[name as 'hall']++;
    }),
  );
  await Promise.allSettled(attempts);
  return won;
}

test('the constraints alone accept either one claim of the whole or one of each part', async (t) => {
  await withScratchDatabase(async (scratch) => {
    for (let round = 0; round < 5; round++) {
      const { hall, left, right } = await raceForClaim(scratch);
      t.true(hall! <= 1 && left! <= 1 && right! <= 1, JSON.stringify({ hall, left, right }));
      t.true(hall! + left! + right! > 0);
      if (hall) t.is(left! + right!, 0);
    }
  });
});

test('concurrent bookings of a whole and its parts are conflicts, not deadlocks', async (t) => {
  await withScratchDatabase(async (owner, url) => {
    // A deadlock would last too long to be a busy machine's pause.
    const [{ name }] = await owner.query('SELECT current_database() AS name');
    await owner.query(`ALTER DATABASE ${name} SET deadlock_timeout = '60s'`);
    const scratch = await openDatabase({ url, poolSize: 12 });
    const { hall, left, right } = await newHall(scratch);
    for (let round = 0; round < 10; round++) {
      const rooms = Array.from({ length: 12 }, (_, n) => [hall, left, hall, right][(n + round) % 4]!);
      const started = Date.now();
      const outcomes = await Promise.allSettled(rooms.map((each) => reserve(scratch, each, slot(round))));
      t.true(Date.now() - started < 55_000, `${Date.now() - started} ms`);
      const held = rooms.filter((_, n) => outcomes[n]!.status === 'fulfilled');
      t.is(held.length, held.includes(hall) ? 1 : 2);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') t.regex(String(errorReason(outcome.reason)), /^(part_)?booked$/);
    }
    await scratch.destroy();
  });
});

test('a slot taken in a part, or in a whole, is refused with its reason before anything is stored', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { hall, left, right } = await newHall(scratch);
    await reserve(scratch, left, slot(0));
    const refused = async (room: Room) => errorReason(await t.throwsAsync(reserve(scratch, room, slot(0))));
    t.is(await refused(hall), 'part_booked');
    t.is(await refused(left), 'booked');
    t.truthy(await reserve(scratch, right, slot(0)));
    await reserve(scratch, hall, slot(1));
    t.is(await refused(right), 'booked');
    t.is(errorReason(await t.throwsAsync(reserve(scratch, right, slot(1)))), 'part_booked');
  });
});

test('a link waits for a booking in progress, and sees it', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [hall, left] = (await newRooms(scratch, [0, 0])) as [Room, Room];
    const whole = await reserve(scratch, hall, slot(0));
    const booking = scratch.createQueryRunner();
    await booking.startTransaction();
    const part = await reserveIn(booking.manager, left, slot(0));
    const linking = link(scratch, hall, [left]).catch((error: unknown) => error);
    await untilLocked(scratch);
    await booking.commitTransaction();
    await booking.release();
    const error = (await linking) as ApiError;
    t.is(error.code, 'parts_conflict');
    const named = (error.context.details!.bookings as { id: string }[]).map(({ id }) => id);
    t.deepEqual(named.toSorted(), [whole!, part!].toSorted());
  });
});

test('a booking waits for a link in progress, and sees it, even if it takes no lock itself', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [hall, left] = (await newRooms(scratch, [0, 0])) as [Room, Room];
    await reserve(scratch, hall, slot(0));
    const other = (await reserve(scratch, left, slot(5)))!;
    const linking = scratch.createQueryRunner();
    await linking.startTransaction();
    await linkIn(linking.manager, hall, [left]);
    const { start_at, end_at } = slot(0);
    const late = [
      reserve(scratch, left, slot(0)),
      storeClaims(scratch, [{ booking_id: other, room_id: left.id, during: timeRange(start_at, end_at) }]),
    ].map((each) => each.catch((error: unknown) => error));
    await untilLocked(scratch);
    await linking.commitTransaction();
    await linking.release();
    t.is(errorReason(await late[0]), 'part_booked');
    t.regex(String(await late[1]), /part_claims_no_overlap/);
  });
});

test('two links that would form a cycle are not both made', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [a, b] = (await newRooms(scratch, [0, 0])) as [Room, Room];
    const outcomes = await Promise.allSettled([link(scratch, a, [b]), link(scratch, b, [a])]);
    t.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });
});

test('neither an abandoned reservation nor past time prevents rooms from being linked', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [hall, left] = (await newRooms(scratch, [0, 0])) as [Room, Room];
    const [abandoned, past] = [await reserve(scratch, left, slot(0)), await reserve(scratch, left, slot(2))];
    await reserve(scratch, hall, slot(0));
    const before = await reserve(scratch, hall, slot(2));
    await scratch.query(`UPDATE bookings SET created_at = now() - interval '2 minutes' WHERE id = $1`, [
      abandoned,
    ]);
    for (const id of [past, before])
      await scratch.query(
        `WITH claim AS (UPDATE slot_claims SET during = '[2020-01-01,2020-01-02)' WHERE booking_id = $1)
         UPDATE bookings SET start_at = '2020-01-01', end_at = '2020-01-02',
           occupies = '[2020-01-01,2020-01-02)'
         WHERE id = $1`,
        [id],
      );
    await link(scratch, hall, [left]);
    t.is((await scratch.query(`SELECT FROM bookings WHERE id = $1`, [abandoned])).length, 0);
    t.is((await scratch.query(`SELECT FROM part_claims`)).length, 1);
  });
});
