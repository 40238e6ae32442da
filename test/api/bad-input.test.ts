import { gzipSync } from 'node:zlib';
import test from 'ava';
import { sweep } from '../support/invariants.js';
import {
  anonymous,
  bookingBody,
  db,
  dev,
  newRoom,
  newWorkspace,
  type TestWorkspace,
} from '../support/stack.js';
import { isError } from './booking-calls.js';

const NUL = 'a\0b';

const SURROGATE = 'a\ud800b';

const NO_TEXT = [NUL, SURROGATE];

const NO_STRING = [1, true, {}, [], null];

const NO_TIME = [
  ...NO_STRING,
  '',
  'tomorrow',
  '2027-03-01',
  '2027-03-01T10:00:00', // no zone
  '2027-03-01 10:00:00Z',
  '2027-02-30T10:00:00Z',
  '2027-13-01T10:00:00Z',
  '2027-03-01T25:00:00Z',
  '2027-03-01T10:00:00+99:00',
  '1969-12-31T23:00:00Z',
  '+012027-03-01T10:00:00Z',
  ...NO_TEXT,
];

const UUID = '0f4b3a56-7c3f-4f0e-8a57-3c8d0d8f4b11';

const NO_UUID = [
  ...NO_STRING,
  '',
  'room',
  `{${UUID}}`,
  `[${UUID}]`,
  UUID.replaceAll('-', ':'),
  UUID.replaceAll('-', ''),
  `${UUID}0`,
  ...NO_TEXT,
];

const NO_MEMBER = [
  ...NO_STRING,
  '',
  'mem_',
  'mem_1',
  `bk_${'0'.repeat(26)}`,
  `mem_${'z'.repeat(26)}`,
  ...NO_TEXT,
];

const NO_COUNT = ['1', true, {}, [], null, 0, -1, 1.5, 1e9, 1e300];

const NO_NAME = [...NO_STRING, '', ' ', 'n'.repeat(201), ...NO_TEXT];

const NO_EMAIL = [
  ...NO_STRING,
  '',
  'ada',
  'ada@',
  '@example.com',
  'a b@example.com',
  `${'a'.repeat(250)}@example.com`,
  ...NO_TEXT,
];

/** field (a path with dots) → values that are refused, naming it. */
const CREATE_FIELDS: Record<string, unknown[]> = {
  room_id: NO_UUID,
  resource_id: NO_UUID,
  start_at: NO_TIME,
  end_at: NO_TIME,
  duration_minutes: [...NO_COUNT, 525_601],
  booked_by: ['ada', 1, true, [], null],
  'booked_by.member_id': NO_MEMBER,
  'booked_by.guest': ['ada', 1, true, [], null],
  'booked_by.guest.email': NO_EMAIL,
  'booked_by.guest.name': NO_NAME,
  'booked_by.guest.phone': ['1'],
  'booked_by.colour': ['red'],
  member_id: NO_MEMBER,
  idempotency_key: NO_UUID,
  notes: [1, true, {}, [], 'n'.repeat(5_001), ...NO_TEXT],
  attendees: [...NO_COUNT, 100_001],
  colour: ['red', null, {}],
  status: ['confirmed'],
};

type Fields = Record<string, unknown>;

/** A copy of `body` in which the field at `path` has the value. */
function withField(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body);
  const steps = path.split('.');
  const last = steps.pop()!;
  let place = copy as Fields;
  for (const step of steps) place = (place[step] ??= {}) as Fields;
  place[last] = value;
  return copy;
}

async function storedIn({ id }: TestWorkspace): Promise<number> {
  const [row] = await db.query(
    `SELECT (SELECT count(*) FROM bookings WHERE workspace_id = $1)
          + (SELECT count(*) FROM booking_requests WHERE workspace_id = $1)
          + (SELECT count(*) FROM checkouts WHERE workspace_id = $1) AS rows`,
    [id],
  );
  return row.rows;
}

for (const [field, values] of Object.entries(CREATE_FIELDS)) {
  test(`a create with an invalid ${field} returns 422, names it and stores nothing`, async (t) => {
    const workspace = await newWorkspace();
    const room = await newRoom(workspace.api);
    const base: { booked_by: { guest?: object } } = bookingBody(room.id);
    if (field === 'booked_by.member_id') delete base.booked_by.guest;
    for (const value of values) {
      // JSON.stringify writes a lone surrogate as \udXXX, which is how a client would send one.
      const response = await workspace.api.post('/v1/bookings', withField(base, field, value));
      const what = `${field} = ${JSON.stringify(value)?.slice(0, 60)}`;
      isError(t, response, 422, 'validation_failed', what);
      const named = [response.body.error.param, ...(response.body.error.errors ?? []).map((e) => e.param)];
      t.true(named.includes(field), `${what} names ${named.join(', ')}`);
    }
    t.is(await storedIn(workspace), 0);
    await sweep(t, workspace);
  });
}

