import test, { type ExecutionContext } from 'ava';
import { client, type ApiClient } from '../support/api-client.js';
import { bookingBody, confirmedBooking, freeHour, hoursLater, untilStatus } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { db, dev } from '../support/stack.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { AUTHENTICATION_CARD, pendingChange } from '../support/pending-change-calls.js';

const FREE = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };

interface Hall {
  workspace: TestWorkspace;
  api: ApiClient;
  hall: string;
  left: string;
  right: string;
}

/** A hall of two parts. */
async function newHall(fields: Record<string, unknown> = FREE): Promise<Hall> {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [left, right] = [await newRoom(api, fields), await newRoom(api, fields)];
  const hall = await newRoom(api, { ...fields, parts: [left.id, right.id] });
  return { workspace, api, hall: hall.id, left: left.id, right: right.id };
}

type Slot = ReturnType<typeof freeHour>;

const book = (api: ApiClient, room_id: string, slot: Slot) =>
  api.post('/v1/bookings', bookingBody(room_id, slot));

async function isRefused(t: ExecutionContext, api: ApiClient, room: string, slot: Slot, reason: string) {
  const { status, body } = await book(api, room, slot);
  t.like({ status, ...body.error }, { status: 409, code: 'slot_unavailable', details: { reason } });
  const { idempotency_key: _, ...asked } = bookingBody(room, slot);
  t.like((await api.post('/v1/quotes', asked)).body, { available: false, reason });
}

const partClaims = async (bookingId: string): Promise<number> =>
  (await db.query(`SELECT FROM part_claims WHERE booking_id = $1`, [bookingId])).length;

test('a whole and its parts exclude each other, two parts do not, and a cancelled booking frees them', async (t) => {
  const { workspace, api, hall, left, right } = await newHall();
  const [slot, other] = [freeHour(), freeHour()];
  const part = await book(api, left, slot);
  t.is(part.status, 201, JSON.stringify(part.body));
  t.is((await book(api, right, slot)).status, 201);
  await isRefused(t, api, hall, slot, 'part_booked');
  const whole = await book(api, hall, other);
  t.is(whole.status, 201);
  t.is(await partClaims(whole.body.id), 2);
  await isRefused(t, api, left, other, 'part_booked');
  await isRefused(t, api, hall, other, 'booked');
  t.is((await api.post(`/v1/bookings/${whole.body.id}/cancel`)).status, 200);
  t.is(await partClaims(whole.body.id), 0);
  t.is((await book(api, left, other)).status, 201);
  await sweep(t, workspace);
});

test('the calendar address of a part shows the bookings of the whole, and that of the whole shows those of its parts', async (t) => {
  const { api, hall, left, right } = await newHall();
  const booked = {
    hall: (await book(api, hall, freeHour())).body.id,
    left: (await book(api, left, freeHour())).body.id,
    right: (await book(api, right, freeHour())).body.id,
  };
  const shownBy = async (room: string): Promise<string[]> => {
    const { body } = await api.post('/v1/feeds', { kind: 'room', id: room });
    const document = await (await fetch(body.url!)).text();
    return Object.entries(booked).flatMap(([name, id]) => (document.includes(id) ? [name] : []));
  };
  t.deepEqual(await shownBy(hall), ['hall', 'left', 'right']);
  t.deepEqual(await shownBy(left), ['hall', 'left']);
  const ofRight = await api.get(`/v1/calendar.ics?room_id=${right}`);
  t.false(String(ofRight.body).includes(booked.hall), 'a filter shows what was booked as this room');
});

test('a whole is available when all parts are free, and a part when no whole takes it', async (t) => {
  const { api, hall, left, right } = await newHall({ ...FREE, turnaround_minutes: 30 });
  const { start_at } = freeHour();
  const at = (hours: number) => hoursLater(start_at, hours);
  await book(api, left, { start_at: at(1), end_at: at(2) });
  await book(api, hall, { start_at: at(4), end_at: at(5) });
  t.is(
    (await api.post(`/v1/rooms/${right}/blackouts`, { start_at: at(7), end_at: at(8) })).status,
    201,
    'on a part',
  );
  const of = async (room_id: string) => {
    const query = new URLSearchParams({ room_id, from: at(0), to: at(9) });
    const { body } = await api.get(`/v1/availability?${query}`);
    return body.data[0]!.busy.map((each) => [each.start_at, each.end_at, each.reason]);
  };
  t.deepEqual(await of(hall), [
    [at(0.5), at(2.5), 'part_booked'],
    [at(3.5), at(5.5), 'booked'],
    [at(7), at(8), 'blackout'],
  ]);
  t.deepEqual(await of(left), [
    [at(0.5), at(2.5), 'booked'],
    [at(3.5), at(5.5), 'part_booked'],
  ]);
  t.deepEqual(await of(right), [
    [at(3.5), at(5.5), 'part_booked'],
    [at(7), at(8), 'blackout'],
  ]);
});

