import { randomBytes } from 'node:crypto';
import test from 'ava';
import { confirmedBooking } from '../support/bookings.js';
import { startApi } from '../support/api-process.js';
import { once } from '../support/once.js';
import { client, db, newWorkspace, type ApiResponse, type ApiClient } from '../support/stack.js';
import { isError } from './booking-calls.js';
import { newKey } from './people.js';

// A tenth of every limit: calendar bucket 50 with a refill of one every 6 s, key bucket 60 with one a second,
// address bucket 6 with one every 10 s.
const SETTINGS = {
  RATE_LIMIT_SCALE: '0.1',
  TRUSTED_PROXIES: '1',
  // Both processes sign links with it.
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
// A fiftieth: calendar bucket 10 with a refill of one every 30 s, key bucket 12, throttled bucket 1.
const STRICTER = { RATE_LIMIT_SCALE: '0.02' };
const addresses = once(async () => {
  const [here, there, strict] = await Promise.all([SETTINGS, SETTINGS, STRICTER].map(startApi));
  const { baseUrl, internalUrl } = here!;
  return { here: baseUrl, internalUrl, there: there!.baseUrl, strict: strict!.baseUrl };
});

const on = (base: string, { token }: ApiClient): ApiClient => client(token, base);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const limitOf = ({ headers }: ApiResponse): number[] =>
  ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
const anyAddress = (): string => `100.64.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;

/** Calls until the first refusal. Returns that. */
async function exhaust(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await call();
    if (response.status === 429) return response;
  }
}

/** Calls by 32 concurrent clients. Returns the statuses, and the least and most seconds that they can have been apart. */
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

test("a key's bucket is shared by all processes, exact to one request, and not by other keys", async (t) => {
  const { here, there } = await addresses();
  const workspace = await newWorkspace();
  const clients = [on(here, workspace.api), on(there, workspace.api)];
  const { statuses, seconds } = await storm(128, (n) => clients[n % 2]!.get('/v1/workspace'));
  const passed = statuses.filter((status) => status === 200).length;
  t.deepEqual([...new Set(statuses)].sort(), [200, 429]);
  t.true(passed >= 60 && passed <= 60 + Math.floor(seconds), `${passed} in ${seconds} s`);
  const other = on(here, await newKey(workspace, workspace.ownerId));
  t.deepEqual(limitOf(await other.get('/v1/workspace')), [60, 59]);
});

test("every response has the remaining requests of the calendar bucket on calendar routes, of the key's bucket elsewhere", async (t) => {
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
    const [limit, remaining] = limitOf(response) as [number, number];
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
  t.is(limitOf(forbidden)[0], 50);
  t.true(limitOf(forbidden)[1]! >= 46);
});

test('a bulk call costs a tenth of its operations; one that costs more than the bucket size empties it and leaves a debt', async (t) => {
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
  t.deepEqual(limitOf((await bulk(1)).response), [60, 59]);
  t.deepEqual(limitOf((await bulk(100)).response), [60, 50]);
  const { api, call, response } = await bulk(1_000);
  t.is(response.status, 200);
  t.deepEqual(limitOf(response), [60, 0]);
  const next = await api.get('/v1/workspace');
  isError(t, next, 429, 'rate_limited');
  t.true(next.body.error.retry_after_ms! > 35_000, 'the refill time of 100 requests and one more');
  t.true((await call()).body.error.retry_after_ms! > 90_000, 'a full bucket');
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
  t.deepEqual(limitOf(refused), [60, 0]);
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
  t.is(limitOf(await ignore())[0], 10, 'the first violation');
  const second = await ignore();
  isError(t, second, 429, 'rate_limited');
  t.is(limitOf(second)[0], 1, 'the second violation');
  t.deepEqual(limitOf(await api.get('/v1/workspace')), [1, 0]);
  const throttled = await api.get('/v1/workspace');
  isError(t, throttled, 429, 'rate_limited');
  t.deepEqual(limitOf(throttled), [1, 0]);
  t.true(Number(throttled.headers.get('retry-after')) > 60);
  const other = on(strict, await newKey(workspace, workspace.ownerId));
  t.is(limitOf(await other.get('/v1/workspace'))[0], 12);
  await db.query(
    `UPDATE rate_limit_buckets SET throttled_until = now(), retry_after_windows = '{}' WHERE id = $1`,
    [await keyIdOf(workspace.id)],
  );
  t.is(limitOf(await api.get('/v1/workspace'))[0], 12, 'ten minutes later');
});

test('requests without a valid token share a bucket per address, whatever X-Forwarded-For the client sends', async (t) => {
  const { here, there } = await addresses();
  const from = (base: string, address: string, token = 'none') =>
    client(token, base).get('/v1/workspace', undefined, { 'x-forwarded-for': address });
  const address = anyAddress();
  for (let n = 5; n >= 0; n--) {
    const response = await from(n % 2 ? here : there, `${anyAddress()}, ${address}`);
    isError(t, response, 401, 'auth_invalid');
    t.deepEqual(limitOf(response), [6, n]);
  }
  isError(t, await from(here, `${anyAddress()}, ${address}`), 429, 'rate_limited');
  isError(t, await from(here, `::ffff:${address}`), 429, 'rate_limited');
  isError(t, await from(there, `${address}:4711`), 429, 'rate_limited', 'from another port');
  isError(t, await from(here, anyAddress()), 401, 'auth_invalid');
  const { api } = await newWorkspace();
  t.is((await from(here, address, api.token)).status, 200, 'a valid token has its own bucket');
  const network = `2001:db8:${randomBytes(2).toString('hex')}:1`;
  t.deepEqual(limitOf(await from(here, `${network}::1`)), [6, 5]);
  t.deepEqual(limitOf(await from(here, `${network}:ffff::2`)), [6, 4], 'an IPv6 /64 shares one bucket');
  t.is((await from(here, 'nonsense')).status < 500, true);
});

test('health and signed webhooks are exempt; unsigned ones, wrong internal tokens and unknown links are not', async (t) => {
  const { here, internalUrl } = await addresses();
  const address = anyAddress();
  const send = (method: 'get' | 'post', path: string) =>
    client('none', here)[method](path, method === 'post' ? {} : undefined, { 'x-forwarded-for': address });
  for (let n = 0; n < 10; n++) {
    t.is((await send('get', '/health')).status, 200);
    t.is((await send('get', '/health/live')).status, 200);
  }
  t.deepEqual(limitOf(await send('post', '/webhooks/processor')), [6, 5]);
  t.deepEqual(limitOf(await send('post', '/internal/actions')), [6, 4]);
  t.deepEqual(limitOf(await send('get', '/nothing')), [6, 3]);
  t.deepEqual(limitOf(await send('get', '/checkout/success?session_id=cs_none')), [6, 2]);
  t.deepEqual(limitOf(await send('get', '/pay/none')), [6, 1]);
  t.deepEqual(limitOf(await send('get', '/manage/none')), [6, 0]);
  const refused = await send('get', '/checkout/left?checkout_id=none');
  t.is(refused.status, 429);
  t.regex(String(refused.body), /<h1>Too many requests/, 'a page');
  t.is(limitOf(await client('none', internalUrl).post('/internal/actions', {}))[0], 6);
});

test('each link and each checkout of a payer has its own bucket, and only what changes something counts against the address', async (t) => {
  const { here, there } = await addresses();
  const { api } = await newWorkspace();
  const address = anyAddress();
  const send = (method: 'get' | 'post', path: string, base = here) =>
    client('none', base)[method](path, undefined, { 'x-forwarded-for': address });
  const pathOf = (url: string | null | undefined): string => new URL(url!).pathname;
  const linked = async () => {
    const { booking } = await confirmedBooking(api);
    const { body: read } = await on(here, api).get(`/v1/bookings/${booking.id}`);
    return { ...read, invoice: (await on(here, api).get(`/v1/invoices/${read.invoice_id!}`)).body };
  };
  const booking = await linked();
  const [checkout] = await db.query('SELECT id, session_id FROM checkouts WHERE owner_id = $1', [booking.id]);
  const links = [
    pathOf(booking.manage_url),
    pathOf(booking.invoice.pay_url),
    `/checkout/success?session_id=${checkout.session_id}`,
  ];
  const began = Date.now();
  for (const link of links) {
    for (let n = 0; n < 6; n++) {
      const { status, headers } = await send('get', link, n % 2 ? here : there);
      t.deepEqual([status, headers.get('x-ratelimit-limit')], [200, null], link);
    }
    // One is refilled every 10 s.
    const more = Math.floor((Date.now() - began) / 10_000);
    for (let n = 0; n < more; n++) await send('get', link);
    const { status, headers } = await send('get', link);
    t.is(status, 429, link);
    t.true(Number(headers.get('retry-after')) <= 10, link);
  }

  const other = await linked();
  const { pay_url } = other.invoice;
  t.is((await send('get', `${pathOf(pay_url)}/pdf`)).status, 200);
  t.is((await send('get', `${pathOf(pay_url)}/pdf`)).status, 429, 'a PDF costs more than a page');
  t.is((await send('get', pathOf(pay_url))).status, 200);
  const paid = await send('post', pathOf(pay_url));
  t.deepEqual([paid.status, ...limitOf(paid)], [303, 6, 5]);
  const cancelled = await send('post', `${pathOf(other.manage_url)}/cancel`);
  t.deepEqual(limitOf(cancelled), [6, 4]);
});

const keyIdOf = async (workspaceId: string): Promise<string> =>
  (await db.query(`SELECT id FROM api_keys WHERE workspace_id = $1 ORDER BY created_at`, [workspaceId]))[0]
    .id;

test("a key's last use is exact to the minute, and written once a minute", async (t) => {
  const workspace = await newWorkspace();
  const keyId = await keyIdOf(workspace.id);
  const look = async () =>
    (
      await db.query(`SELECT xmin::text AS version, last_used_at FROM api_tokens WHERE key_id = $1`, [keyId])
    )[0];
  const minute = (time: Date): string => time.toISOString().slice(0, 16);
  let before = new Date();
  t.is((await look()).last_used_at, null);
  await workspace.api.get('/v1/workspace');
  const first = await look();
  t.true([minute(before), minute(new Date())].includes(minute(first.last_used_at)));
  for (let n = 0; n < 3; n++) await workspace.api.get('/v1/workspace');
  if (minute(first.last_used_at) === minute(new Date())) t.deepEqual(await look(), first);
  await db.query(
    `UPDATE api_tokens SET last_used_at = last_used_at - interval '1 minute' WHERE key_id = $1`,
    [keyId],
  );
  before = new Date();
  await workspace.api.get('/v1/workspace');
  const { last_used_at } = await look();
  t.true([minute(before), minute(new Date())].includes(minute(last_used_at)));
});
