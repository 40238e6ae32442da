import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import test from 'ava';
import { storeClaims, timeRange } from '../../support/rows.js';
import { writeAvailability, writeRoom } from '../../../api/resources/bookings/availability/read.js';
import { newUuid } from '../../../db/ids.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { reserve } from '../../support/scratch-database.js';
import type { ApiClient } from '../../support/api-client.js';
import { bookingBody, confirmedBooking, freeHour } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { isError, later } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';

const FREE = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };

const ask = (api: ApiClient, query: Record<string, string>) =>
  api.get(`/v1/availability?${new URLSearchParams(query)}`);

/** The availability of one room. */
async function ofRoom(api: ApiClient, room_id: string, from: string, to: string) {
  const { status, body } = await ask(api, { room_id, from, to });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data[0]!;
}

/** A window of a few hours around an hour. */
const around = ({ start_at, end_at }: { start_at: string; end_at: string }, hours = 2): [string, string] => [
  later(start_at, -hours),
  later(end_at, hours),
];

test('availability shows bookings and blackouts as busy, without personal data', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { turnaround_minutes: 30 });
  const slot = freeHour();
  const blackout = { start_at: later(slot.end_at, 1), end_at: later(slot.end_at, 2), reason: 'Secret works' };
  const guest = { email: 'grace@example.com', name: 'Grace Guest' };
  const booking = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { ...slot, booked_by: { guest }, notes: 'Secret notes' }),
  );
  t.is(booking.status, 201);
  t.is((await api.post(`/v1/rooms/${room.id}/blackouts`, blackout)).status, 201);
  const [from, to] = around(slot, 4);
  const response = await ask(api, { room_id: room.id, from, to });
  t.is(response.status, 200);
  t.deepEqual(response.body, {
    data: [
      {
        room: { id: room.id, name: 'Blue room' },
        time_zone: 'Europe/London',
        slot_minutes: 30,
        free: [
          { start_at: from, end_at: later(slot.start_at, -0.5) },
          { start_at: later(slot.end_at, 0.5), end_at: blackout.start_at },
          { start_at: blackout.end_at, end_at: to },
        ],
        busy: [
          { start_at: later(slot.start_at, -0.5), end_at: later(slot.end_at, 0.5), reason: 'booked' },
          { start_at: blackout.start_at, end_at: blackout.end_at, reason: 'blackout' },
        ],
      },
    ],
  });
});

test('a cancelled or expired booking and a deleted blackout release their time immediately', async (t) => {
  const { api } = await newWorkspace();
  const { booking } = await confirmedBooking(api, { room: FREE });
  const [from, to] = around(booking);
  t.is((await ofRoom(api, booking.room_id, from, to))!.busy.length, 1);
  t.is((await api.post(`/v1/bookings/${booking.id}/cancel`, {})).status, 200);
  t.deepEqual(await ofRoom(api, booking.room_id, from, to), {
    ...(await ofRoom(api, booking.room_id, from, to)),
    free: [{ start_at: from, end_at: to }],
    busy: [],
  });
});

test('a tier sees the rooms that it can book, by creation time, without archived ones', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const all = await newRoom(api, { name: 'All' });
  const pro = await newRoom(api, { name: 'Pro', tiers: ['pro', 'enterprise'] });
  const old = await newRoom(api, { name: 'Old', archived: true });
  await newRoom((await newWorkspace()).api);
  const [from, to] = around(freeHour());
  const listRooms = async (tier: string) =>
    (await ask(api, { tier, from, to })).body.data.map((one) => one.room.name);
  t.deepEqual(await listRooms('basic'), [all.name]);
  t.deepEqual(await listRooms('pro'), [all.name, pro.name]);
  const closed = [{ start_at: from, end_at: to, reason: 'closed' }];
  t.like(await ofRoom(api, old.id, from, to), { free: [], busy: closed });
  t.deepEqual((await ask((await newWorkspace()).api, { tier: 'pro', from, to })).body, { data: [] });
});

