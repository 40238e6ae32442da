import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { fromString, toUUID } from 'typeid-js';
import { sweep } from '../../support/invariants.js';
import { bookingBody, confirmedBooking, pay, untilStatus } from '../../support/bookings.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { newKey, newMember } from '../../support/people.js';
import { at, book, hourAhead, fetchIds } from '../list-calls.js';

test('a list has the bookings of the next 30 days by start, each as GET returns it', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const third = await book(api, room.id, hourAhead(29 * 24));
  const first = await book(api, room.id, hourAhead(1));
  const second = await book(api, room.id, hourAhead(48));
  const beyond = await book(api, room.id, hourAhead(31 * 24));
  t.deepEqual(await fetchIds(api), [first.id, second.id, third.id]);
  t.deepEqual(await fetchIds(api, { to: at(Date.now() + 40 * DAY_MS) }), [
    first.id,
    second.id,
    third.id,
    beyond.id,
  ]);
  const { body } = await api.get('/v1/bookings');
  t.is(body.next_cursor, null);
  t.deepEqual(body.data[0], (await api.get(`/v1/bookings/${first.id}`)).body);
  await sweep(t, workspace);
});

test('a page that is requested again shows what has changed, and has links for callers who may have them', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const path = `/v1/bookings?reference=${booking.reference}` as const;
  const seen = async (api = workspace.api) => (await api.get(path)).body.data[0]!;
  t.is((await seen()).notes, null);
  await workspace.api.patch(`/v1/bookings/${booking.id}`, { notes: 'By the window' });
  t.is((await seen()).notes, 'By the window');
  await workspace.api.patch(`/v1/rooms/${booking.room_id}`, { name: 'Window room' });
  t.is((await seen()).room.name, 'Window room');
  t.truthy((await seen()).manage_url);
  const reader = await newKey(workspace, workspace.ownerId, { resources: ['calendar'], actions: ['read'] });
  t.is((await seen(reader)).manage_url, null);
  t.truthy((await seen()).manage_url);
});

test('from is inclusive and to exclusive, also under their aliases', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const start = hourAhead(100);
  const [one, two, three] = [
    await book(api, room.id, start),
    await book(api, room.id, start + HOUR_MS),
    await book(api, room.id, start + 2 * HOUR_MS),
  ];
  const [from, to] = [at(start), at(start + 2 * HOUR_MS)];
  t.deepEqual(await fetchIds(api, { from, to }), [one.id, two.id]);
  t.deepEqual(await fetchIds(api, { 'start_at[gte]': from, 'start_at[lt]': to }), [one.id, two.id]);
  t.deepEqual(await fetchIds(api, { 'start_at[gte]': to }), [three.id]);
  t.deepEqual(await fetchIds(api, { from: at(start + 1), to: at(start + 2 * HOUR_MS + 1) }), [
    two.id,
    three.id,
  ]);
  t.deepEqual(await fetchIds(api, { from: to, to }), [], 'a window that ends when it starts is empty');
});

test('the list can be filtered by status, room, member and company, and by combinations', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [blue, red] = [await newRoom(api), await newRoom(api)];
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const member = await newMember(workspace, { company_id: company.id });
  const byGuest = await book(api, blue.id, hourAhead(2));
  const byMember = await book(api, red.id, hourAhead(3), { booked_by: { member_id: member.id } });
  const paid = await book(api, red.id, hourAhead(5));
  await pay(paid);
  await untilStatus(api, paid.id, 'confirmed');

  t.deepEqual(await fetchIds(api, { status: 'confirmed' }), [paid.id]);
  t.deepEqual(await fetchIds(api, { status: 'pending_payment' }), [byGuest.id, byMember.id]);
  t.deepEqual(await fetchIds(api, { status: 'expired' }), []);
  t.deepEqual(await fetchIds(api, { room_id: red.id }), [byMember.id, paid.id]);
  t.deepEqual(await fetchIds(api, { room_id: red.id.toUpperCase(), status: 'confirmed' }), [paid.id]);
  t.deepEqual(await fetchIds(api, { member_id: member.id }), [byMember.id]);
  t.deepEqual(await fetchIds(api, { company_id: company.id }), [byMember.id]);
  t.is(byMember.company_id, company.id);
  t.deepEqual(await fetchIds(api, { company_id: company.id, room_id: blue.id }), []);
  const uuid = toUUID(fromString(member.id));
  t.deepEqual(
    await fetchIds(api, { member_id: uuid }),
    [byMember.id],
    'a member by the UUID of the same 128 bits',
  );
  await sweep(t, workspace);
});

test('a member sees only their own bookings, with any filter', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const [member, billing, admin] = [
    await newMember(workspace),
    await newMember(workspace, { role: 'billing_contact' }),
    await newMember(workspace, { role: 'admin' }),
  ];
  const own = await book(member.api, room.id, hourAhead(2), { booked_by: { member_id: member.id } });
  const others = await book(api, room.id, hourAhead(4));
  t.deepEqual(await fetchIds(member.api), [own.id]);
  t.deepEqual(await fetchIds(member.api, { member_id: member.id }), [own.id]);
  t.deepEqual(await fetchIds(member.api, { member_id: admin.id }), []);
  t.deepEqual(await fetchIds(billing.api), []);
  t.deepEqual(await fetchIds(admin.api), [own.id, others.id]);
  t.is((await member.api.get(`/v1/bookings/${own.id}`)).status, 200);
  const hidden = await member.api.get(`/v1/bookings/${others.id}`);
  t.is(hidden.status, 404);
  t.is(hidden.body.error.code, 'booking_not_found');
});

test('a booking whose create failed is not listed', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const made = await book(api, room.id, hourAhead(6));
  const refused = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { start_at: made.start_at, end_at: made.end_at }),
  );
  t.is(refused.status, 409);
  t.deepEqual(await fetchIds(api), [made.id]);
});
