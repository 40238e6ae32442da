import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Browser } from 'playwright-core';
import { anyAddress, addresses } from '../../support/limit-calls.js';
import { newPage } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { serveSite } from '../../support/other-site.js';
import { refresh } from '../../support/oauth-app.js';
import { db, dev } from '../../support/stack.js';
import { apps, newScene, newTokens } from './oauth-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test.after.always(() => {
  for (const app of apps) app.close();
});

const newOrigin = (): string => `https://${randomUUID()}.example`;
const callbackUrl = (origin: string): string => `${origin}/callback`;

const preflight = (origin: string, path = '/v1/bookings', headers: Record<string, string> = {}) =>
  fetch(dev.baseUrl + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type',
      ...headers,
    },
  });

const corsHeaders = ({ headers }: Response): string[] =>
  [...headers].map(([name]) => name).filter((name) => name.startsWith('access-control-'));

test('preflights are answered for the sites of public applications, until they are deleted', async (t) => {
  const [mine, confidential] = [newOrigin(), newOrigin()];
  const { workspace, app, page } = await newScene(browser, { redirectUris: [callbackUrl(mine)] });
  await workspace.api.post('/v1/oauth-clients', {
    name: 'A server',
    redirect_uris: [callbackUrl(confidential)],
  });
  for (const path of ['/v1/bookings', '/v1/rooms/x', '/v1/nothing']) {
    const asked = await preflight(mine, path);
    t.is(asked.status, 204, path);
    t.is(asked.headers.get('access-control-allow-origin'), mine);
    t.is(asked.headers.get('access-control-allow-methods'), 'GET, POST, PUT, PATCH, DELETE');
    const sendable = asked.headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match', 'traceparent'])
      t.true(sendable.includes(name), name);
    t.is(asked.headers.get('access-control-allow-credentials'), null);
    t.is(asked.headers.get('access-control-max-age'), '7200');
    t.regex(asked.headers.get('vary')!, /Origin/);
    t.truthy(asked.headers.get('x-ratelimit-remaining'));
  }
  for (const origin of [
    newOrigin(),
    confidential,
    'null',
    mine.replace('https', 'http'),
    `${mine}.evil.example`,
  ]) {
    const refused = await preflight(origin);
    t.is(refused.status, 403, origin);
    t.deepEqual(corsHeaders(refused), [], origin);
  }
  t.is((await preflight(mine, '/v1/public/rooms')).status, 403, 'websites need a publishable key');
  t.is((await preflight('http://127.0.0.1:1')).status, 204, 'the loopback interface has any port');
  await workspace.api.delete(`/v1/oauth-clients/${app.client.client_id}`);
  t.is((await preflight(mine)).status, 403, 'once it is deleted');
  await page.context().close();
});