test('a blackout of a whole closes its parts and one of a part closes the whole, and it lists the bookings of both', async (t) => {
  const { api, hall, left, right } = await newHall();
  const [slot, other] = [freeHour(), freeHour()];
  t.is((await api.post(`/v1/rooms/${hall}/blackouts`, slot)).status, 201);
  await isRefused(t, api, right, slot, 'blackout');
  t.is((await api.post(`/v1/rooms/${left}/blackouts`, other)).status, 201);
  await isRefused(t, api, hall, other, 'blackout');
  t.is((await book(api, right, other)).status, 201, 'the other part is open');

  const later = freeHour();
  const { body: booking } = await book(api, left, later);
  const refused = await api.post(`/v1/rooms/${hall}/blackouts`, later);
  t.like(refused, { status: 409, body: { error: { details: { booking_ids: [booking.id] } } } });
  const moved = await api.patch(`/v1/bookings/${booking.id}`, slot);
  t.like(moved, { status: 409, body: { error: { details: { reason: 'blackout' } } } });
});

test('of a concurrent booking of a part and blackout of the whole only one succeeds', async (t) => {
  const { workspace, api, hall, left } = await newHall();
  const on = (turn: number) => client(api.token, dev.baseUrls[turn % dev.baseUrls.length]);
  let [booked, closed] = [0, 0];
  const race = async (turn: number): Promise<void> => {
    const slot = freeHour();
    const [room, closing] = turn % 2 ? [left, hall] : [hall, left];
    const [made, blackout] = await Promise.all([
      book(on(turn), room, slot),
      on(turn + 1).post(`/v1/rooms/${closing}/blackouts`, slot),
    ]);
    t.true((made.status === 201) !== (blackout.status === 201), `${made.status} ${blackout.status}`);
    if (made.status === 201) booked++;
    else closed++;
  };
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 6 }, (_, turn) => race(turn)));
  t.log({ booked, closed });
  await sweep(t, workspace);
});

test('a booking moves between whole and parts together with its claims', async (t) => {
  const { workspace, api, hall, left, right } = await newHall();
  const slot = freeHour();
  const { booking } = await confirmedBooking(api, { room_id: left, slot });
  const path = `/v1/bookings/${booking.id}` as const;
  const { body: whole } = await api.patch(path, { room_id: hall });
  t.is(whole.room_id, hall, JSON.stringify(whole));
  t.is(await partClaims(booking.id), 2);
  await isRefused(t, api, right, slot, 'part_booked');
  t.is((await api.patch(path, { room_id: right })).status, 200);
  t.is(await partClaims(booking.id), 1);
  t.is((await book(api, left, slot)).status, 201);
  const back = await api.patch(path, { room_id: hall });
  t.like(back, { status: 409, body: { error: { details: { reason: 'part_booked' } } } });
  await sweep(t, workspace);
});

test('a change that waits for its payer holds the parts of both its times', async (t) => {
  const { workspace, api, hall, left } = await newHall({});
  const booked = await confirmedBooking(api, { room_id: hall, card: AUTHENTICATION_CARD });
  const { booking, end_at, path } = await pendingChange(t, workspace, booked);
  t.is(await partClaims(booking.id), 4);
  await isRefused(t, api, left, { start_at: booking.end_at, end_at }, 'part_booked');
  t.is((await api.post(`${path}/cancel`)).status, 200);
  await untilStatus(api, booking.id, 'cancelled');
  t.is(await partClaims(booking.id), 0);
  await sweep(t, workspace);
});

