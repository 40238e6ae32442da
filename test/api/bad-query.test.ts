import { randomUUID } from 'node:crypto';
import test from 'ava';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { isError } from './booking-calls.js';

const UUID = '0f4b3a56-7c3f-4f0e-8a57-3c8d0d8f4b11';

const LIST_FIELDS: Record<string, string[]> = {
  from: [
    '',
    'now',
    '2027-03-01',
    '2027-03-01T10:00:00',
    '2027-02-30T10:00:00Z',
    '1969-01-01T00:00:00Z',
    'a\0b',
  ],
  to: ['', 'now', '2027-03-01T10:00:00', '2027-04-31T10:00:00Z'],
  'start_at[gte]': ['', '2027-03-01T10:00:00'],
  'start_at[lt]': ['', '2027-03-01T10:00:00'],
  status: ['', 'paid', 'Confirmed', 'confirmed,expired'],
  room_id: ['', 'room', `{${UUID}}`, UUID.replaceAll('-', ':'), 'a\0b'],
  member_id: ['', 'mem_1', 'ada', 'a\0b'],
  company_id: ['', 'company', UUID.replaceAll('-', ':')],
  limit: ['0', '201', '-1', '1.5', 'ten', '', '1e9', 'NaN', 'Infinity'],
  cursor: [
    '',
    'x',
    '!!!',
    'a\0b',
    'c'.repeat(501),
    cursor(['2027-03-01T10:00:00.000Z']),
    cursor(['2027-03-01T10:00:00.000Z', 'bk_1']),
    cursor(['never', `bk_${'0'.repeat(26)}`]),
    cursor([1, 2]),
    cursor({ a: 1 }),
    cursor(['2027-03-01T10:00:00.000Z', `bk_${'0'.repeat(26)}`, 'more']),
    cursor(['+275760-09-13T00:00:00.000Z', `bk_${'0'.repeat(26)}`]),
    cursor(['-000001-01-01T00:00:00.000Z', `bk_${'0'.repeat(26)}`]),
  ],
  q: ['', ' ', '\t \n', 'a\0b', 'g'.repeat(101)],
  colour: ['red'],
  page: ['2'],
};

function cursor(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

for (const [field, values] of Object.entries(LIST_FIELDS)) {
  test(`a list with an invalid ${field} returns 422 and names it`, async (t) => {
    const { api } = await newWorkspace();
    for (const value of values) {
      const response = await api.get(`/v1/bookings?${new URLSearchParams({ [field]: value })}`);
      const what = `${field}=${JSON.stringify(value).slice(0, 80)}`;
      isError(t, response, 422, 'validation_failed', what);
      t.is(response.body.error.param, field, what);
    }
    const [first] = values;
    const twice = new URLSearchParams([
      [field, first!],
      [field, first!],
    ]);
    isError(t, await api.get(`/v1/bookings?${twice}`), 422, 'validation_failed', `${field} twice`);
  });
}

test('a filter and its alias are accepted if they mean the same time, in any notation, and refused otherwise', async (t) => {
  const { api } = await newWorkspace();
  for (const [field, alias] of [
    ['from', 'start_at[gte]'],
    ['to', 'start_at[lt]'],
  ] as const) {
    const ask = (value: string) =>
      api.get(`/v1/bookings?${new URLSearchParams({ [field]: '2027-03-01T10:00:00Z', [alias]: value })}`);
    t.is((await ask('2027-03-01T12:00:00.000+02:00')).status, 200, field);
    const refused = await ask('2027-03-01T10:00:00.001Z');
    isError(t, refused, 422, 'validation_failed', field);
    t.is(refused.body.error.param, alias);
  }
});

test('a range that ends before it starts is refused by every list, and an empty one is an empty list', async (t) => {
  const { api } = await newWorkspace();
  const [earlier, later] = ['2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z'];
  for (const path of ['bookings', 'invoices', 'payments', 'events', 'audit-log', 'calendar.ics']) {
    const ask = (from: string, to: string, names = ['from', 'to']) =>
      api.get(`/v1/${path}?${names[0]}=${from}&${names[1]}=${to}`);
    const refused = await ask(later, earlier);
    isError(t, refused, 422, 'validation_failed', path);
    t.like(refused.body.error, { param: 'to', message: 'to must not be before from.' }, path);
    t.is((await ask(later, later)).status, 200, path);
    if (path !== 'bookings') continue;
    const aliased = await ask(later, earlier, ['start_at[gte]', 'start_at[lt]']);
    t.is(aliased.body.error?.param, 'start_at[lt]');
  }
  t.is((await api.get(`/v1/bookings?to=2026-01-01T00:00:00Z`)).status, 200, 'from defaults to now');
});

test('malformed and unknown ids return 404', async (t) => {
  const { api } = await newWorkspace();
  const odd = [
    'x',
    '%00',
    'bk_%00',
    '%F0%9F%92%A9',
    `{${UUID}}`,
    '..%2F..%2Fetc',
    'a'.repeat(3_000),
    `bk_${'z'.repeat(26)}`,
  ];
  for (const id of [...odd, randomUUID()]) {
    isError(t, await api.get(`/v1/bookings/${id}`), 404, 'booking_not_found', id.slice(0, 40));
    isError(t, await api.get(`/v1/rooms/${id}`), 404, 'room_not_found', id.slice(0, 40));
    isError(t, await api.get(`/v1/companies/${id}`), 404, 'company_not_found', id.slice(0, 40));
  }
  const room = await newRoom(api);
  for (const id of odd)
    isError(t, await api.delete(`/v1/rooms/${room.id}/blackouts/${id}`), 404, 'not_found', id.slice(0, 40));
});