test('an invalid query names its field; a room of another workspace returns 404', async (t) => {
  const { api } = await newWorkspace();
  const room_id = (await newRoom(api)).id;
  const theirs = (await newRoom((await newWorkspace()).api)).id;
  const { start_at: from, end_at: to } = freeHour();
  const days = (count: number) => later(from, count * 24);
  const cases: [Record<string, string>, string][] = [
    [{ from, to }, 'room_id,tier'],
    [{ room_id, tier: 'pro', from, to }, 'room_id,tier'],
    [{ room_id, to }, 'from'],
    [{ room_id, from }, 'to'],
    [{ room_id, from, to: from }, 'to'],
    [{ room_id, from: to, to: from }, 'to'],
    [{ room_id, from, to: later(days(31), 1 / 3600) }, 'to'],
    [{ room_id, from, to: days(32) }, 'to'],
    [{ room_id, from, to: '9999-12-31T23:59:59Z' }, 'to'],
    [{ room_id, from: '2027-01-01T00:00:00', to }, 'from'],
    [{ room_id, from: 'tomorrow', to }, 'from'],
    [{ room_id: 'blue', from, to }, 'room_id'],
    [{ tier: 'gold', from, to }, 'tier'],
    [{ room_id, from, to, limit: '5' }, 'limit'],
  ];
  for (const [query, param] of cases) {
    const response = await ask(api, query);
    isError(t, response, 422, 'validation_failed', JSON.stringify(query));
    t.true(
      response.body.error.param!.startsWith(param.split(',')[0]!),
      `${param}: ${response.body.error.param}`,
    );
  }
  t.is((await ask(api, { room_id, from, to: days(31) })).status, 200);
  for (const unknown of [theirs, newUuid()])
    isError(t, await ask(api, { room_id: unknown, from, to }), 404, 'room_not_found');
  for (const ends of ['1970-01-01T00:00:00Z', '9999-12-31T23:00:00Z']) {
    const { body } = await ask(api, { room_id, from: ends, to: later(ends, 0.5) });
    t.deepEqual(body.data[0]!.busy, [
      { start_at: new Date(ends).toISOString(), end_at: later(ends, 0.5), reason: 'closed' },
    ]);
  }
});

test('a range of 31 days is allowed, even if clocks go back during it', async (t) => {
  const { api } = await newWorkspace();
  const year = new Date().getUTCFullYear() + 1;
  // October in London begins at 23:00 UTC and is 745 hours long.
  const [from, to] = [`${year}-09-30T23:00:00.000Z`, `${year}-11-01T00:00:00.000Z`];
  const [london, tokyo] = [await newRoom(api), await newRoom(api, { time_zone: 'Asia/Tokyo' })];
  t.deepEqual((await ofRoom(api, london.id, from, to))!.free, [{ start_at: from, end_at: to }]);
  isError(t, await ask(api, { room_id: tokyo.id, from, to }), 422, 'validation_failed');
});

test('every role with calendar:read can read availability', async (t) => {
  const workspace = await newWorkspace();
  const room_id = (await newRoom(workspace.api)).id;
  const [from, to] = around(freeHour());
  for (const role of ['member', 'billing_contact', 'admin'] as const) {
    const { api } = await newMember(workspace, { role });
    t.is((await ask(api, { room_id, from, to })).status, 200, role);
  }
  const billing = await newKey(workspace, workspace.ownerId, { resources: ['billing'] });
  isError(t, await ask(billing, { room_id, from, to }), 403, 'auth_scope_insufficient');
  const writes = await newKey(workspace, workspace.ownerId, { actions: ['write'] });
  isError(t, await ask(writes, { room_id, from, to }), 403, 'auth_scope_insufficient');
});

test('a create in progress holds its slot; an abandoned one does not', async (t) => {
  const { api, id } = await newWorkspace();
  const room = await newRoom(api, FREE);
  const slot = freeHour();
  const [from, to] = around(slot);
  const booking = await reserve(db, (await findRoom(db.manager, id, room.id))!, slot);
  t.deepEqual((await ofRoom(api, room.id, from, to))!.busy, [{ ...slot, reason: 'booked' }]);
  await db.query(`UPDATE bookings SET created_at = now() - interval '61 seconds' WHERE id = $1`, [booking]);
  t.deepEqual((await ofRoom(api, room.id, from, to))!.busy, []);
  t.is((await api.post('/v1/bookings', bookingBody(room.id, slot))).status, 201);
});

