import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ApiClient } from '../../support/api-client.js';
import { bookingBody, freeHour, hoursLater } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';

const price = (amount_minor: number, currency = 'GBP') => ({ currency, amount_minor });

async function newExtra(api: ApiClient, fields: Record<string, unknown> = {}) {
  const { status, body } = await api.post('/v1/extras', {
    name: 'Projector',
    price: price(1_000),
    ...fields,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

test('an extra is created with defaults, read, changed and listed by creation time, by room', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const other = await newRoom(api);
  const made = await newExtra(api, { rooms: [room.id] });
  t.like(made, {
    name: 'Projector',
    unit: 'piece',
    price: price(1_000),
    tax_code: 'STANDARD',
    rooms: [room.id],
    stock: null,
    cutoff_hours: 0,
    refund_steps: null,
    internal: false,
    archived: false,
    accounting_account: null,
    metadata: {},
  });
  t.deepEqual((await api.get(`/v1/extras/${made.id}`)).body, made);
  const changes = { stock: 2, price: price(1_200), refund_steps: [{ hours_before: 0, percent: 50 }] };
  const { body: changed } = await api.patch(`/v1/extras/${made.id}`, changes);
  t.deepEqual(changed, { ...made, ...changes, updated_at: changed.updated_at });
  const everywhere = await newExtra(api, { name: 'Lunch', unit: 'attendee' });
  const archived = await newExtra(api, { archived: true });
  const listed = async (query = '') => (await api.get(`/v1/extras${query}`)).body.data.map(({ id }) => id);
  t.deepEqual(await listed(), [made.id, everywhere.id]);
  t.deepEqual(await listed(`?room_id=${other.id}`), [everywhere.id]);
  t.deepEqual(await listed('?include_archived=true'), [made.id, everywhere.id, archived.id]);
  const { body: log } = await api.get('/v1/audit-log');
  t.deepEqual(
    log.data.filter(({ action }) => action.startsWith('extra.')).map(({ action }) => action),
    ['extra.created', 'extra.created', 'extra.updated', 'extra.created'],
  );
});

test('an extra that contradicts the workspace is refused, and a tax code in use by an extra cannot be removed', async (t) => {
  const { api } = await newWorkspace();
  const elsewhere = await newRoom((await newWorkspace()).api);
  const wrong: [string, Record<string, unknown>][] = [
    ['tax_code', { tax_code: 'GONE' }],
    ['rooms.0', { rooms: [elsewhere.id] }],
    ['price.currency', { price: price(1, 'XXX') }],
    ['unit', { unit: 'dozen' }],
    ['stock', { stock: -1 }],
  ];
  const extra = await newExtra(api, { tax_code: 'REDUCED' });
  for (const [param, fields] of wrong) {
    const responses = [
      await api.post('/v1/extras', { name: 'X', price: price(1), ...fields }),
      await api.patch(`/v1/extras/${extra.id}`, fields),
    ];
    for (const { status, body } of responses) t.deepEqual([status, body.error.param], [422, param]);
  }
  isError(t, await api.get(`/v1/extras/${randomUUID()}`), 404, 'not_found');
  const tax_codes = [{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' }];
  isError(t, await api.patch('/v1/workspace', { tax_codes }), 422, 'validation_failed');
});

test('a tax code of an extra in a live booking cannot be removed, even if the extra now has another one', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { price_per_hour: price(0) });
  const extra = await newExtra(api, { tax_code: 'REDUCED', price: price(0) });
  const extras = [{ extra_id: extra.id, quantity: 1 }];
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, { extras }));
  t.is((await api.patch(`/v1/extras/${extra.id}`, { tax_code: 'STANDARD' })).status, 200);
  const tax_codes = [{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' }];
  isError(t, await api.patch('/v1/workspace', { tax_codes }), 422, 'validation_failed');
  await api.post(`/v1/bookings/${booking.id}/cancel`, {});
  t.is((await api.patch('/v1/workspace', { tax_codes })).status, 200);
});

test('members do not see internal extras and cannot book them; staff can', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { price_per_hour: price(0) });
  const cleaning = await newExtra(api, { name: 'Cleaning', internal: true, price: price(0) });
  const lunch = await newExtra(api, { name: 'Lunch', price: price(0) });
  const member = await newMember(workspace);
  const { body: list } = await member.api.get('/v1/extras');
  t.deepEqual(
    list.data.map(({ id }) => id),
    [lunch.id],
  );
  isError(t, await member.api.get(`/v1/extras/${cleaning.id}`), 404, 'not_found');
  const asked = (extras: object[]) => bookingBody(room.id, { booked_by: { member_id: member.id }, extras });
  const both = [lunch, cleaning].map(({ id }) => ({ extra_id: id, quantity: 1 }));
  const refused = await member.api.post('/v1/bookings', asked(both));
  isError(t, refused, 422, 'validation_failed');
  t.is(refused.body.error.param, 'extras.1.extra_id');
  const { body: booking } = await api.post('/v1/bookings', asked(both));
  t.deepEqual(booking.extras, [
    { extra_id: lunch.id, name: 'Lunch', quantity: 1 },
    { extra_id: cleaning.id, name: 'Cleaning', quantity: 1 },
  ]);
  // The whole list: they remove lunch, and keep what staff booked.
  const path = `/v1/bookings/${booking.id}` as const;
  isError(t, await member.api.patch(path, { extras: [both[0]!] }), 422, 'validation_failed');
  const { status, body } = await member.api.patch(path, { extras: [both[1]!] });
  t.is(status, 200);
  t.like(body, { extras: [{ extra_id: cleaning.id }], adjustment: null });
});