test('an application reads responses and errors only from its own sites, and API keys work from no site', async (t) => {
  const [mine, theirs] = [newOrigin(), newOrigin()];
  const scene = await newScene(browser, { redirectUris: [callbackUrl(mine)] });
  const other = await newScene(browser, { redirectUris: [callbackUrl(theirs)] });
  const server = await newScene(browser, { redirectUris: [callbackUrl(mine)], public: false });
  const scope = 'calendar:read calendar:write';
  const [{ access_token: token, refresh_token }, others, servers] = [
    await newTokens(scene, scope),
    await newTokens(other, scope),
    await newTokens(server, scope),
  ];
  const ask = (path: string, headers: Record<string, string>, init: RequestInit = {}, on = dev.baseUrl) =>
    fetch(on + path, {
      ...init,
      headers: {
        origin: mine,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...headers,
      },
    });
  const isReadable = (response: Response, status: number, origin = mine): void => {
    t.is(response.status, status);
    t.is(response.headers.get('access-control-allow-origin'), origin, `${status}`);
    t.is(response.headers.get('access-control-allow-credentials'), null);
    t.regex(response.headers.get('vary')!, /Origin/);
    const exposed = response.headers.get('access-control-expose-headers')!.toLowerCase().split(', ');
    for (const name of ['retry-after', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id', 'etag'])
      t.true(exposed.includes(name), name);
  };
  const isHidden = (response: Response, status: number, message: string): void => {
    t.is(response.status, status, message);
    t.deepEqual(corsHeaders(response), [], message);
  };
  isReadable(await ask('/v1/bookings', {}), 200);
  const port = new URL(scene.app.redirectUri).port;
  for (const origin of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1'])
    isReadable(await ask('/v1/bookings', { origin }), 200, origin);
  isReadable(await ask('/v1/bookings', {}, { method: 'POST', body: '{' }), 400);
  isReadable(await ask('/v1/rooms', {}, { method: 'POST', body: '{}' }), 403);
  isReadable(await ask('/v1/bookings/bk_01kba6xz3fe4r9tq5v8mhc2s1j', {}), 404);
  isReadable(await ask('/v1/nothing', {}), 404);
  isReadable(await ask('/v1/bookings', {}, { method: 'DELETE' }), 405);
  isReadable(await ask('/v1/bookings', { 'content-type': 'text/plain' }, { method: 'POST', body: 'x' }), 415);
  isReadable(await ask('/v1/bookings?limit=0', {}), 422);

  isHidden(await ask('/v1/bookings', { origin: theirs }), 200, 'the site of another application');
  isHidden(await ask('/v1/bookings', { origin: 'http://localhost:1' }), 200, 'another loopback host');
  isHidden(await ask('/v1/bookings', { origin: 'null' }), 200, 'no site');
  const withToken = (of: string) => ({ authorization: `Bearer ${of}` });
  isHidden(
    await ask('/v1/bookings', withToken(others.access_token)),
    200,
    'the token of another application',
  );
  isHidden(await ask('/v1/bookings', withToken(servers.access_token)), 200, 'a confidential application');
  isHidden(await ask('/v1/bookings', withToken(scene.workspace.api.token)), 200, 'an API key');
  isHidden(await ask('/v1/bookings', { authorization: '' }), 401, 'no token');
  isHidden(await ask('/v1/bookings', withToken(`${token}x`)), 401, 'no token of an application');

  // A tenth of the limits: 60 requests for a token, 50 for the calendar.
  const { here } = await addresses();
  const many = await Promise.all(
    Array.from({ length: 80 }, () => ask('/v1/bookings', { 'x-forwarded-for': anyAddress() }, {}, here)),
  );
  const refused = many.find(({ status }) => status === 429);
  isReadable(refused!, 429);

  await db.query(
    `UPDATE api_tokens t SET ends_at = now() - interval '1 hour' FROM api_keys k
     WHERE k.id = t.key_id AND k.oauth_client_id = $1`,
    [scene.app.client.client_id],
  );
  await refresh(scene.app, refresh_token);
  isReadable(await ask('/v1/bookings', {}), 401);

  await db.query(`UPDATE api_keys SET revoked_at = now() WHERE oauth_client_id = $1`, [
    scene.app.client.client_id,
  ]);
  isReadable(await ask('/v1/bookings', {}), 401);
  for (const { page } of [scene, other, server]) await page.context().close();
});

test('preflights of public guests are limited by their address', async (t) => {
  // A tenth of the limits: 6 requests, which are 60 preflights, and one more a second.
  const { here } = await addresses();
  const address = anyAddress();
  const ask = async (): Promise<number> =>
    (
      await fetch(`${here}/v1/bookings`, {
        method: 'OPTIONS',
        headers: { origin: newOrigin(), 'x-forwarded-for': address, 'access-control-request-method': 'GET' },
      })
    ).status;
  const statuses = await Promise.all(Array.from({ length: 200 }, ask));
  t.true(statuses.filter((status) => status === 403).length >= 60);
  t.true(statuses.includes(429));
});

test('a page of a public application calls the API in a browser, and a page of another site cannot', async (t) => {
  const scene = await newScene(browser);
  const { access_token: token } = await newTokens(scene, 'calendar:read calendar:write');
  const page = await newPage(browser);
  const call = (path: string, init: { method?: string; body?: string } = {}) =>
    page.evaluate(
      async ([url, authorization, init]) => {
        const headers = { authorization, 'content-type': 'application/json' };
        try {
          const response = await fetch(url, { ...init, headers });
          const read = (name: string): string | null => response.headers.get(name);
          const { error } = (await response.json()) as { error?: { code: string } };
          return {
            status: response.status,
            code: error?.code,
            left: read('x-ratelimit-remaining'),
            id: read('x-request-id'),
          };
        } catch (error) {
          return { failed: String(error) };
        }
      },
      [dev.baseUrl + path, `Bearer ${token}`, init] as const,
    );
  await page.goto(scene.app.redirectUri);
  const listed = await call('/v1/bookings');
  t.like(listed, { status: 200, code: undefined });
  t.regex(listed.left!, /^\d+$/);
  t.truthy(listed.id);
  t.like(
    await call('/v1/bookings/bk_01kba6xz3fe4r9tq5v8mhc2s1j', { method: 'PATCH', body: '{"notes":"x"}' }),
    {
      status: 404,
      code: 'booking_not_found',
    },
  );
  t.like(await call('/v1/bookings', { method: 'POST', body: '{' }), { status: 400, code: 'invalid_json' });
  const elsewhere = await serveSite(t, () => '<h1>Another site</h1>');
  await page.goto(elsewhere);
  t.deepEqual(await call('/v1/bookings'), { failed: 'TypeError: Failed to fetch' });
  await page.goto(scene.app.redirectUri);
  await db.query(`UPDATE api_keys SET revoked_at = now() WHERE oauth_client_id = $1`, [
    scene.app.client.client_id,
  ]);
  t.like(await call('/v1/bookings'), { status: 401, code: 'auth_invalid' });
  await page.close();
  await scene.page.context().close();
});
