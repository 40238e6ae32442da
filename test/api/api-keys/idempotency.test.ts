import { randomUUID } from 'node:crypto';
import test from 'ava';
import { sweep } from '../../support/invariants.js';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { everywhere, later, refused, listSessions } from '../../support/booking-calls.js';

test('50 concurrent retries with one key create one booking and one checkout session', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const on = everywhere(workspace);
  const body = bookingBody(room.id);
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => on(turn).post('/v1/bookings', body)),
  );
  t.is(responses.filter(({ status }) => status === 201).length, 1);
  t.is(responses.filter(({ status }) => status === 200).length, 49);
  t.is(new Set(responses.map((response) => JSON.stringify(response.body))).size, 1);
  t.is((await listSessions(workspace)).length, 1);
  const rows = await db.query('SELECT count(*) FROM bookings WHERE workspace_id = $1', [workspace.id]);
  t.deepEqual(rows, [{ count: 1 }]);
  await sweep(t, workspace);
});

test('a key with a different body is a conflict, whichever field differs', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const other = await newRoom(api);
  const body = bookingBody(room.id);
  t.is((await api.post('/v1/bookings', body)).status, 201);
  const differences = [
    { room_id: other.id },
    freeHour(),
    { end_at: later(body.end_at, 0.5) },
    { attendees: 2 },
    { notes: 'other' },
    { booked_by: { member_id: workspace.ownerId } },
    { booked_by: { guest: { ...body.booked_by.guest, name: 'Someone Else' } } },
  ];
  for (const difference of differences) {
    refused(t, await api.post('/v1/bookings', { ...body, ...difference }), 409, 'idempotency_conflict');
  }
  await sweep(t, workspace);
});

test('of two concurrent bodies with one key one succeeds and the other is a conflict', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const on = everywhere(workspace);
  const body = bookingBody(room.id);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      on(turn).post('/v1/bookings', { ...body, ...(turn % 2 && { notes: 'the other body' }) }),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  t.is(statuses.filter((status) => status === 201).length, 1);
  t.is(statuses.filter((status) => status === 200).length, 9);
  for (const response of responses.filter(({ status }) => status > 201))
    refused(t, response, 409, 'idempotency_conflict');
  await sweep(t, workspace);
});

test('the Idempotency-Key header must equal the key of the body', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const body = bookingBody(room.id);
  for (const header of [randomUUID(), '']) {
    const differs = await api.post('/v1/bookings', body, { 'idempotency-key': header });
    refused(t, differs, 422, 'validation_failed');
    t.is(differs.body.error.param, 'Idempotency-Key');
  }
  const same = await api.post('/v1/bookings', body, { 'idempotency-key': body.idempotency_key });
  t.is(same.status, 201);
  const shouted = body.idempotency_key.toUpperCase();
  const again = await api.post(
    '/v1/bookings',
    { ...body, idempotency_key: shouted, room_id: room.id.toUpperCase() },
    { 'idempotency-key': shouted },
  );
  t.is(again.status, 200, 'a UUID in capitals is the same UUID');
});

test('two workspaces can use the same key', async (t) => {
  const [one, two] = [await newWorkspace(), await newWorkspace()];
  const idempotency_key = randomUUID();
  for (const { api } of [one, two]) {
    const room = await newRoom(api);
    t.is((await api.post('/v1/bookings', bookingBody(room.id, { idempotency_key }))).status, 201);
  }
});

test('the key of a refused create can be used with another body', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const taken = bookingBody(room.id);
  t.is((await api.post('/v1/bookings', taken)).status, 201);
  const { start_at, end_at } = taken;
  const body = bookingBody(room.id, { start_at, end_at });
  refused(t, await api.post('/v1/bookings', body), 409, 'slot_unavailable', 'booked');
  t.is((await api.post('/v1/bookings', { ...body, ...freeHour(), attendees: 2 })).status, 201);
  await sweep(t, workspace);
});
