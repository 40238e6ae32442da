import test from 'ava';
import { client } from '../../support/api-client.js';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { db, dev } from '../../support/stack.js';
import { isError } from '../../support/booking-calls.js';
import { addresses, anyAddress } from '../../support/limit-calls.js';
import { newKey, newMember } from '../../support/people.js';

const FREE = { currency: 'GBP', amount_minor: 0 };

/**
 * A workspace with a room that two members have booked, and the room's calendar addresses for a member and an
 * admin.
 */
async function setUp() {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [ada, bob, admin] = [
    await newMember(workspace),
    await newMember(workspace),
    await newMember(workspace, { role: 'admin' }),
  ];
  const room = await newRoom(api, { price_per_hour: FREE });
  const other = await newRoom(api, { price_per_hour: FREE });
  const book = async (room_id: string, member_id: string, hours: number): Promise<string> => {
    const body = bookingBody(room_id, { ...freeHour(hours), booked_by: { member_id } });
    return (await api.post('/v1/bookings', body)).body.id;
  };
  const bookings = {
    adas: await book(room.id, ada.id, 30),
    bobs: await book(room.id, bob.id, 60),
    elsewhere: await book(other.id, ada.id, 90),
  };
  return { workspace, api, room, ada, bob, admin, bookings };
}

const read = async (url: string) => (await fetch(url)).text();

test('a room’s calendar address shows what its member’s role allows now, and a personal one shows their bookings in all rooms', async (t) => {
  const { workspace, api, room, ada, admin, bookings } = await setUp();
  const [adas, admins] = [await newKey(workspace, ada.id), await newKey(workspace, admin.id)];
  const made = await adas.post('/v1/feeds', { kind: 'room', id: room.id });
  t.is(made.status, 201);
  t.like(made.body, { kind: 'room', object_id: room.id });
  const shown = async (url: string): Promise<string[]> => {
    const document = await read(url);
    return Object.entries(bookings).flatMap(([name, id]) => (document.includes(id) ? [name] : []));
  };
  t.deepEqual(await shown(made.body.url!), ['adas']);
  const all = await admins.post('/v1/feeds', { kind: 'room', id: room.id });
  t.deepEqual(await shown(all.body.url!), ['adas', 'bobs']);
  const own = await adas.post('/v1/feeds', { kind: 'member', id: ada.id });
  t.deepEqual(await shown(own.body.url!), ['adas', 'elsewhere']);
  isError(t, await admins.post('/v1/feeds', { kind: 'member', id: ada.id }), 403, 'role_insufficient');

  await api.patch(`/v1/members/${admin.id}`, { role: 'member' });
  t.deepEqual(await shown(all.body.url!), [], 'the role of now');
  await api.patch(`/v1/members/${admin.id}`, { role: 'front_desk' });
  t.deepEqual(await shown(all.body.url!), ['adas', 'bobs']);
});

