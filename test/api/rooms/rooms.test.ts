import { HOUR_MS } from '../../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import { sweep } from '../../support/invariants.js';
import type { ApiClient } from '../../support/api-client.js';
import type { ApiResponse } from '../../support/api-response.js';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';

const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };

function invalid(t: ExecutionContext, response: ApiResponse, param: string, what = param) {
  t.is(response.status, 422, `${what} → ${JSON.stringify(response.body)}`);
  t.is(response.body.error.code, 'validation_failed');
  t.true(String(response.body.error.param).startsWith(param), `${what} names ${response.body.error.param}`);
}

test('a room has the given fields and defaults for the others', async (t) => {
  const { api } = await newWorkspace({ time_zone: 'Australia/Lord_Howe' });
  const plain = await api.post('/v1/rooms', { name: 'Plain', price_per_hour });
  t.is(plain.status, 201);
  const { id, created_at, updated_at, ...rest } = plain.body;
  t.is(created_at, updated_at);
  t.regex(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.deepEqual(rest, {
    name: 'Plain',
    description: null,
    image_urls: [],
    features: [],
    floor: null,
    size_m2: null,
    address: null,
    directions: null,
    access_notes: null,
    reminder_hours: null,
    time_zone: 'Australia/Lord_Howe',
    slot_minutes: 30,
    min_minutes: null,
    max_minutes: null,
    capacity: null,
    turnaround_minutes: 0,
    edit_window_minutes: 60,
    price_per_hour,
    tax_code: 'STANDARD',
    tiers: null,
    tier_discounts: {},
    refund_steps: [
      { hours_before: 24, percent: 100 },
      { hours_before: 0, percent: 0 },
    ],
    parts: [],
    self_service: true,
    archived: false,
    metadata: {},
  });
  const given = {
    name: 'Hall',
    description: 'Under the roof',
    image_urls: ['https://pictures.example/hall.jpg', 'https://pictures.example/stage.jpg?w=800'],
    features: ['Projector', 'Step-free access'],
    floor: '3rd floor',
    size_m2: 140,
    address: '12 Quay Street',
    directions: 'Second door',
    access_notes: 'Code 4711',
    reminder_hours: 24,
    time_zone: 'America/Santiago',
    slot_minutes: 45,
    min_minutes: 45,
    max_minutes: 450,
    capacity: 60,
    opening_hours: { fri: [['20:00', '02:00']], sat: [] },
    turnaround_minutes: 15,
    edit_window_minutes: 0,
    price_per_hour: { currency: 'clp', amount_minor: 9_000 },
    tax_code: 'REDUCED',
    tiers: ['pro'],
    tier_discounts: { pro: 12.5 },
    refund_steps: [{ hours_before: 48, percent: 50 }],
    archived: true,
  };
  const made = await api.post('/v1/rooms', given);
  t.is(made.status, 201, JSON.stringify(made.body));
  t.like(made.body, { ...given, price_per_hour: { currency: 'CLP', amount_minor: 9_000 } });
  t.deepEqual((await api.get(`/v1/rooms/${made.body.id}`)).body, made.body);
});

test('a PATCH changes only the given fields', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { opening_hours: { mon: [['08:00', '20:00']] } });
  const patched = await api.patch(`/v1/rooms/${room.id}`, { name: 'Green room', capacity: 3 });
  t.is(patched.status, 200);
  t.deepEqual(patched.body, {
    ...room,
    name: 'Green room',
    capacity: 3,
    updated_at: patched.body.updated_at,
  });
  const open = await api.patch(`/v1/rooms/${room.id}`, { opening_hours: null });
  t.false('opening_hours' in open.body, 'no opening hours: always open');
  invalid(t, await api.patch(`/v1/rooms/${room.id}`, {}), '');
  invalid(t, await api.patch(`/v1/rooms/${room.id}`, { min_minutes: 60, max_minutes: 30 }), 'max_minutes');
});

