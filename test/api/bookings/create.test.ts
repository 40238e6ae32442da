import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { sweep } from '../../support/invariants.js';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { dev } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { everywhere, later, refused, listSessions } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';

test('of 30 identical concurrent creates through two processes one gets the slot', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const slot = freeHour();
  const on = everywhere(workspace);
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, turn) => on(turn).post('/v1/bookings', bookingBody(room.id, slot))),
  );
  t.true(dev.baseUrls.length > 1, 'the stack needs API_PROCESSES=2');
  const lost = responses.filter(({ status }) => status !== 201);
  t.is(lost.length, 29);
  for (const response of lost) refused(t, response, 409, 'slot_unavailable', 'booked');
  t.is((await listSessions(workspace)).length, 1);
  await sweep(t, workspace);
});

test('overlapping, different slots conflict while both are unpaid', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { start_at, end_at } = freeHour();
  const slots = [
    { start_at, end_at: later(end_at, 1) },
    { start_at: later(start_at, 0.5), end_at },
    { start_at: later(start_at, -0.5), end_at: later(start_at, 0.5) },
    { start_at: later(start_at, -0.5), end_at: later(end_at, 1.5) },
    { start_at: later(end_at, 0.5), end_at: later(end_at, 1.5) },
  ];
  const [first, ...rest] = slots;
  t.is((await api.post('/v1/bookings', bookingBody(room.id, first))).status, 201);
  for (const slot of rest) {
    refused(t, await api.post('/v1/bookings', bookingBody(room.id, slot)), 409, 'slot_unavailable', 'booked');
  }
  await sweep(t, workspace);
});

test('of concurrent overlapping creates exactly one succeeds', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const on = everywhere(workspace);
  for (let round = 0; round < 6; round++) {
    const { start_at } = freeHour(90 + round);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => {
        // Each one covers the middle of the hour, and all are different.
        const from = later(start_at, -0.5 * (turn % 5));
        const to = later(start_at, 1 + 0.5 * Math.floor(turn / 5));
        return on(turn).post('/v1/bookings', bookingBody(room.id, { start_at: from, end_at: to }));
      }),
    );
    t.is(responses.filter(({ status }) => status === 201).length, 1);
    for (const response of responses.filter(({ status }) => status !== 201))
      refused(t, response, 409, 'slot_unavailable', 'booked');
  }
  await sweep(t, workspace);
});

test('back-to-back bookings, and bookings of another room at the same time, do not conflict', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [room, other] = [await newRoom(api), await newRoom(api, { name: 'Red room' })];
  const { start_at, end_at } = freeHour();
  const responses = await Promise.all([
    api.post('/v1/bookings', bookingBody(room.id, { start_at: later(start_at, -1), end_at: start_at })),
    api.post('/v1/bookings', bookingBody(room.id, { start_at, end_at })),
    api.post('/v1/bookings', bookingBody(room.id, { start_at: end_at, end_at: later(end_at, 1) })),
    api.post('/v1/bookings', bookingBody(other.id, { start_at, end_at })),
  ]);
  t.deepEqual(
    responses.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  await sweep(t, workspace);
});

test('a create returns the requested booking with a hold and a checkout URL', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { capacity: 4 });
  const body = bookingBody(room.id, { notes: 'Two screens, please', attendees: 3 });
  const { status, body: booking } = await api.post('/v1/bookings', body);
  t.is(status, 201);
  t.like(booking, {
    status: 'pending_payment',
    room: { id: room.id, name: 'Blue room' },
    room_id: room.id,
    start_at: body.start_at,
    end_at: body.end_at,
    booked_by: body.booked_by,
    notes: 'Two screens, please',
    attendees: 3,
    price: { currency: 'GBP', amount_minor: 3_000 }, // 25.00 and 20 % of it
    settle: 'checkout',
    member_id: null,
    company_id: null,
    confirmed_at: null,
    confirmation_source: null,
    processor_payment_intent_id: null,
    sequence: 0,
  });
  t.regex(booking.id, /^bk_[0-9a-z]{26}$/);
  t.regex(booking.invoice_id!, /^inv_[0-9a-z]{26}$/);
  const hold = Date.parse(booking.expires_at!) - Date.parse(booking.created_at);
  t.true(Math.abs(hold - 1_800_000) < 15_000, `the hold is half an hour, not ${hold} ms`);
  t.is((await fetch(booking.checkout_url!)).status, 200);
  t.deepEqual((await api.get(`/v1/bookings/${booking.id}`)).body, booking);
  const [session] = await listSessions(workspace);
  t.is(session!.amount_total, 3_000);
  t.is(session!.metadata!.booking_id, booking.id);
  t.is(session!.customer_creation, 'always');
  await sweep(t, workspace);
});

