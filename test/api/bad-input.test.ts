import test from 'ava';
import { IN_A_YEAR } from '../support/days.js';
import { anonymous } from '../support/api-client.js';
import { bookingBody } from '../support/bookings.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';
import { storedIn } from './bad-input-calls.js';

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

test('errors about combinations of fields name the fields and contain no values', async (t) => {
  const { api, ownerId } = await newWorkspace();
  const room = await newRoom(api);
  const member_id = ownerId;
  const guest = { email: 'ada@example.com', name: 'Ada' };
  const { booked_by: _, ...unbooked } = bookingBody(room.id);
  const { room_id: __, ...roomless } = bookingBody(room.id);
  const span = 'from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z';
  const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
  const bill = { currency: 'GBP', due_at: IN_A_YEAR, lines };
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