test('an invalid field of a room is refused and named, on create and on PATCH', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const wrong: [string, unknown[]][] = [
    ['name', ['', 1, null, 'n'.repeat(201), 'a\0b']],
    ['time_zone', ['Mars/Olympus', '', 1, null]],
    ['slot_minutes', [0, 7, 1441, 1.5, '30', null]],
    ['capacity', [0, -1, '4', 1.5]],
    [
      'image_urls',
      [
        'https://pictures.example/a.jpg',
        ['http://pictures.example/a.jpg'],
        ['javascript:alert(1)'],
        [''],
        ['https://pictures.example/a.jpg', 'https://pictures.example/a.jpg'],
        Array.from({ length: 11 }, (_, n) => `https://pictures.example/${n}.jpg`),
      ],
    ],
    ['features', [[''], ['n'.repeat(61)], Array.from({ length: 31 }, String), 'Projector', null]],
    ['floor', ['', 'n'.repeat(61), 2]],
    ['size_m2', [0, 1.5, '24']],
    ['reminder_hours', [0, 337, '24', 1.5]],
    ['access_notes', ['n'.repeat(2_001), 1]],
    [
      'opening_hours',
      [
        [],
        'always',
        { monday: [] },
        { mon: [['8:00', '20:00']] },
        { mon: [['08:00']] },
        { mon: [['24:00', '25:00']] },
      ],
    ],
    ['turnaround_minutes', [-1, 1_441, '5']],
    [
      'price_per_hour',
      [
        2_500,
        { amount_minor: 1 },
        { currency: 'GBP' },
        { currency: 'POUND', amount_minor: 1 },
        { currency: 'GBP', amount_minor: -1 },
        { currency: 'GBP', amount_minor: 1.5 },
      ],
    ],
    ['tax_code', ['NONE', '', 1]],
    ['tiers', [[], ['gold'], ['pro', 'pro'], 'pro']],
    ['tier_discounts', [{ gold: 5 }, { pro: 101 }, { pro: -1 }, { pro: 1.234 }]],
    ['refund_steps', [{}, [{ percent: 5 }], [{ hours_before: -1, percent: 5 }]]],
    ['archived', ['yes', 1, null]],
    ['colour', ['red']],
  ];
  for (const [field, values] of wrong) {
    for (const value of values) {
      const what = `${field} = ${JSON.stringify(value)}`;
      invalid(t, await api.post('/v1/rooms', { name: 'R', price_per_hour, [field]: value }), field, what);
      invalid(t, await api.patch(`/v1/rooms/${room.id}`, { [field]: value }), field, what);
    }
  }
  t.is((await api.get('/v1/rooms')).body.data.length, 1);
});

test('a room’s currency cannot change while the room has rates, whose amounts are in it', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const path = `/v1/rooms/${id}` as const;
  const yen = { price_per_hour: { currency: 'JPY', amount_minor: 5_000 } };
  const rates = [{ name: 'Half day', unit: 'flat', from: '08:00', to: '12:00', amount_minor: 15_000 }];
  t.is((await api.put(`${path}/rates`, { rates })).status, 200);
  const refused = await api.patch(path, { ...yen, name: 'Tea room' });
  invalid(t, refused, 'price_per_hour.currency');
  t.regex(refused.body.error.message, /rates .* GBP.* Remove the rates/);
  t.like((await api.get(path)).body, { name: 'Blue room', price_per_hour });
  const dearer = { currency: 'GBP', amount_minor: 3_000 };
  t.is((await api.patch(path, { price_per_hour: dearer })).status, 200, 'another amount');

  t.is((await api.put(`${path}/rates`, { rates: [] })).status, 200);
  t.like((await api.patch(path, yen)).body, yen);
});