test('a calendar address is shown once, and ends when it is replaced, when its member ends it, or with the membership', async (t) => {
  const { workspace, api, room, ada, bob } = await setUp();
  const [adas, bobs] = [await newKey(workspace, ada.id), await newKey(workspace, bob.id)];
  const body = { kind: 'room', id: room.id };
  const first = await adas.post('/v1/feeds', body);
  const document = await fetch(first.body.url!);
  t.regex(document.headers.get('content-type')!, /^text\/calendar/);
  t.regex(await document.text(), /REFRESH-INTERVAL;VALUE=DURATION:PT1H/);
  const etag = document.headers.get('etag')!;
  t.is((await fetch(first.body.url!, { headers: { 'if-none-match': etag } })).status, 304);
  const { body: list } = await adas.get('/v1/feeds');
  t.deepEqual(
    list.data.map(({ id }) => id),
    [first.body.id],
  );
  t.false(JSON.stringify(list).includes('.ics'));
  t.deepEqual((await bobs.get('/v1/feeds')).body.data, [], 'those of others are not shown');

  const second = await adas.post('/v1/feeds', body);
  t.is((await fetch(first.body.url!)).status, 404, 'replaced');
  t.is((await fetch(second.body.url!.replace(second.body.id, first.body.id))).status, 404, 'forged');
  isError(t, await bobs.delete(`/v1/feeds/${second.body.id}`), 404, 'not_found');
  t.is((await adas.delete(`/v1/feeds/${second.body.id}`)).status, 204);
  t.is((await fetch(second.body.url!)).status, 404, 'ended');
  isError(t, await adas.delete(`/v1/feeds/${second.body.id}`), 404, 'not_found');

  const last = await adas.post('/v1/feeds', body);
  t.is((await fetch(last.body.url!)).status, 200);
  await api.post(`/v1/members/${ada.id}/archive`, {});
  t.is((await fetch(last.body.url!)).status, 404, 'archived');
  isError(t, await bobs.post('/v1/feeds', { kind: 'room', id: 'x' }), 404, 'room_not_found');
});

test('each calendar address has its own limit, and unknown ones count against the client’s', async (t) => {
  const { here } = await addresses();
  const unknown = `${here}/feeds/x.ics`;
  const from = { headers: { 'x-forwarded-for': anyAddress() } };
  const statuses = [];
  for (let n = 0; n < 8; n++) statuses.push((await fetch(unknown, from)).status);
  t.is(statuses.filter((status) => status === 404).length, 6);
  t.is(statuses.at(-1), 429);
  const { workspace, room } = await setUp();
  const { body } = await workspace.api.post('/v1/feeds', { kind: 'room', id: room.id });
  const many = await Promise.all(Array.from({ length: 5 }, () => fetch(body.url!)));
  t.true(many.every(({ status }) => status === 200));
  t.true(body.url!.startsWith(`${dev.baseUrl}/feeds/feed_`));
});

test('a calendar address ends with the key that created it, and has no more rights than the key', async (t) => {
  const { workspace, api, room, admin } = await setUp();
  const issued = async (name: string) => {
    const { body } = await api.post('/v1/api-keys', { name, member_id: admin.id });
    return { id: body.id, api: client(body.token!) };
  };
  const [leaked, kept] = [await issued('Leaked'), await issued('Kept')];
  const body = { kind: 'room', id: room.id } as const;
  const { url } = (await leaked.api.post('/v1/feeds', body)).body;
  t.regex(await read(url!), /BEGIN:VEVENT/);
  await api.delete(`/v1/api-keys/${leaked.id}`);
  t.is((await fetch(url!)).status, 404, 'who has used a key reads nothing after it was revoked');
  t.deepEqual((await kept.api.get('/v1/feeds')).body.data, []);

  const boss = await newMember(workspace, { role: 'admin' });
  const bosses = await newKey(workspace, boss.id);
  const own = await bosses.post('/v1/api-keys', { name: 'For Ada’s boss', member_id: admin.id });
  const feed = await client(own.body.token!).post('/v1/feeds', body);
  t.regex(await read(feed.body.url!), /BEGIN:VEVENT/);
  await api.patch(`/v1/members/${boss.id}`, { role: 'member' });
  t.notRegex(await read(feed.body.url!), /BEGIN:VEVENT/, 'as the key, by the role of who issued it');
  await api.post(`/v1/members/${boss.id}/archive`);
  t.is((await fetch(feed.body.url!)).status, 404);
});

/**
 * An admin's key, the calendar address of a room that it has created, and that address's current response.
 */
