import test from 'ava';
import { client } from '../../support/api-client.js';
import { newWorkspace } from '../../support/workspaces.js';
import { startApi } from '../../support/api-process.js';
import { isError } from '../../support/booking-calls.js';
import { mint, scope } from './api-key-calls.js';

test('an IP allowlist applies to the address that the trusted proxy reports, not to headers of the client', async (t) => {
  const workspace = await newWorkspace();
  const ip_allowlist = ['192.0.2.0/24', '2001:db8::/32'];
  const { token } = await mint(workspace, { scope: scope(['calendar'], ['read'], ip_allowlist) });
  const api = await startApi({ TRUSTED_PROXIES: '1', RATE_LIMIT_SCALE: '100' });
  try {
    const from = (address: string) =>
      client(token!, api.baseUrl).get('/v1/rooms', undefined, { 'x-forwarded-for': address });
    for (const address of [
      '192.0.2.7',
      '10.1.1.1, 192.0.2.7',
      '::ffff:192.0.2.7',
      '2001:db8:1::1',
      '192.0.2.7:4711',
      '10.1.1.1:1, 192.0.2.7:65535',
      '[2001:db8:1::1]:4711',
      '[2001:db8:1::1]',
      '[::ffff:192.0.2.7]:4711',
      '::ffff:c000:207',
      '[0:0:0:0:0:FFFF:C000:0207]:4711',
    ])
      t.is((await from(address)).status, 200, address);
    for (const address of [
      '192.0.3.1',
      '192.0.2.7, 10.1.1.1',
      '::ffff:192.0.3.1',
      '::ffff:c000:301',
      '2001:db9::1',
      'nonsense',
      '192.0.2.7,',
      '192.0.3.1:4711',
      '[2001:db9::1]:4711',
      '192.0.2.7:4711, 10.1.1.1:4711',
      '192.0.2.7:',
      '192.0.2.7:port',
      '192.0.2.7:1:2',
      '[2001:db8:1::1',
      '192.0.2.777:80',
    ])
      isError(t, await from(address), 403, 'ip_not_allowed', address);

    const inner = await mint(workspace, {
      scope: scope(['calendar'], ['read'], ['127.0.0.0/8', '::1/128']),
    });
    const through = (headers: Record<string, string>) =>
      client(inner.token!, api.baseUrl).get('/v1/rooms', undefined, headers);
    t.is((await through({})).status, 200, 'without a proxy');
    t.is((await through({ 'x-forwarded-for': '127.0.0.1:4711' })).status, 200);
    for (const unreadable of ['unknown', '192.0.2.7, ', '127.0.0.1:', '_hidden:4711']) {
      const response = await through({ 'x-forwarded-for': unreadable });
      isError(t, response, 403, 'ip_not_allowed', `${unreadable} does not count as the proxy's own address`);
    }
  } finally {
    api.stop();
  }
  const direct = await client(token!).get('/v1/rooms', undefined, { 'x-forwarded-for': '192.0.2.7' });
  isError(t, direct, 403, 'ip_not_allowed', 'this process trusts no proxy');
});

test('plain HTTP is refused unless a trusted proxy reports HTTPS', async (t) => {
  const { api } = await newWorkspace();
  const behind = await startApi({ ALLOW_HTTP: 'false', TRUSTED_PROXIES: '1', RATE_LIMIT_SCALE: '100' });
  const open = await startApi({ ALLOW_HTTP: 'false', RATE_LIMIT_SCALE: '100' });
  try {
    const get = (on: string, proto?: string) =>
      client(api.token, on).get(
        '/v1/rooms',
        undefined,
        proto === undefined ? {} : { 'x-forwarded-proto': proto },
      );
    for (const proto of ['https', 'http, https']) {
      const response = await get(behind.baseUrl, proto);
      t.is(response.status, 200);
      t.regex(response.headers.get('strict-transport-security')!, /^max-age=\d{8,}$/);
    }
    const missing = await client('none', behind.baseUrl).get('/', undefined, {
      'x-forwarded-proto': 'https',
    });
    t.is(missing.status, 404);
    t.truthy(missing.headers.get('strict-transport-security'), 'on errors, too');
    for (const proto of [undefined, 'http', 'https, http', '']) {
      const response = await get(behind.baseUrl, proto);
      isError(t, response, 403, 'https_required', proto);
      t.is(response.headers.get('location'), null);
      t.truthy(response.headers.get('x-ratelimit-limit'));
      t.is(response.headers.get('strict-transport-security'), null);
    }
    const untrusted = await get(open.baseUrl, 'https');
    isError(t, untrusted, 403, 'https_required', 'no proxy is trusted');
    t.is(untrusted.headers.get('strict-transport-security'), null);
    t.is((await client('none', open.baseUrl).get('/health')).status, 200);
  } finally {
    behind.stop();
    open.stop();
  }
});