test('the list omits archived rooms by default, filters by tier and paginates', async (t) => {
  const { api } = await newWorkspace();
  const rooms = [];
  for (const overrides of [{}, { tiers: ['pro'] }, { archived: true }, { tiers: ['basic', 'plus'] }, {}])
    rooms.push(await newRoom(api, overrides));
  const [all, pro, archived, basic, last] = rooms.map(({ id }) => id);
  const ids = async (query: string) => {
    const { body } = await api.get(`/v1/rooms?${query}`);
    return body.data.map((room: { id: string }) => room.id);
  };
  t.deepEqual(await ids(''), [all, pro, basic, last]);
  t.deepEqual(await ids('include_archived=true'), [all, pro, archived, basic, last]);
  t.deepEqual(await ids('tier=pro'), [all, pro, last]);
  t.deepEqual(await ids('tier=basic'), [all, basic, last]);
  const first = (await api.get('/v1/rooms?limit=3')).body;
  const second = (await api.get(`/v1/rooms?limit=3&cursor=${first.next_cursor}`)).body;
  t.deepEqual(
    [...first.data, ...second.data].map(({ id }) => id),
    [all, pro, basic, last],
  );
  t.is(second.next_cursor, null);
  for (const query of [
    'tier=gold',
    'limit=0',
    'limit=201',
    'include_archived=perhaps',
    'cursor=x',
    'colour=red',
  ])
    invalid(t, await api.get(`/v1/rooms?${query}`), query.split('=')[0]!);
});

test('a blackout over a live booking is refused unless forced, and then it lists the bookings', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { turnaround_minutes: 60 });
  const slot = freeHour();
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, slot));
  const path = `/v1/rooms/${room.id}/blackouts` as const;
  const refused = await api.post(path, slot);
  t.is(refused.status, 409);
  t.is(refused.body.error.code, 'slot_unavailable');
  t.deepEqual(refused.body.error.details, { reason: 'booked', booking_ids: [booking.id] });
  const hour = HOUR_MS;
  const next = { start_at: slot.end_at, end_at: new Date(Date.parse(slot.end_at) + hour).toISOString() };
  t.is((await api.post(path, next)).status, 201, 'a blackout may overlap the turnaround after a booking');
  const forced = await api.post(path, { ...slot, reason: 'Burst pipe', force: true });
  t.is(forced.status, 201);
  t.deepEqual(forced.body.booking_ids, [booking.id]);
  t.like(forced.body, { ...slot, reason: 'Burst pipe' });
  t.regex(forced.body.id, /^bo_/);
  t.is(
    (await api.get(`/v1/bookings/${booking.id}`)).body.status,
    'pending_payment',
    'the booking is unchanged',
  );
  await sweep(t, workspace);
});

test('only owners and admins see the reason for a blackout', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const path = `/v1/rooms/${room.id}/blackouts` as const;
  await workspace.api.post(path, { ...freeHour(), reason: 'The tenant of room 4 moves out' });
  const reasonsFor = async (api: ApiClient) => (await api.get(path)).body.data.map(({ reason }) => reason);
  for (const role of ['member', 'billing_contact'] as const)
    t.deepEqual(await reasonsFor((await newMember(workspace, { role })).api), [null], role);
  const admin = await newMember(workspace, { role: 'admin' });
  for (const api of [admin.api, workspace.api])
    t.deepEqual(await reasonsFor(api), ['The tenant of room 4 moves out']);
});

test('blackouts are listed by start, can be deleted once, and then release their time', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const path = `/v1/rooms/${room.id}/blackouts` as const;
  const [early, late] = [freeHour(40), freeHour(40)];
  const { body: second } = await api.post(path, late);
  const { body: first } = await api.post(path, early);
  t.deepEqual(
    (await api.get(path)).body.data.map((blackout) => blackout.id),
    [first.id, second.id],
  );
  const page = (await api.get(`${path}?limit=1`)).body;
  const rest = (await api.get(`${path}?limit=1&cursor=${page.next_cursor}`)).body;
  t.deepEqual(
    rest.data.map((blackout) => blackout.id),
    [second.id],
  );
  t.is((await api.post('/v1/bookings', bookingBody(room.id, early))).status, 409);
  t.is((await api.delete(`${path}/${first.id}`)).status, 204);
  t.is((await api.delete(`${path}/${first.id}`)).status, 404);
  t.is((await api.post('/v1/bookings', bookingBody(room.id, early))).status, 201);
  invalid(t, await api.post(path, { start_at: early.end_at, end_at: early.start_at }), 'end_at');
  invalid(t, await api.post(path, { start_at: early.start_at }), 'end_at');
  invalid(t, await api.post(path, { ...early, force: 'yes' }), 'force');
  invalid(t, await api.post(path, { ...early, reason: 'a\0b' }), 'reason');
});