test('quote, booking and invoice have a line for each extra, and the same key returns the same booking', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const lunch = await newExtra(api, {
    name: 'Lunch',
    unit: 'attendee',
    price: price(1_850),
    tax_code: 'REDUCED',
    accounting_account: '220',
  });
  const extras = [{ extra_id: lunch.id, quantity: 3 }];
  const body = bookingBody(room.id, { attendees: 4, extras });
  const { idempotency_key, ...asked } = body;
  const { body: quoted } = await api.post('/v1/quotes', asked);
  const made = await api.post('/v1/bookings', { ...asked, idempotency_key });
  t.is(made.status, 201);
  t.deepEqual(made.body.lines, quoted.lines);
  // £25.00 and 20 %, 3 × £18.50 and 5 %.
  t.deepEqual(quoted.price, price(3_000 + 5_550 + 278));
  t.deepEqual(made.body.price, quoted.price);
  t.like(made.body.lines[1], {
    kind: 'extra',
    description: 'Lunch',
    quantity: 3,
    unit: 'attendee',
    unit_amount_minor: 1_850,
    net_minor: 5_550,
    tax_code: 'REDUCED',
    tax_minor: 278,
    extra_id: lunch.id,
    rate_id: null,
    from: null,
  });
  const { body: invoice } = await api.get(`/v1/invoices/${made.body.invoice_id}`);
  t.like(invoice.lines[1], { description: 'Lunch', quantity: 3, unit_amount_minor: 1_850, tax_minor: 278 });
  const again = await api.post('/v1/bookings', { ...asked, idempotency_key });
  t.deepEqual([again.status, again.body.id], [200, made.body.id]);
  const other = { ...asked, extras: [{ ...extras[0]!, quantity: 4 }], idempotency_key };
  isError(t, await api.post('/v1/bookings', other), 409, 'idempotency_conflict');
});

test('an extra that is sold out or cannot be booked is refused, and nothing is stored', async (t) => {
  const { api, id } = await newWorkspace();
  const room = await newRoom(api);
  const slot = freeHour();
  const extra = await newExtra(api, { stock: 3, cutoff_hours: 24 });
  const ask = (quantity: number, more: Record<string, unknown> = {}) =>
    bookingBody(room.id, { ...slot, extras: [{ extra_id: extra.id, quantity }], ...more });
  const other = await newRoom(api);
  t.is((await api.post('/v1/bookings', { ...ask(2), room_id: other.id })).status, 201);
  const short = await api.post('/v1/bookings', ask(2));
  isError(t, short, 409, 'extra_unavailable');
  t.deepEqual(short.body.error.details, { reason: 'stock', extra_id: extra.id, available: 1 });
  const { idempotency_key: _, ...quoted } = ask(2);
  isError(t, await api.post('/v1/quotes', quoted), 409, 'extra_unavailable');
  const soon = { start_at: hoursLater(freeHour(0).start_at, 1), end_at: hoursLater(freeHour(0).start_at, 3) };
  const wrong: [string, Record<string, unknown>][] = [
    ['extras.0.extra_id', { extras: [{ extra_id: randomUUID(), quantity: 1 }] }],
    ['extras.0.extra_id', soon],
    ['extras.0.quantity', { extras: [{ extra_id: extra.id, quantity: 0 }] }],
    ['extras.1.extra_id', { extras: [1, 1].map((quantity) => ({ extra_id: extra.id, quantity })) }],
  ];
  for (const [param, more] of wrong) {
    const { status, body } = await api.post('/v1/bookings', { ...ask(1), ...more });
    t.deepEqual([status, body.error.param], [422, param]);
  }
  t.is((await api.post('/v1/bookings', ask(1))).status, 201);
  const [{ count }] = await db.query(`SELECT count(*) FROM bookings WHERE workspace_id = $1`, [id]);
  t.is(count, 2);
});
