import test from 'ava';
import type { ApiResponse } from '../../support/api-response.js';
import { startApi } from '../../support/api-process.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newKey } from '../../support/people.js';
import { addresses, firstKeyId, readLimit, on } from '../../support/limit-calls.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls until the first refusal, and returns it. */
async function exhaust(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await call();
    if (response.status === 429) return response;
  }
}

/** Calls by 32 concurrent clients. Returns the statuses, and the minimum and maximum seconds between them. */
async function storm(calls: number, call: (n: number) => Promise<ApiResponse>) {
  const began = Date.now();
  const statuses: number[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < calls) statuses.push((await call(next++)).status);
  };
  await Promise.all(Array.from({ length: 32 }, one));
  return { statuses, seconds: (Date.now() - began) / 1000 };
}

test('all keys of a workspace share one calendar bucket in all processes, exact to one request', async (t) => {
  const { here, there } = await addresses();
  const workspace = await newWorkspace();
  const keys = [workspace.api, await newKey(workspace, workspace.ownerId)];
  const clients = keys.flatMap((key) => [on(here, key), on(there, key)]);
  const paths = ['/v1/rooms', '/v1/bookings', '/v1/calendar.ics'];
  const { statuses, seconds } = await storm(96, (n) => clients[n % 4]!.get(paths[n % 3]!));
  const passed = statuses.filter((status) => status === 200).length;
  t.deepEqual([...new Set(statuses)].sort(), [200, 429]);
  t.true(passed >= 50 && passed <= 50 + Math.floor(seconds / 6), `${passed} in ${seconds} s`);
  const other = await on(here, keys[1]!).get('/v1/workspace');
  t.is(other.status, 200, 'other routes are not limited');
});

test("a key's bucket is shared by all processes, exact to one request, and not used by other keys", async (t) => {
  const { here, there } = await addresses();
  const workspace = await newWorkspace();
  const clients = [on(here, workspace.api), on(there, workspace.api)];
  const { statuses, seconds } = await storm(128, (n) => clients[n % 2]!.get('/v1/workspace'));
  const passed = statuses.filter((status) => status === 200).length;
  t.deepEqual([...new Set(statuses)].sort(), [200, 429]);
  t.true(passed >= 60 && passed <= 60 + Math.floor(seconds), `${passed} in ${seconds} s`);
  const other = on(here, await newKey(workspace, workspace.ownerId));
  t.deepEqual(readLimit(await other.get('/v1/workspace')), [60, 59]);
});

test("every response has the remaining requests of the calendar bucket on calendar routes, and of the key's bucket elsewhere", async (t) => {
  const { here } = await addresses();
  const workspace = await newWorkspace();
  const api = on(here, workspace.api);
  const left: [string, () => Promise<ApiResponse>, number, number, number][] = [
    ['a calendar route', () => api.get('/v1/rooms'), 200, 50, 49],
    ['an invalid query', () => api.get('/v1/bookings?limit=0'), 422, 50, 48],
    ['nothing found', () => api.get('/v1/rooms/none'), 404, 50, 47],
    ['another route', () => api.get('/v1/workspace'), 200, 60, 56],
    ['an invalid body', () => api.patch('/v1/workspace', { colour: 'red' }), 422, 60, 55],
    ['no route', () => api.get('/v1/nothing'), 404, 60, 54],
    ['no method', () => api.delete('/v1/workspace'), 405, 60, 53],
  ];
  const began = Date.now();
  for (const [what, ask, status, size, least] of left) {
    const sent = Date.now() / 1000;
    const response = await ask();
    t.is(response.status, status, what);
    const [limit, remaining] = readLimit(response) as [number, number];
    const perSecond = size === 50 ? 1 / 6 : 1;
    const most = least + ((Date.now() - began) / 1000) * perSecond;
    t.true(limit === size && remaining >= least && remaining <= most, `${what}: ${remaining} of ${limit}`);
    const resetAt = Number(response.headers.get('x-ratelimit-reset'));
    // `remaining` is rounded down, so the bucket can be full up to one refill earlier.
    const wait = (size - remaining) / perSecond;
    t.true(
      resetAt > sent + wait - 1 / perSecond - 0.5 && resetAt < Date.now() / 1000 + wait + 1.5,
      `${what}: full at ${resetAt}, ${wait} s after ${sent}`,
    );
  }
  const reader = on(here, await newKey(workspace, workspace.ownerId, { actions: ['read'] }));
  const forbidden = await reader.post('/v1/rooms', {});
  isError(t, forbidden, 403, 'auth_scope_insufficient');
  t.is(readLimit(forbidden)[0], 50);
  t.true(readLimit(forbidden)[1]! >= 46);
});