async function withKey({ workspace, api, room, admin }: Awaited<ReturnType<typeof setUp>>, scope = {}) {
  const { body: key } = await api.post('/v1/api-keys', { name: 'Feed', member_id: admin.id, scope });
  const made = await client(key.token!).post('/v1/feeds', { kind: 'room', id: room.id });
  const url = made.body.url!;
  const createFeed = async (token: string) =>
    (await client(token).post('/v1/feeds', { kind: 'member', id: admin.id })).body.url!;
  const fetchStatus = async (address = url) => (await fetch(address)).status;
  const listed = async () =>
    (await (await newKey(workspace, admin.id)).get('/v1/feeds')).body.data.map(({ id }) => id);
  const path = `/v1/api-keys/${key.id}` as const;
  const { id } = made.body;
  return { id, key, path, url, fetchStatus, createFeed, listed };
}

test('a calendar address ends when its key expires or may no longer read bookings', async (t) => {
  const home = await setUp();
  const [expired, narrowed] = [await withKey(home), await withKey({ ...home, admin: home.ada })];
  t.deepEqual([await expired.fetchStatus(), await narrowed.fetchStatus()], [200, 200]);
  await db.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [expired.key.id]);
  t.is(await expired.fetchStatus(), 404);
  t.deepEqual(await expired.listed(), []);

  await home.api.patch(narrowed.path, { scope: { resources: ['calendar'], actions: ['read'] } });
  t.is(await narrowed.fetchStatus(), 200, 'reading is enough');
  const billing = await withKey({ ...home, admin: home.bob }, { resources: ['calendar', 'billing'] });
  t.is(await billing.fetchStatus(), 200);
  await home.api.patch(billing.path, { scope: { resources: ['billing'] } });
  t.is(await billing.fetchStatus(), 404);
  t.deepEqual(await billing.listed(), []);
});

test('a key that cannot read bookings creates no calendar address that can', async (t) => {
  const { workspace, room, admin } = await setUp();
  const writes = await newKey(workspace, admin.id, { resources: ['calendar'], actions: ['write'] });
  const refused = await writes.post('/v1/feeds', { kind: 'room', id: room.id });
  isError(t, refused, 403, 'auth_scope_insufficient');
  t.deepEqual(refused.body.error.details, { required: 'calendar:read' });
});

test('a calendar address ends with the token that created it, not with its key: by rotation, or as an access token does', async (t) => {
  const home = await setUp();
  const made = await withKey(home);
  const rotate = async () =>
    (await home.api.post(`${made.path}/rotate`, { grace_window_days: 1 })).body.token!;
  const second = await made.createFeed(await rotate());
  t.deepEqual(
    [await made.fetchStatus(), await made.fetchStatus(second)],
    [200, 200],
    'while both tokens work',
  );
  // The next rotation ends the oldest token.
  const third = await rotate();
  t.deepEqual([await made.fetchStatus(), await made.fetchStatus(second)], [404, 200]);
  t.is((await made.listed()).length, 1);
  const last = await made.createFeed(third);
  t.is(await made.fetchStatus(last), 200);
  await db.query(
    `UPDATE api_tokens SET ends_at = now() WHERE hash = (SELECT token_hash FROM feeds WHERE member_id = $1)`,
    [home.admin.id],
  );
  t.is(await made.fetchStatus(last), 404);
});

test('a calendar address can be read only from the ip_allowlist of its key', async (t) => {
  const home = await setUp();
  const made = await withKey(home, { ip_allowlist: ['127.0.0.1', '::1', '192.0.2.0/24'] });
  t.is(await made.fetchStatus(), 200);
  await home.api.patch(made.path, { scope: { ip_allowlist: ['192.0.2.0/24'] } });
  const outside = await fetch(made.url);
  t.is(outside.status, 403);
  t.notRegex(await outside.text(), /VCALENDAR/);
  t.deepEqual(await made.listed(), [made.id], 'it has not ended');
});

test('revoke-all ends every calendar address that a key has created', async (t) => {
  const home = await setUp();
  const made = await withKey(home);
  t.is(await made.fetchStatus(), 200);
  await home.api.post('/v1/api-keys/revoke-all', {});
  t.is(await made.fetchStatus(), 404);
});
