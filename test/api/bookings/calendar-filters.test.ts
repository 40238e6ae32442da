import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import { anonymous, type ApiClient } from '../../support/api-client.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { isError, later } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';
import { storeBookings } from '../../support/stored-bookings.js';
import { FREE, book, entries, feed, isWellFormed } from './calendar-calls.js';

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

const ahead = (days: number): string =>
  new Date(Math.ceil(Date.now() / DAY_MS + days) * DAY_MS).toISOString();

const idsIn = async (api: ApiClient, query: Record<string, string> = {}): Promise<string[]> => [
  ...entries(await feed(api, query)).keys(),
];

test('cancelled and expired bookings are shown as cancelled for 30 days, then removed', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const [start_at, place] = [new Date(ahead(10)), { workspace_id, room_id: room.id }];
  const [over, cancelled, expired] = await storeBookings(place, [
    { start_at: ago(3) },
    { start_at, status: 'cancelled', cancelled_at: ago(29.9) },
    { start_at, status: 'expired', expired_at: ago(29.9) },
    { start_at, status: 'cancelled', cancelled_at: ago(30.1) },
    { start_at, status: 'expired', expired_at: ago(30.1) },
  ]);
  const found = entries(await feed(api));
  const shown = [...found].map(([id, { component }]) =>
    [id, component.getFirstPropertyValue('status'), component.getFirstPropertyValue('transp')].join(),
  );
  t.deepEqual(
    shown.sort(),
    [
      `${over},CONFIRMED,OPAQUE`,
      `${cancelled},CANCELLED,TRANSPARENT`,
      `${expired},CANCELLED,TRANSPARENT`,
    ].sort(),
  );
});

test('the feed can be filtered by from, to, room and member; by default it starts 30 days ago and has no end', async (t) => {
  const { api, id: workspace_id, ...workspace } = await newWorkspace();
  const [blue, red] = [await newRoom(api), await newRoom(api)];
  const member = await newMember({ ...workspace, api, id: workspace_id });
  const [, recent, first, second] = await storeBookings({ workspace_id, room_id: blue.id }, [
    { start_at: ago(31) },
    { start_at: ago(29) },
    { start_at: new Date(ahead(1)) },
    { start_at: new Date(ahead(700)), member_id: member.id },
  ]);
  const [other] = await storeBookings({ workspace_id, room_id: red.id }, [{ start_at: new Date(ahead(2)) }]);
  t.deepEqual(await idsIn(api), [recent, first, other, second]);
  t.deepEqual(await idsIn(api, { from: ahead(1), to: ahead(2) }), [first]);
  t.deepEqual(await idsIn(api, { from: ahead(2), to: later(ahead(2), 1) }), [other]);
  t.deepEqual(await idsIn(api, { from: later(ahead(2), 1), to: later(ahead(2), 1) }), []);
  t.deepEqual(await idsIn(api, { room_id: red.id }), [other]);
  t.deepEqual(await idsIn(api, { member_id: member.id }), [second]);
  t.deepEqual(await idsIn(api, { member_id: member.id, room_id: red.id }), []);
  isWellFormed(t, await feed(api, { room_id: blue.id, from: ahead(800) }));
  for (const [param, value] of [
    ['from', 'now'],
    ['to', '2027-03-01T10:00:00'],
    ['room_id', 'room'],
    ['member_id', 'ada'],
    ['limit', '1'],
  ] as const) {
    const response = await api.get(`/v1/calendar.ics?${param}=${value}`);
    isError(t, response, 422, 'validation_failed', param);
    t.is(response.body.error.param, param);
  }
});