test('a bulk call costs a tenth of its operations, and one that costs more than the bucket empties it and leaves a debt', async (t) => {
  const { here } = await addresses();
  const workspace = await newWorkspace();
  const bulk = async (operations: number) => {
    const api = on(here, await newKey(workspace, workspace.ownerId));
    const call = () =>
      api.post('/v1/members.bulk', {
        operations: Array.from({ length: operations }, () => ({ op: 'nothing' })),
      });
    return { api, call, response: await call() };
  };
  t.deepEqual(readLimit((await bulk(1)).response), [60, 59]);
  t.deepEqual(readLimit((await bulk(100)).response), [60, 50]);
  const { api, call, response } = await bulk(1_000);
  t.is(response.status, 200);
  t.deepEqual(readLimit(response), [60, 0]);
  const next = await api.get('/v1/workspace');
  isError(t, next, 429, 'rate_limited');
  t.true(next.body.error.retry_after_ms! > 35_000, 'the refill time of 100 requests and one more');
  t.true(
    (await call()).body.error.retry_after_ms! > 30_000,
    'until there is a token: its body is not read before',
  );
});

test('a 429 takes precedence over 403 and 422, and has the exact time to wait', async (t) => {
  const { here } = await addresses();
  const workspace = await newWorkspace();
  const biller = on(here, await newKey(workspace, workspace.ownerId, { resources: ['billing'] }));
  const refused = await exhaust(() => biller.get('/v1/workspace?nonsense=1'));
  isError(t, refused, 429, 'rate_limited');
  const { retry_after_ms: wait } = refused.body.error;
  t.true(Number.isInteger(wait) && wait! > 0 && wait! <= 1000);
  t.is(refused.headers.get('retry-after'), '1');
  t.deepEqual(readLimit(refused), [60, 0]);
  await pause(wait!);
  isError(t, await biller.get('/v1/workspace'), 403, 'auth_scope_insufficient');
});

test('a caller that ignores Retry-After twice is throttled, and no other caller is', async (t) => {
  const { strict } = await addresses();
  const workspace = await newWorkspace();
  const api = on(strict, workspace.api);
  const ignore = async (): Promise<ApiResponse> => {
    await pause(1_050);
    return api.get('/v1/rooms');
  };
  const refused = await exhaust(() => api.get('/v1/rooms'));
  t.true(Number(refused.headers.get('retry-after')) > 2);
  t.is(readLimit(await ignore())[0], 10, 'the first violation');
  const second = await ignore();
  isError(t, second, 429, 'rate_limited');
  t.is(readLimit(second)[0], 1, 'the second violation');
  t.deepEqual(readLimit(await api.get('/v1/workspace')), [1, 0]);
  const throttled = await api.get('/v1/workspace');
  isError(t, throttled, 429, 'rate_limited');
  t.deepEqual(readLimit(throttled), [1, 0]);
  t.true(Number(throttled.headers.get('retry-after')) > 60);
  const other = on(strict, await newKey(workspace, workspace.ownerId));
  t.is(readLimit(await other.get('/v1/workspace'))[0], 12);
  await db.query(
    `UPDATE rate_limit_buckets SET throttled_until = now(), retry_after_windows = '{}' WHERE id = $1`,
    [await firstKeyId(workspace.id)],
  );
  t.is(readLimit(await api.get('/v1/workspace'))[0], 12, 'ten minutes later');
});

test('the buckets have their real sizes: bursts of 500 and 600, and 20 for a caller that ignores Retry-After', async (t) => {
  const { baseUrl, stop } = await startApi({ RATE_LIMIT_SCALE: '1' });
  try {
    const workspace = await newWorkspace();
    const api = on(baseUrl, workspace.api);
    const rooms = () => api.get('/v1/rooms');
    const other = await on(baseUrl, await newKey(workspace, workspace.ownerId)).get('/v1/workspace');
    t.deepEqual(readLimit(other), [600, 599]);

    const { statuses, seconds } = await storm(560, rooms);
    const passed = statuses.filter((status) => status === 200).length;
    // 100 are refilled in a minute.
    const most = 500 + Math.ceil((seconds * 100) / 60);
    t.true(passed >= 500 && passed <= most, `${passed} in ${seconds} s`);

    // Retry-After is a second here. A request that a busy machine sends later is no violation.
    let last = await exhaust(rooms);
    t.is(last.headers.get('retry-after'), '1');
    for (let tries = 0; tries < 20 && readLimit(last)[0] !== 20; tries++) {
      await pause(400);
      last = await rooms();
      if (last.status !== 429 && readLimit(last)[0] !== 20) last = await exhaust(rooms);
    }
    t.is(readLimit(last)[0], 20);
    const throttled = await storm(40, () => api.get('/v1/workspace'));
    const slow = throttled.statuses.filter((status) => status === 200).length;
    t.true(slow >= 18 && slow <= 20 + Math.ceil(throttled.seconds / 3), `${slow} in ${throttled.seconds} s`);
    const { headers } = await exhaust(() => api.get('/v1/workspace'));
    t.true(Number(headers.get('retry-after')) <= 3, 'one every 3 s');
  } finally {
    stop();
  }
});