test('a create without a required field names the field', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  for (const field of ['room_id', 'start_at', 'end_at', 'booked_by', 'idempotency_key']) {
    const { [field]: _, ...rest }: Record<string, unknown> = bookingBody(room.id);
    const response = await workspace.api.post('/v1/bookings', rest);
    isError(t, response, 422, 'validation_failed', field);
    t.regex(response.body.error.param!, new RegExp(field));
  }
  for (const booked_by of [{}, { guest: { name: 'Ada' } }, { guest: { email: 'ada@example.com' } }]) {
    const response = await workspace.api.post('/v1/bookings', bookingBody(room.id, { booked_by }));
    isError(t, response, 422, 'validation_failed', JSON.stringify(booked_by));
    t.regex(response.body.error.param!, /^booked_by/);
  }
  const both = {
    member_id: workspace.ownerId,
    guest: { email: 'ada@example.com', name: 'Ada' },
  };
  const response = await workspace.api.post('/v1/bookings', bookingBody(room.id, { booked_by: both }));
  isError(t, response, 422, 'validation_failed');
  t.is(response.body.error.param, 'booked_by');
  t.is(await storedIn(workspace), 0);
});

test('a create with several invalid fields lists all of them', async (t) => {
  const { api } = await newWorkspace();
  const response = await api.post('/v1/bookings', { room_id: 'x', start_at: 1, colour: 'red' });
  isError(t, response, 422, 'validation_failed');
  const params = response.body.error.errors!.map((error) => error.param);
  for (const param of ['room_id', 'start_at', 'colour', 'idempotency_key'])
    t.true(params.includes(param), param);
});

test('a body that is not a JSON object is refused', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const good = JSON.stringify(bookingBody(room.id));
  const post = (body: unknown, headers = {}) => api.post('/v1/bookings', body, headers);
  for (const broken of [
    '{',
    good.slice(0, -1),
    `${good}}`,
    "{'a': 1}",
    'undefined',
    '\u0000',
    Buffer.from([0x7b, 0xff, 0x7d]),
  ])
    isError(t, await post(broken), 400, 'invalid_json', String(broken).slice(0, 30));
  for (const other of ['null', '[]', '"text"', '1', 'true', `[${good}]`])
    isError(t, await post(other), 422, 'validation_failed', other.slice(0, 30));
  isError(t, await post(''), 422, 'validation_failed', 'no body');
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data',
    '',
  ])
    isError(t, await post(good, { 'content-type': type }), 415, 'unsupported_media_type', type);
  t.is(await storedIn(workspace), 0);
  const odd = { 'content-type': 'application/json; charset=utf-8' };
  t.is((await post(good, odd)).status, 201, 'a charset is accepted');
});

test('a body with a Content-Encoding, unknown or false, returns 415 and is not read', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const body = JSON.stringify(bookingBody((await newRoom(api)).id));
  for (const encoding of ['gzip', 'br', 'zstd', 'x-unknown', 'identity, gzip', 'GZIP'])
    for (const sent of [body, gzipSync(body)]) {
      const response = await api.post('/v1/bookings', sent, { 'content-encoding': encoding });
      isError(t, response, 415, 'unsupported_media_type', encoding);
      t.is(response.headers.get('accept-encoding'), 'identity');
    }
  t.is(await storedIn(workspace), 0);
  t.is((await api.post('/v1/bookings', body, { 'content-encoding': 'identity' })).status, 201);
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' };
  for (const path of ['/oauth/token', '/oauth/revoke', '/webhooks/processor'])
    t.is((await anonymous('POST', path, 'grant_type=refresh_token', form)).status, 415, path);
});