test('the feed shows each caller the bookings that the list shows them, and nobody those of another workspace', async (t) => {
  const workspace = await newWorkspace();
  const { api, id: workspace_id } = workspace;
  const room = await newRoom(api, { name: 'Blue room' });
  const [member, billing, admin] = [
    await newMember(workspace),
    await newMember(workspace, { role: 'billing_contact' }),
    await newMember(workspace, { role: 'admin' }),
  ];
  const [own, others] = await storeBookings({ workspace_id, room_id: room.id }, [
    { start_at: new Date(ahead(1)), member_id: member.id },
    { start_at: new Date(ahead(2)) },
  ]);
  t.deepEqual(await idsIn(member.api), [own]);
  t.deepEqual(await idsIn(member.api, { member_id: member.id }), [own]);
  t.deepEqual(await idsIn(member.api, { member_id: admin.id }), []);
  t.deepEqual(await idsIn(billing.api), []);
  for (const person of [admin, { api }]) t.deepEqual(await idsIn(person.api), [own, others]);
  for (const person of [member, billing, admin, { api }]) {
    const { body } = await person.api.get('/v1/bookings');
    const listed = body.data.map(({ id }: { id: string }) => id);
    t.deepEqual(await idsIn(person.api), listed);
  }
  t.is(
    entries(await feed(member.api)).get(own!)!.summary,
    'Blue room',
    'a member’s own entry omits their name',
  );
  t.is(entries(await feed(api)).get(own!)!.summary, 'Blue room – Mel Member');
  const theirs = await newWorkspace();
  t.deepEqual(await idsIn(theirs.api), []);
  t.deepEqual(await idsIn(theirs.api, { room_id: room.id }), []);

  const biller = await newKey(workspace, workspace.ownerId, { resources: ['billing'] });
  isError(t, await biller.get('/v1/calendar.ics'), 403, 'auth_scope_insufficient');
  for (const query of [
    `token=${api.token}`,
    `access_token=${api.token}`,
    `authorization=Bearer ${api.token}`,
  ])
    isError(t, await anonymous('GET', `/v1/calendar.ics?${query}`), 401, 'auth_invalid', query);
});

test('an ETag is valid until the content of the feed changes', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, FREE);
  const ask = (etag?: string) =>
    api.get('/v1/calendar.ics', undefined, etag ? { 'if-none-match': etag } : {});
  const seen: string[] = [];
  const isNew = async (what: string) => {
    const response = await ask(seen.at(-1));
    t.is(response.status, 200, what);
    const etag = response.headers.get('etag')!;
    t.false(seen.includes(etag), what);
    seen.push(etag);
    const again = await ask(etag);
    t.is(again.status, 304, what);
    t.is<string, string>(again.body, '');
    t.is(again.headers.get('etag'), etag);
    t.is((await ask(`"other", W/${etag}`)).status, 304);
    t.is((await ask()).body, response.body, 'the body does not depend on the time of the request');
  };
  await isNew('empty');
  const made = await book(api, room.id);
  await isNew('a booking');
  await api.patch(`/v1/rooms/${room.id}`, { name: 'Green room' });
  await isNew('a new name of the room');
  await api.patch('/v1/workspace', { name: 'Other house' });
  await isNew('a new name of the workspace');
  await api.patch(`/v1/bookings/${made.id}`, { notes: 'Bring chairs' });
  await isNew('notes');

  const head = await anonymous('HEAD', '/v1/calendar.ics', undefined, {
    authorization: `Bearer ${api.token}`,
  });
  t.is(head.status, 200);
  t.is<unknown, string>(head.body, '');
  t.is(head.headers.get('etag'), seen.at(-1)!);
  t.is(Number(head.headers.get('content-length')), Buffer.byteLength((await ask()).body));
});

test('a feed of 10,000 bookings is returned, and one of 10,001 is refused', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const first = Date.parse(ahead(1));
  const many = Array.from({ length: 10_000 }, (_, i) => ({ start_at: new Date(first + i * 60_000) }));
  await storeBookings({ workspace_id, room_id: room.id }, many);
  const count = (document: string) => document.match(/^BEGIN:VEVENT\r$/gm)?.length;
  t.is(count(await feed(api)), 10_000);
  await storeBookings({ workspace_id, room_id: room.id }, [{ start_at: new Date(first) }]);
  const response = await api.get('/v1/calendar.ics');
  isError(t, response, 422, 'validation_failed');
  t.is(response.body.error.param, 'to');
  t.is(count(await feed(api, { to: new Date(first + 60_000).toISOString() })), 2);
});

test('a feed of more than 10 MiB is refused, but smaller ranges of it are returned', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const first = Date.parse(ahead(1));
  // Each takes 10 KB or more: 5,000 characters of two bytes.
  const many = Array.from({ length: 1_100 }, (_, i) => ({
    start_at: new Date(first + i * 60_000),
    notes: 'é'.repeat(5_000),
  }));
  await storeBookings({ workspace_id, room_id: room.id }, many);
  const response = await api.get('/v1/calendar.ics');
  isError(t, response, 422, 'validation_failed');
  t.is(response.body.error.param, 'to');
  t.is(
    response.body.error.message,
    'The bookings that start in this range take more than 10 MiB. Request a shorter range, ' +
      'one room or one member.',
  );
  const half = await feed(api, { to: new Date(first + 900 * 60_000).toISOString() });
  t.true(half.length > 4_500_000, String(half.length));
});