test('rooms can be linked unless bookings conflict, and existing bookings gain and lose claims with the link', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [hall, left, right] = [await newRoom(api, FREE), await newRoom(api, FREE), await newRoom(api, FREE)];
  const [slot, other] = [freeHour(), freeHour()];
  const { body: whole } = await book(api, hall.id, slot);
  const { body: part } = await book(api, right.id, slot);
  const { body: fine } = await book(api, left.id, other);
  const link = (parts: string[]) => api.patch(`/v1/rooms/${hall.id}`, { parts });

  const refused = await link([left.id, right.id]);
  t.like(refused, { status: 409, body: { error: { code: 'parts_conflict', param: 'parts' } } });
  const named = refused.body.error.details!.bookings as { id: string; room_id: string; start_at: string }[];
  t.deepEqual(
    named.toSorted((a, b) => (a.room_id === hall.id ? -1 : b.room_id === hall.id ? 1 : 0)),
    [
      { id: whole.id, reference: whole.reference, room_id: hall.id, ...slot },
      { id: part.id, reference: part.reference, room_id: right.id, ...slot },
    ],
  );
  t.deepEqual((await api.get(`/v1/rooms/${hall.id}`)).body.parts, [], 'nothing has changed');
  t.is((await book(api, left.id, slot)).status, 201);
  await api.post(`/v1/bookings/${part.id}/cancel`);
  t.is((await link([left.id, right.id])).status, 409);

  await api.post(`/v1/bookings/${whole.id}/cancel`);
  const linked = await link([left.id, right.id]);
  t.deepEqual(linked.body.parts, [left.id, right.id], JSON.stringify(linked.body));
  t.is(await partClaims(fine.id), 1);
  await isRefused(t, api, hall.id, other, 'part_booked');
  await sweep(t, workspace);

  t.deepEqual((await link([right.id])).body.parts, [right.id]);
  t.is(await partClaims(fine.id), 0);
  t.is((await book(api, hall.id, other)).status, 201);
  t.deepEqual((await link([])).body.parts, []);
  await sweep(t, workspace);
});

test('parts that a room cannot have are refused, and nothing changes', async (t) => {
  const { api, hall, left, right } = await newHall();
  const elsewhere = await newRoom((await newWorkspace()).api);
  const archived = await newRoom(api, { archived: true });
  const invalid = async (room: string, parts: unknown) => {
    const { status, body } = await api.patch(`/v1/rooms/${room}`, { parts });
    t.is(status, 422, JSON.stringify(parts));
    t.true(String(body.error.param).startsWith('parts'), body.error.param);
  };
  await invalid(hall, [elsewhere.id]);
  await invalid(hall, [archived.id]);
  await invalid(hall, [hall]);
  await invalid(left, [hall]);
  await invalid(hall, [left, left]);
  await invalid(hall, ['left']);
  t.is((await api.post('/v1/rooms', { name: 'Attic', ...FREE, parts: [elsewhere.id] })).status, 422);
  // Site, house, floor, hall, part.
  const floor = await newRoom(api, { ...FREE, parts: [hall] });
  const building = await newRoom(api, { ...FREE, parts: [floor.id] });
  t.is((await api.post('/v1/rooms', { name: 'Site', ...FREE, parts: [building.id] })).status, 422);
  t.deepEqual((await api.get(`/v1/rooms/${hall}`)).body.parts, [left, right]);
});

test('an archived part stays a part: its bookings and those of the whole exclude each other', async (t) => {
  const { workspace, api, hall, left, right } = await newHall();
  const [slot, other] = [freeHour(), freeHour()];
  t.is((await book(api, left, slot)).status, 201);
  t.is((await api.patch(`/v1/rooms/${left}`, { archived: true })).status, 200);
  await isRefused(t, api, hall, slot, 'part_booked');
  t.is((await book(api, hall, other)).status, 201);
  t.is((await api.patch(`/v1/rooms/${hall}`, { parts: [left, right] })).status, 200, 'it was one before');
  await sweep(t, workspace);
});

test('a part of several wholes, and wholes of wholes, exclude everything that shares an indivisible room', async (t) => {
  const { workspace, api, hall, left } = await newHall();
  const annex = await newRoom(api, FREE);
  const wing = await newRoom(api, { ...FREE, parts: [left, annex.id] });
  const building = await newRoom(api, { ...FREE, parts: [hall, annex.id] });
  const slot = freeHour();
  t.is((await book(api, annex.id, slot)).status, 201);
  await isRefused(t, api, wing.id, slot, 'part_booked');
  await isRefused(t, api, building.id, slot, 'part_booked');
  t.is((await book(api, hall, slot)).status, 201, 'it has no room in common with the annex');
  const next = freeHour();
  t.is((await book(api, wing.id, next)).status, 201);
  await isRefused(t, api, hall, next, 'part_booked');
  await sweep(t, workspace);
});