test('a move in progress holds both slots', async (t) => {
  const { api } = await newWorkspace();
  const { booking } = await confirmedBooking(api, { room: FREE });
  const other = await newRoom(api, FREE);
  const [from, to] = around(booking);
  // The second slot of a move that waits for its charge (see test/scenarios/change-failures.test.ts).
  const during = timeRange(booking.start_at, booking.end_at);
  await storeClaims(db, [{ booking_id: booking.id, room_id: other.id, during }]);
  const busy = [{ start_at: booking.start_at, end_at: booking.end_at, reason: 'booked' }];
  t.deepEqual((await ofRoom(api, booking.room_id, from, to))!.busy, busy);
  t.deepEqual((await ofRoom(api, other.id, from, to))!.busy, busy);
});

test('a slot that has started is closed', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { slot_minutes: 15, time_zone: 'Asia/Kathmandu' });
  const quarter = 15 * MINUTE_MS;
  const now = Math.floor(Date.now() / quarter) * quarter;
  const [from, to] = [new Date(now - HOUR_MS).toISOString(), new Date(now + HOUR_MS).toISOString()];
  const { free, busy } = await ofRoom(api, room.id, from, to);
  const ends = [now + quarter, now + 2 * quarter].map((ms) => new Date(ms).toISOString());
  t.true(ends.includes(free[0]!.start_at), 'the next quarter, or the one after it if one began just now');
  t.deepEqual(busy, [{ start_at: from, end_at: free[0]!.start_at, reason: 'closed' }]);
});

test('with include=price each free window has the lowest price in it, for a guest or for members of the tier', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { time_zone: 'UTC', min_minutes: 60, tier_discounts: { pro: 50 } });
  const put = await api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [
      { name: 'Evening', from: '18:00', to: '22:00', amount_minor: 4_000 },
      { name: 'Night', from: '22:00', to: '06:00', amount_minor: 1_000 },
    ],
  });
  t.is(put.status, 200);
  const day = freeHour().start_at.slice(0, 10);
  const blackout = { start_at: `${day}T21:00:00.000Z`, end_at: `${day}T21:30:00.000Z` };
  t.is((await api.post(`/v1/rooms/${room.id}/blackouts`, blackout)).status, 201);
  const [from, to] = [`${day}T18:00:00.000Z`, `${day}T22:30:00.000Z`];
  const readPrices = async (of: Record<string, string>) => {
    const { body } = await ask(api, { ...of, from, to, include: 'price' });
    return body.data.find((each) => each.room.id === room.id)!.free.map(({ from_price }) => from_price);
  };
  // An hour of the evening at 40.00; an hour from 21:30, half of it at night: 20.00 and 5.00. Tax is 20 %.
  const gbp = (amount_minor: number) => ({ currency: 'GBP', amount_minor });
  t.deepEqual(await readPrices({ room_id: room.id }), [gbp(4_800), gbp(3_000)]);
  t.deepEqual(await readPrices({ tier: 'pro' }), [gbp(2_400), gbp(1_500)]);
  const short = await ask(api, { room_id: room.id, from, to: `${day}T18:30:00.000Z`, include: 'price' });
  t.is(short.body.data[0]!.free[0]!.from_price, null, 'no booking fits into half an hour');
  const plain = await ask(api, { room_id: room.id, from, to });
  t.false('from_price' in plain.body.data[0]!.free[0]!);
  const unknown = await ask(api, { room_id: room.id, from, to, include: 'prices' });
  isError(t, unknown, 422, 'validation_failed');
});

test('a query for many rooms lets other requests run between rooms', async (t) => {
  const range = { start: Date.parse('2030-01-01T00:00:00Z'), end: Date.parse('2030-01-02T00:00:00Z') };
  const lengths = { slot_minutes: 30, min_minutes: null, max_minutes: null, turnaround_minutes: 0 };
  const room = { id: newUuid(), name: 'Studio', time_zone: 'Europe/London', ...lengths, opening_hours: null };
  let computed = 0;
  const calendar = {
    room: { ...room, capacity: null, tiers: null, archived: false, rates: [] },
    tier: null,
    loaded: range,
    part_claims: [],
    blackouts: [],
    // A room that takes a long time.
    get claims() {
      computed++;
      for (const end = performance.now() + 6; performance.now() < end;);
      return [];
    },
  };
  const calendars = Array.from({ length: 20 }, () => calendar);
  const now = Date.parse('2029-12-01T00:00:00Z');
  const writing = writeAvailability(calendars, (room, turn) => writeRoom(room as never, range, now, turn));
  t.true(computed < 20, 'the event loop is released before all rooms are computed');
  t.is(JSON.parse((await writing).toString()).data.length, 20);
});