test('a body over 1 MiB returns 413, with and without Content-Length', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const big = (bytes: number) => JSON.stringify(bookingBody(room.id, { notes: 'n'.repeat(bytes) }));
  isError(t, await api.post('/v1/bookings', big(1_100_000)), 413, 'payload_too_large', '1.1 MB');
  isError(t, await api.post('/v1/bookings', big(10_000_000)), 413, 'payload_too_large', '10 MB');
  isError(t, await api.post('/v1/bookings', big(900_000)), 422, 'validation_failed', '0.9 MB');
  const chunks = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 20; i++) controller.enqueue(Buffer.alloc(100_000, 'n'));
      controller.close();
    },
  });
  const response = await fetch(`${dev.baseUrl}/v1/bookings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    body: chunks,
    duplex: 'half',
  } as RequestInit);
  t.is(response.status, 413);
  t.is(await storedIn(workspace), 0);
});

test('a body with very many fields or values costs no more than its size', async (t) => {
  const { api } = await newWorkspace();
  const names = (count: number) => Array.from({ length: count }, (_, n) => `f${n.toString(36)}`);
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: dev.baseUrl };
  const tooMany = /^A form must have at most 1000 fields/;
  // The second would occupy the process for minutes if its fields were compared with each other.
  for (const count of [1_001, 150_000]) {
    const fields = names(count).join('&');
    const page = await anonymous('POST', '/sign-in', fields, form);
    t.is(page.status, 422);
    t.regex(page.body, /A form must have at most 1000 fields/, 'without a session or key');
    const { body } = await api.post('/v1/api-keys/rotate', fields, form);
    t.regex(body.error.message, tooMany);
  }

  const unknown = (count: number) => Object.fromEntries(names(count).map((name) => [name, 1]));
  const few = await api.patch('/v1/workspace', unknown(1_000));
  t.is(few.body.error.errors!.length, 1_000);
  const many = await api.patch('/v1/workspace', unknown(10_000));
  isError(t, many, 422, 'validation_failed');
  t.is(many.body.error.errors!.length, 1, 'one error instead of a response larger than the request');
  const endless = await api.patch('/v1/workspace', unknown(20_000));
  t.is(endless.body.error.message, 'The request body must have at most 20000 values.');
});

test('deeply nested JSON is refused like any invalid field', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  for (const depth of [100, 10_000, 200_000]) {
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const field of ['notes', 'booked_by', 'colour']) {
      const body = `${JSON.stringify(bookingBody(room.id)).slice(0, -1)},"${field}":${deep}}`;
      const response = await api.post('/v1/bookings', body);
      t.true([400, 422].includes(response.status), `${field} ${depth} deep → ${response.status}`);
      isError(t, response, response.status, response.status === 400 ? 'invalid_json' : 'validation_failed');
    }
  }
  t.is(await storedIn(workspace), 0);
});

test('__proto__ and constructor in a body are unknown fields', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const good = JSON.stringify(bookingBody(room.id)).slice(0, -1);
  for (const field of ['__proto__', 'constructor']) {
    const response = await api.post('/v1/bookings', `${good},"${field}":{"attendees":7}}`);
    isError(t, response, 422, 'validation_failed', field);
  }
});

test('errors about combinations of fields name the fields and contain no values', async (t) => {
  const { api, ownerId } = await newWorkspace();
  const room = await newRoom(api);
  const member_id = ownerId;
  const guest = { email: 'ada@example.com', name: 'Ada' };
  const { booked_by: _, ...unbooked } = bookingBody(room.id);
  const { room_id: __, ...roomless } = bookingBody(room.id);
  const span = 'from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z';
  const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
  const bill = { currency: 'GBP', due_at: '2030-01-01T00:00:00Z', lines };
  const nothing = 'Send at least one field to change.';
  const noObject = 'The request body must be a JSON object.';
  const grace = 'grace_window_days must be between 1/24 (one hour) and 30.';
  const hours = { opening_hours: { mon: [['08:00', '24:00']] } };
  const cases: [string, unknown, string | undefined, string | RegExp][] = [
    ['PATCH /v1/bookings/bk_01kba6xz3fe4r9tq5v8mhc2s1d', {}, undefined, nothing],
    [`PATCH /v1/rooms/${room.id}`, {}, undefined, nothing],
    ['PATCH /v1/workspace', {}, undefined, nothing],
    ['PATCH /v1/api-keys/key_01kba6xz3fe4r9tq5v8mhc2s1h', {}, undefined, nothing],
    [
      'PATCH /v1/api-keys/key_01kba6xz3fe4r9tq5v8mhc2s1h',
      { scope: {} },
      'scope',
      'Send at least one field of scope.',
    ],
    [`GET /v1/availability?${span}`, undefined, 'room_id', 'Send room_id or tier.'],
    [
      `GET /v1/availability?${span}&tier=pro&room_id=${room.id}`,
      undefined,
      'room_id',
      'Send room_id or tier, not both.',
    ],
    ['POST /v1/bookings', roomless, 'room_id', 'Send room_id or resource_id.'],
    ['POST /v1/bookings', unbooked, 'booked_by', 'Send booked_by or member_id.'],
    [
      'POST /v1/bookings',
      { ...unbooked, booked_by: { member_id, guest } },
      'booked_by',
      'Send booked_by.member_id or booked_by.guest, not both.',
    ],
    ['POST /v1/invoices', bill, 'company_id', 'Send company_id or member_id.'],
    [
      `PATCH /v1/members/${member_id}`,
      { tier_change_reason: 'Asked' },
      'tier_change_reason',
      'Send tier with tier_change_reason.',
    ],
    ['POST /v1/bookings', [], undefined, noObject],
    ['POST /v1/bookings', 'null', undefined, noObject],
    ['POST /v1/api-keys/rotate', { grace_window_days: 0 }, 'grace_window_days', grace],
    ['POST /v1/api-keys/rotate', { grace_window_days: 31 }, 'grace_window_days', grace],
    [`PATCH /v1/rooms/${room.id}`, hours, 'opening_hours.mon.0.1', /a closing time of 00:00 is midnight\.$/],
  ];
  for (const [route, body, param, message] of cases) {
    const [method, target] = route.split(' ') as [string, string];
    const response = await anonymous(method, target, body, { authorization: `Bearer ${api.token}` });
    isError(t, response, 422, 'validation_failed', `${route} ${JSON.stringify(body)}`);
    const { error } = response.body;
    if (typeof message === 'string') t.is(error.message, message);
    else t.regex(error.message, message);
    t.is(error.param, param, error.message);
    t.is(error.errors![0]!.param, param);
    if (message === nothing) t.is(error.errors!.length, 1, route);
  }
});
