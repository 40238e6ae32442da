import test from 'ava';
import { createObjects } from '../../support/objects.js';
import { ROWS } from '../../support/rights-table.js';
import { bookingBody, freeHour } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { WebSession } from '../../support/web-session.js';
import { newRoom, newWorkspace, findOwnerEmail } from '../../support/workspaces.js';
import { DASHBOARD_ROWS } from '../../support/dashboard-rights-table.js';

const reads = (rows: { route: string }[]): string[] =>
  rows.map(({ route }) => route.split(' ')).flatMap(([method, path]) => (method === 'GET' ? path! : []));

test('a workspace whose zone is no longer recognised opens all of its pages, says so, and can be corrected', async (t) => {
  const workspace = await newWorkspace();
  const { api, id } = workspace;
  const ids = await createObjects(workspace);
  const withIds = (path: string): string => path.replace(/:(\w+)/g, (_, name) => ids[name] ?? 'none');
  const session = await WebSession.start(await findOwnerEmail(id));
  await session.enrol();
  const room = await newRoom(api, { name: 'Lost room' });
  const availability = (): string =>
    `/v1/availability?room_id=${room.id}&from=${freeHour(0).start_at}&to=${freeHour(0).end_at}`;
  const apiPaths = [...reads(ROWS).map(withIds), availability(), `/v1/availability?tier=pro`];
  const statuses = async (): Promise<[string, number][]> => {
    const found: [string, number][] = [];
    for (const path of apiPaths) found.push([path, (await api.get(path as never)).status]);
    return found;
  };
  const before = await statuses();
  t.deepEqual(
    before.filter(([, status]) => status >= 500),
    [],
  );
  // As a later Node or Postgres without the zone would see it.
  await db.query(`UPDATE workspaces SET time_zone = 'Mars/Olympus' WHERE id = $1`, [id]);
  await db.query(`UPDATE rooms SET time_zone = 'Mars/Olympus' WHERE workspace_id = $1`, [id]);

  t.deepEqual(await statuses(), before);
  for (const path of reads(DASHBOARD_ROWS)) {
    const page = await session.get(`/dashboard/${id}${withIds(path)}`);
    t.is(page.status, 200, path);
    await page.arrayBuffer();
  }
  const overview = async (): Promise<string> => (await session.get(`/dashboard/${id}`)).text();
  const troubled = await overview();
  t.regex(troubled, /A time zone is not supported/);
  t.regex(troubled, /The workspace: Mars\/Olympus/);
  t.regex(troubled, /Lost room: Mars\/Olympus/);

  // Nobody knows when the room is open, so it is closed until somebody corrects it.
  const { status, body } = await api.post('/v1/bookings', bookingBody(room.id));
  t.deepEqual([status, body.error?.code], [409, 'slot_unavailable']);
  const closed = (await api.get(availability() as never)).body as unknown as {
    data: [{ free: []; busy: { reason: string }[] }];
  };
  t.deepEqual(closed.data[0].free, []);
  t.is(closed.data[0].busy[0]!.reason, 'closed');

  t.is((await api.patch('/v1/workspace', { time_zone: 'europe/PARIS' })).body.time_zone, 'Europe/Paris');
  for (const { id: each } of (await api.get('/v1/rooms?limit=100')).body.data)
    await api.patch(`/v1/rooms/${each}`, { time_zone: 'Europe/Paris' });
  t.notRegex(await overview(), /A time zone is not supported/);
  t.is((await api.post('/v1/bookings', bookingBody(room.id))).status, 201);
});

test('names that Postgres reads differently or not at all are 422, in every field for a zone', async (t) => {
  const { api, id } = await newWorkspace();
  const room = await newRoom(api);
  for (const time_zone of [
    'CTT',
    'BST',
    'CET',
    'AET',
    '+13:00',
    '+0530',
    'Etc/GMT+5',
    'US/Pacific-New',
    'EST5EDT',
  ]) {
    for (const { status, body } of [
      await api.patch('/v1/workspace', { time_zone }),
      await api.patch(`/v1/rooms/${room.id}`, { time_zone }),
      await api.post('/v1/rooms', { ...room, id: undefined, time_zone } as never),
    ])
      t.is(status, 422, `${time_zone} ${JSON.stringify(body)}`);
  }
  t.is(
    (await api.patch('/v1/workspace', { time_zone: 'america/new_york' })).body.time_zone,
    'America/New_York',
  );
  const created = await api.patch(`/v1/rooms/${room.id}`, { time_zone: 'asia/kolkata' });
  t.is(created.body.time_zone, 'Asia/Kolkata');
  // A room takes the zone of its workspace, unless settings don't accept it.
  await db.query(`UPDATE workspaces SET time_zone = 'CTT' WHERE id = $1`, [id]);
  const { name, price_per_hour } = room;
  const inherited = await api.post('/v1/rooms', { name, price_per_hour } as never);
  t.deepEqual([inherited.status, inherited.body.error?.param], [422, 'time_zone']);
});
