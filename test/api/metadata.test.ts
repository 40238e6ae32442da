import test from 'ava';
import type { Metadata } from '../../domain/metadata.js';
import type { ApiClient } from '../support/api-client.js';
import { bookingBody, createBooking, freeHour, listEvents } from '../support/bookings.js';
import { listEntries } from '../support/audit-log-calls.js';
import { openOffice } from '../support/dashboard.js';
import { body as invoiceBody, createInvoice } from '../support/invoice-calls.js';
import { createMember } from '../support/member-calls.js';
import { newSite, publicBookingBody } from '../support/publishable-calls.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';

interface Made {
  id: string;
  metadata: Metadata;
}

/** Each kind of object with metadata: its routes, how it is created, and what a change to it records. */
const KINDS = {
  bookings: {
    body: async (api: ApiClient) => bookingBody((await newRoom(api)).id, freeHour(5)),
    event: 'booking.updated',
    action: 'booking.details_changed',
  },
  invoices: {
    body: (api: ApiClient) => invoiceBody(api),
    event: 'invoice.updated',
    action: 'invoice.updated',
  },
  companies: { body: async () => ({ name: 'Northwind' }), event: null, action: 'company.updated' },
  members: {
    body: async () => ({ email: uniqueEmail(), send_invite: false }),
    event: 'member.updated',
    action: 'member.updated',
  },
  rooms: {
    body: async () => ({ name: 'Blue room', price_per_hour: { currency: 'GBP', amount_minor: 2_500 } }),
    event: null,
    action: 'room.updated',
  },
  extras: {
    body: async () => ({ name: 'Lunch', price: { currency: 'GBP', amount_minor: 100 } }),
    event: null,
    action: 'extra.updated',
  },
} as const;
type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as Kind[];

/** The calls for a kind of object. The relevant parts of all bodies are the same. */
function buildCalls(api: ApiClient, kind: Kind) {
  const path = `/v1/${kind}` as '/v1/extras';
  return {
    create: async (metadata?: unknown) =>
      api.post(path, { ...(await KINDS[kind].body(api)), ...(metadata !== undefined && { metadata }) }),
    change: (id: string, metadata: unknown) => api.patch(`${path}/${id}`, { metadata }),
    find: async (id: string): Promise<Made> => (await api.get(`${path}/${id}`)).body,
    list: async (filter: Record<string, string>) => {
      const { status, body } = await api.get(`${path}?${new URLSearchParams(filter)}`);
      return status === 200 ? body.data.map(({ id }) => id) : body;
    },
  };
}

const manyKeys = (count: number): Metadata =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, String(n)]));

