import { PassThrough } from 'node:stream';
import { EventEmitter } from 'node:events';
import test from 'ava';
import type { ApiContext } from '../../api/http/context.js';
import { limitConcurrent } from '../../api/http/concurrency.js';
import { availabilityCost } from '../../domain/api-keys/limits.js';
import { client } from '../support/api-client.js';
import { startApi } from '../support/api-process.js';
import { openOffice } from '../support/dashboard.js';
import { daysAfter, NEXT_MONDAY } from '../support/days.js';
import { once } from '../support/once.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

// Buckets of 30 pages, 3 page documents, and 125 calendar requests.
const slow = once(() => startApi({ RATE_LIMIT_SCALE: '0.25' }));

test('PDFs and exports of the dashboard cost as much as ten pages', async (t) => {
  const office = await openOffice();
  const { home } = office;
  const session = office.session.copy((await slow()).baseUrl);
  const exported = async () => {
    const response = await session.get(`${home}/bookings.csv`);
    await response.text();
    return response;
  };
  for (let n = 0; n < 3; n++) t.is((await exported()).status, 200);
  const refused = await exported();
  t.is(refused.status, 429);
  t.truthy(refused.headers.get('retry-after'));
  t.is((await session.get(`${home}/bookings`)).status, 200, 'a page');
});

test('an export is in progress until its client has read it', async (t) => {
  const limit = limitConcurrent(undefined, 1);
  const request = (workspace_id: string) => {
    const res = Object.assign(new EventEmitter(), { closed: false });
    return { state: { principal: { workspace_id } }, res, body: null as unknown };
  };
  const start = (ctx: ReturnType<typeof request>, body: unknown) =>
    limit(ctx as unknown as ApiContext, async () => void (ctx.body = body));
  const first = request('ws_1');
  await start(first, new PassThrough());
  await t.throwsAsync(start(request('ws_1'), 'text'), { message: /^At most 1 requests/ });
  await start(request('ws_2'), 'text');
  first.res.emit('close');
  await start(request('ws_1'), 'text');
  await start(request('ws_1'), 'text');
});

/** A workspace with rooms, and its client of the slow API. */
async function manyRooms(count: number) {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  await db.query(
    `INSERT INTO rooms SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
     FROM rooms r, generate_series(2, $2) WHERE r.id = $1`,
    [room.id, count],
  );
  return { workspace, room, limited: client(workspace.api.token, (await slow()).baseUrl) };
}

test('the availability of many rooms over many days costs more than that of one', async (t) => {
  t.deepEqual([availabilityCost(1, 31), availabilityCost(20, 7), availabilityCost(500, 31)], [0, 0, 50]);
  const { room, limited } = await manyRooms(25);
  const remaining = async (query: string) => {
    const { status, headers } = await limited.get(`/v1/availability?from=${NEXT_MONDAY}T00:00:00Z&${query}`);
    t.is(status, 200);
    return Number(headers.get('x-ratelimit-remaining'));
  };
  const end = daysAfter(NEXT_MONDAY, 31);
  const one = await remaining(`to=${end}T00:00:00Z&room_id=${room.id}`);
  const all = await remaining(`to=${end}T00:00:00Z&tier=pro`);
  // Three, at most one of which has been refilled in the meantime.
  t.true(one - all >= 2, `${one} ${all}`);
});

test('availability that is refused for its cost takes no token, and is accepted once a bucket is full', async (t) => {
  const { workspace, limited } = await manyRooms(100);
  // Costs 11.
  const query = `from=${NEXT_MONDAY}T00:00:00Z&to=${daysAfter(NEXT_MONDAY, 31)}T00:00:00Z&tier=pro`;
  const ask = () => limited.get(`/v1/availability?${query}`);
  const setBucket = (id: string, changes: string) =>
    db.query(`UPDATE rate_limit_buckets SET refilled_at = now(), ${changes} WHERE id = $1`, [id]);
  t.is((await ask()).status, 200);

  await setBucket(workspace.id, 'tokens = 5');
  const refused = await ask();
  t.is(refused.status, 429);
  // 6 tokens at 25 a minute.
  t.is(refused.headers.get('retry-after'), '15');
  t.true(Number(refused.headers.get('x-ratelimit-remaining')) >= 5);

  await setBucket(workspace.id, 'tokens = 100');
  const [{ id: key }] = await db.query(
    `SELECT key_id AS id FROM api_tokens WHERE workspace_id = $1 AND ends_at IS NULL`,
    [workspace.id],
  );
  await setBucket(key, `tokens = 5, retry_after_windows = '{}', throttled_until = now() + interval '1 hour'`);
  const throttled = await ask();
  t.is(throttled.headers.get('x-ratelimit-limit'), '5');
  t.is(throttled.status, 200, 'the bucket of a throttled client is smaller than the cost');
});