test('times with an offset are accepted and returned in UTC', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { start_at, end_at } = freeHour();
  const inDelhi = (time: string): string =>
    `${new Date(Date.parse(time) + 5.5 * HOUR_MS).toISOString().slice(0, 19)}+05:30`;
  const body = bookingBody(room.id, { start_at: inDelhi(start_at), end_at: inDelhi(end_at) });
  const made = await api.post('/v1/bookings', body);
  t.is(made.status, 201);
  t.is(made.body.start_at, start_at);
  t.is(made.body.end_at, end_at);
  const again = await api.post('/v1/bookings', { ...body, start_at, end_at });
  t.is(again.status, 200, 'the same instant in another notation is the same body');
  t.is(again.body.id, made.body.id);
});

test('resource_id, member_id and duration_minutes are aliases of room_id, booked_by.member_id and end_at', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  const { start_at, end_at } = freeHour();
  const key = randomUUID();
  const aliases = {
    resource_id: room.id,
    start_at,
    duration_minutes: 60,
    member_id: member.id,
    idempotency_key: key,
  };
  const made = await api.post('/v1/bookings', aliases);
  t.is(made.status, 201);
  t.like(made.body, {
    room_id: room.id,
    end_at,
    booked_by: { member_id: member.id },
    member_id: member.id,
    attendees: 1,
  });

  const plain = {
    room_id: room.id,
    start_at,
    end_at,
    booked_by: { member_id: member.id },
    idempotency_key: key,
  };
  for (const same of [plain, { ...plain, ...aliases }, { ...plain, attendees: 1, notes: '' }]) {
    const again = await api.post('/v1/bookings', same);
    t.is(again.status, 200, JSON.stringify(again.body));
    t.is(again.body.id, made.body.id);
  }
  await sweep(t, workspace);
});

test('an alias that contradicts its field is refused and the error names it', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace);
  const disagreements: [Record<string, unknown>, string][] = [
    [{ resource_id: randomUUID() }, 'resource_id'],
    [{ duration_minutes: 90 }, 'duration_minutes'],
    [{ member_id: member.id }, 'member_id'],
    [{ booked_by: { member_id: workspace.ownerId }, member_id: member.id }, 'member_id'],
  ];
  for (const [overrides, param] of disagreements) {
    const response = await api.post('/v1/bookings', bookingBody(room.id, overrides));
    refused(t, response, 422, 'validation_failed');
    t.is(response.body.error.param, param);
  }
});

test('an unknown room, and a room or member of another workspace, return 404', async (t) => {
  const [workspace, publicGuest] = [await newWorkspace(), await newWorkspace()];
  const room = await newRoom(workspace.api);
  const foreignRoom = await newRoom(publicGuest.api);
  const book = (roomId: string, rest = {}) => workspace.api.post('/v1/bookings', bookingBody(roomId, rest));
  refused(t, await book(randomUUID()), 404, 'room_not_found');
  refused(t, await book(foreignRoom.id), 404, 'room_not_found');
  const member_id = publicGuest.ownerId;
  refused(t, await book(room.id, { booked_by: { member_id } }), 404, 'member_not_found');
});

test('a member can book only for themselves, an admin for everyone', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const member = await newMember(workspace);
  const admin = await newMember(workspace, { role: 'admin' });
  const forMember = () => bookingBody(room.id, { booked_by: { member_id: member.id } });
  t.is((await member.api.post('/v1/bookings', forMember())).status, 201);
  t.is((await admin.api.post('/v1/bookings', forMember())).status, 201);
  const forAdmin = bookingBody(room.id, { booked_by: { member_id: admin.id } });
  refused(t, await member.api.post('/v1/bookings', forAdmin), 403, 'role_insufficient');
  refused(t, await member.api.post('/v1/bookings', bookingBody(room.id)), 403, 'role_insufficient');
});