for (const kind of ALL)
  test(`metadata of ${kind} is merged, limited, recorded and filtered by`, async (t) => {
    const { api } = await newWorkspace();
    const { create, change, find, list } = buildCalls(api, kind);
    const { event, action } = KINDS[kind];

    const bare = await create();
    t.is(bare.status, 201, JSON.stringify(bare.body));
    t.deepEqual(bare.body.metadata, {}, 'empty, not null');
    const made = await create({ source: 'fair', 'crm.id': '4711', empty: '', gone: null });
    t.is(made.status, 201, JSON.stringify(made.body));
    const { id } = made.body;
    t.deepEqual(made.body.metadata, { source: 'fair', 'crm.id': '4711', empty: '' });

    const changed = await change(id, { source: null, stage: 'won' });
    t.is(changed.status, 200, JSON.stringify(changed.body));
    const now = { 'crm.id': '4711', empty: '', stage: 'won' };
    t.deepEqual(changed.body.metadata, now, 'merged, and null removes');
    t.deepEqual((await find(id)).metadata, now);
    t.is((await change(id, { stage: 'won', source: null })).status, 200, 'nothing changes');
    t.is((await change(id, {})).status, 200);

    const events = (await listEvents<Made>(id)).filter(({ type }) => type === event);
    if (event)
      t.deepEqual(
        events.map(({ body: { data } }) => [data.object.metadata, data.previous]),
        [[now, { metadata: { source: 'fair', 'crm.id': '4711', empty: '' } }]],
        'one event, with the old values',
      );
    const entries = await listEntries(api, { action });
    t.deepEqual(
      entries.map(({ details }) => details),
      [
        {
          before: { metadata: { source: 'fair', 'crm.id': '4711', empty: '' } },
          after: { metadata: now },
        },
      ],
    );

    t.deepEqual(await list({ 'metadata[stage]': 'won' }), [id]);
    t.deepEqual(await list({ 'metadata[stage]': 'won', 'metadata[crm.id]': '4711' }), [id]);
    t.deepEqual(await list({ 'metadata[empty]': '' }), [id]);
    t.deepEqual(await list({ 'metadata[stage]': 'won', 'metadata[crm.id]': '4712' }), [], 'all must match');
    t.deepEqual(await list({ 'metadata[source]': 'fair' }), [], 'a removed key');
    t.like(await list({ 'metadata[a b]': '1' }), { error: { code: 'validation_failed', param: 'metadata' } });
    for (const name of ['metadata[__proto__]', '__proto__'])
      t.like(await list({ [name]: 'won' }), { error: { code: 'validation_failed', param: '__proto__' } });
    t.like(await list({ metadata: 'won' }), { error: { code: 'validation_failed', param: 'metadata' } });

    const refused: [unknown, string][] = [
      [manyKeys(21), 'metadata'],
      [{ '': 'x' }, 'metadata'],
      [{ 'a b': 'x' }, 'metadata'],
      [{ ['k'.repeat(41)]: 'x' }, 'metadata'],
      [{ key: 'x'.repeat(501) }, 'metadata.key'],
      [{ key: 1 }, 'metadata.key'],
      [{ key: { deep: 'x' } }, 'metadata.key'],
      [null, 'metadata'],
      [['x'], 'metadata'],
    ];
    for (const [metadata, param] of refused)
      for (const { status, body } of [await create(metadata), await change(id, metadata)]) {
        t.is(status, 422, JSON.stringify(metadata));
        t.like(body, { error: { code: 'validation_failed', param } }, JSON.stringify(metadata));
      }
    t.is((await change(id, { ...manyKeys(17), ['k'.repeat(40)]: 'x' })).status, 422, '21 after the merge');
    t.deepEqual((await find(id)).metadata, now, 'a refused change changes nothing');
    t.is((await change(id, manyKeys(17))).status, 200, '20 after the merge');
    const swap = await change(id, { stage: null, ['k'.repeat(40)]: 'é'.repeat(500) });
    t.is(Object.keys(swap.body.metadata).length, 20, 'one removed, one added');
  });

test('metadata of an ended booking or invoice can be changed, and nothing else about it can', async (t) => {
  const { api } = await newWorkspace();
  const booking = await createBooking(api, bookingBody((await newRoom(api)).id, { metadata: { a: '1' } }));
  t.is((await api.post(`/v1/bookings/${booking.id}/cancel`, {})).status, 200);
  const both = await api.patch(`/v1/bookings/${booking.id}`, { notes: 'Tea', metadata: { a: '2' } });
  t.like(both, { status: 409, body: { error: { code: 'booking_not_editable' } } });
  t.deepEqual((await api.get(`/v1/bookings/${booking.id}`)).body.metadata, { a: '1' }, 'all or nothing');
  const ended = await api.patch(`/v1/bookings/${booking.id}`, { metadata: { a: '2' } });
  t.like(ended, { status: 200, body: { status: 'cancelled', metadata: { a: '2' } } });

  const invoice = await createInvoice(api, { metadata: { a: '1' } });
  t.is((await api.post(`/v1/invoices/${invoice.id}/void`, {})).status, 200);
  const voided = await api.patch(`/v1/invoices/${invoice.id}`, { metadata: { a: null, b: '2' } });
  t.like(voided, { status: 200, body: { status: 'void', metadata: { b: '2' } } });
  for (const body of [{}, { reference: 'PO 1' }, { metadata: { a: '1' }, reference: 'PO 1' }])
    t.is((await api.patch(`/v1/invoices/${invoice.id}`, body)).status, 422, JSON.stringify(body));
});

