import { randomUUID } from 'node:crypto';
import test from 'ava';
import { collectPathIds } from '../../api/openapi/operations.js';
import { RESOURCES } from '../../api/resources/index.js';
import { freeHour } from '../support/bookings.js';
import { createObjects } from '../support/objects.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';

const UUID = '0f4b3a56-7c3f-4f0e-8a57-3c8d0d8f4b11';
const cursor = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString('base64url');

test('a list refuses a cursor that it did not issue, or a repeated filter, with 422 and names it', async (t) => {
  const { api } = await newWorkspace();
  const start = '2027-03-01T10:00:00.000Z';
  const id = `bk_${'0'.repeat(26)}`;
  for (const content of [
    [start, id],
    ['bookings', start],
    ['bookings', start, 'bk_1'],
    ['bookings', 'never', id],
    ['members', start, id],
    [1, 2, 3],
    { a: 1 },
    ['bookings', start, id, 'more'],
    ['bookings', '+275760-09-13T00:00:00.000Z', id],
    ['bookings', '-000001-01-01T00:00:00.000Z', id],
  ]) {
    const response = await api.get(`/v1/bookings?cursor=${cursor(content)}`);
    isError(t, response, 422, 'validation_failed', JSON.stringify(content));
    t.is(response.body.error.param, 'cursor');
  }
  for (const query of ['cursor=x', 'cursor=!!!', 'limit=1&limit=1'])
    isError(t, await api.get(`/v1/bookings?${query}`), 422, 'validation_failed', query);
});

test('no list takes the cursor of another list', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const objects = await createObjects(workspace);
  const other = await newRoom(api);
  await api.post('/v1/companies', { name: 'Acme' });
  await api.post('/v1/discounts', { code: 'AUTUMN', percent: 10 });
  await api.post('/v1/extras', { name: 'Cake', price: { currency: 'GBP', amount_minor: 500 } });
  for (const room of [objects.room, other.id])
    for (const hours of [1, 2]) await api.post(`/v1/rooms/${room}/blackouts`, freeHour(hours * 24));
  const named = collectPathIds(RESOURCES);
  const paths = RESOURCES.flatMap(({ operations }) => operations)
    .filter(({ route, query }) => route.startsWith('GET ') && query?.describe().keys.cursor)
    .map(({ route }) =>
      route
        .slice('GET '.length)
        .replace(/([^/]+)\/:id/, (_, of: string) => `${of}/${objects[named[of]!.name]}`),
    );
  paths.push(`/v1/rooms/${other.id}/blackouts`);
  const cursors = new Map<string, string>();
  for (const path of paths) {
    const { status, body } = await api.get(`${path}?limit=1`);
    t.is(status, 200, path);
    if (body.next_cursor) cursors.set(path, body.next_cursor);
  }
  for (const uuids of ['rooms', 'companies', 'extras', 'discounts', `rooms/${other.id}/blackouts`])
    t.true(cursors.has(`/v1/${uuids}`), uuids);
  for (const path of paths)
    for (const [of, cursor] of cursors) {
      const response = await api.get(`${path}?cursor=${cursor}`);
      if (of === path) t.is(response.status, 200, path);
      else isError(t, response, 422, 'validation_failed', `${path} with the cursor of ${of}`);
    }
});

test('a filter and its alias are accepted if they mean the same time, in any notation, and otherwise refused', async (t) => {
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

test('every list refuses a range that ends before it starts, and returns an empty list for an empty range', async (t) => {
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