test('notes and metadata of a booking change in one request, and a repeated create with its key still matches', async (t) => {
  const { api } = await newWorkspace();
  const body = bookingBody((await newRoom(api)).id, { metadata: { b: '2', a: '1' } });
  const booking = await createBooking(api, body);
  const again = await api.post('/v1/bookings', { ...body, metadata: { a: '1', b: '2' } });
  t.like(again, { status: 200, body: { id: booking.id } }, 'in any order of keys');
  const other = await api.post('/v1/bookings', { ...body, metadata: { a: '1' } });
  t.like(other, { status: 409, body: { error: { code: 'idempotency_conflict' } } });
  const changed = await api.patch(`/v1/bookings/${booking.id}`, { notes: 'Tea', metadata: { b: null } });
  t.like(changed, { status: 200, body: { notes: 'Tea', metadata: { a: '1' } } });
  t.is(Object.keys(changed.body.metadata).length, 1);
  const tooMany = await api.patch(`/v1/bookings/${booking.id}`, { notes: 'Milk', metadata: manyKeys(20) });
  t.is(tooMany.status, 422);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.notes, 'Tea', 'all or nothing');
});

test('a public guest cannot give a booking metadata', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { site } = await newSite(api, { room_ids: [room.id] });
  const body = publicBookingBody(room.id, { metadata: { source: 'fair' } });
  const refused = await site.post('/v1/public/bookings', body);
  t.like(refused, { status: 422, body: { error: { param: 'metadata' } } });
});

test('an erasure empties the metadata of a person, of their bookings and invoices, and of everything stored about them', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api, { metadata: { lock: '12' } });
  const secret = { lead: 'Grace of Acme' };
  const email = uniqueEmail();
  const booked_by = { guest: { email, name: 'Grace Guest' } };
  const ofGuest = await createBooking(api, bookingBody(room.id, { booked_by, metadata: secret }));
  const member = await createMember(api, { metadata: secret });
  const ofMember = await createBooking(
    api,
    bookingBody(room.id, { booked_by: { member_id: member.id }, metadata: secret }),
  );
  const invoice = await createInvoice(api, { company_id: undefined, member_id: member.id, metadata: secret });
  const changed = { lead: 'Grace of Acme, called' };
  for (const [kind, { id }] of [
    ['bookings', ofGuest],
    ['bookings', ofMember],
    ['members', member],
    ['invoices', invoice],
    ['invoices', { id: ofGuest.invoice_id! }],
  ] as const)
    t.is((await buildCalls(api, kind).change(id, changed)).status, 200);

  t.is((await api.post('/v1/guests/erase', { email })).status, 200);
  t.is((await api.delete(`/v1/members/${member.id}`)).status, 204);

  for (const path of [
    `/v1/bookings/${ofGuest.id}`,
    `/v1/bookings/${ofMember.id}`,
    `/v1/invoices/${invoice.id}`,
    `/v1/invoices/${ofGuest.invoice_id}`,
  ] as const)
    t.deepEqual((await api.get(path as '/v1/rooms/*')).body.metadata, {}, path);
  t.deepEqual((await buildCalls(api, 'rooms').find(room.id)).metadata, { lock: '12' });
  for (const { id } of [ofGuest, ofMember, invoice])
    for (const { type, body } of await listEvents<Made>(id))
      t.deepEqual(body.data.object.metadata, {}, `${type} has it empty, not null`);
  const [{ found }] = await db.query(
    `SELECT (SELECT count(*) FROM events WHERE workspace_id = $1 AND body::text LIKE '%Grace of Acme%')
       + (SELECT count(*) FROM audit_log WHERE workspace_id = $1 AND details::text LIKE '%Grace of Acme%')
       + (SELECT count(*) FROM members WHERE workspace_id = $1 AND metadata <> '{}')
       AS found`,
    [workspace_id],
  );
  t.is(Number(found), 0);
});

test('exports of bookings and invoices have the metadata as JSON', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const room = await newRoom(api);
  await createBooking(api, bookingBody(room.id, { metadata: { source: 'fair', b: '2' } }));
  await createBooking(api, bookingBody(room.id));
  await createInvoice(api, { metadata: { cost_centre: '42' } });
  const bookings = await session.getText(`${home}/bookings.csv`);
  t.regex(bookings.split('\r\n')[0]!, /,Metadata$/);
  t.regex(bookings, /,"\{""b"":""2"",""source"":""fair""\}"\r\n/);
  const invoices = await session.getText(`${home}/invoices.csv`);
  t.regex(invoices.split('\r\n')[0]!, /,Metadata$/);
  t.regex(invoices, /,"\{""cost_centre"":""42""\}"\r\n/);
});
