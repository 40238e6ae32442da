import { createServer, type AddressInfo, type LookupFunction } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createWebhookSender } from '../../../activities/gateways/webhook-sender.js';
import { checkReceiver } from '../../../api/resources/events/webhook-endpoint/receiver.js';
import { openReceiver } from '../../support/receiver.js';
import type { LookupAddress } from 'node:dns';

const TIMEOUT_MS = 60_000;
const request = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });
const open = createWebhookSender({ allowPrivate: true, timeoutMs: TIMEOUT_MS });

/** Resolves every name to these addresses. */
function resolvingTo(addresses: string[]): LookupFunction {
  return ((
    _host: string,
    options: { all?: boolean },
    callback: (error: null, found: LookupAddress[] | string, family?: number) => void,
  ) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  }) as LookupFunction;
}

/** A local server that counts connections. */
async function listener(t: ExecutionContext): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

for (const [what, addresses] of Object.entries({
  'a private address': ['127.0.0.1'],
  'a public and a private address': ['93.184.216.34', '127.0.0.1'],
  'a private address in IPv6 spelling': ['::ffff:127.0.0.1'],
  'an IPv4-compatible address': ['::127.0.0.1'],
  'the metadata service': ['169.254.169.254'],
  'a translated address': ['64:ff9b::7f00:1'],
})) {
  test(`a host name that resolves to ${what} is not connected to`, async (t) => {
    const { port, connections } = await listener(t);
    const lookup = resolvingTo(addresses);
    const sender = createWebhookSender({ allowPrivate: false, timeoutMs: TIMEOUT_MS, lookup });
    const response = await sender.post(request(`https://hooks.example.com:${port}/`));
    t.like(response, { status_code: null, error: 'address_not_allowed', response_excerpt: null });
    t.is(connections(), 0);
  });
}

test('a host name that was public at registration and is private at delivery is not connected to', async (t) => {
  const { port, connections } = await listener(t);
  const url = `https://hooks.example.com:${port}/`;
  const resolveHost = async (): Promise<string[]> => ['93.184.216.34'];
  t.is(await checkReceiver({ allowPrivateWebhooks: false, resolveHost }, url), url);
  const lookup = resolvingTo(['127.0.0.1']);
  const sender = createWebhookSender({ allowPrivate: false, timeoutMs: TIMEOUT_MS, lookup });
  t.is((await sender.post(request(url))).error, 'address_not_allowed');
  t.is(connections(), 0);
});

for (const addresses of [['10.0.0.1'], ['93.184.216.34', '::1'], ['::ffff:7f00:1']]) {
  test(`a host name that resolves to ${addresses.join(' and ')} is refused at registration`, async (t) => {
    const deps = { allowPrivateWebhooks: false, resolveHost: async () => addresses };
    const error = await t.throwsAsync(checkReceiver(deps, 'https://hooks.example.com/'));
    t.like(error, { code: 'validation_failed', context: { param: 'url' } });
  });
}

test('negative control: with private addresses allowed the same name is connected to', async (t) => {
  const { port, connections } = await listener(t);
  const lookup = resolvingTo(['127.0.0.1']);
  const sender = createWebhookSender({ allowPrivate: true, timeoutMs: TIMEOUT_MS, lookup });
  await sender.post(request(`https://hooks.example.com:${port}/`));
  t.is(connections(), 1);
});

for (const url of [
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://169.254.169.254/',
]) {
  test(`${url} is refused at delivery too`, async (t) => {
    const sender = createWebhookSender({ allowPrivate: false, timeoutMs: TIMEOUT_MS });
    t.like(await sender.post(request(url)), { status_code: null, error: 'address_not_allowed' });
  });
}

test('a redirect is recorded as the response and not followed', async (t) => {
  const target = await openReceiver();
  const receiver = await openReceiver((_request, response) => {
    response.writeHead(307, { location: target.url }).end('over there');
  });
  t.teardown(() => [target, receiver].forEach((one) => one.close()));
  t.like(await open.post(request(receiver.url)), { status_code: 307, response_excerpt: 'over there' });
  t.is(target.received.length, 0);
});

test('a request to a receiver that takes too long, or never ends its response, times out', async (t) => {
  const silent = await openReceiver(() => undefined);
  const endless = await openReceiver((_request, response) => {
    response.writeHead(200).write('beginning');
  });
  t.teardown(() => [silent, endless].forEach((one) => one.close()));
  const timeoutMs = 2_000;
  const sender = createWebhookSender({ allowPrivate: true, timeoutMs });
  const [late, cut] = await Promise.all([silent, endless].map(({ url }) => sender.post(request(url))));
  t.like(late, { status_code: null, error: 'timeout' });
  t.true(late!.duration_ms >= timeoutMs - 50);
  t.like(cut, { status_code: 200, response_excerpt: 'beginning' });
});

test('the first 2 kB of a response are stored as text, without NUL', async (t) => {
  const receiver = await openReceiver((_request, response) => {
    response.writeHead(500).end(Buffer.concat([Buffer.from('a\0b'), Buffer.alloc(300_000, 'x')]));
  });
  t.teardown(() => receiver.close());
  const { response_excerpt, status_code } = await open.post(request(receiver.url));
  t.is(status_code, 500);
  t.is(response_excerpt, `a\uFFFDb${'x'.repeat(2_045)}`);
});

test('a refused connection, a hang-up or another protocol is a failure with a reason', async (t) => {
  const { port } = await listener(t);
  t.is((await open.post(request(`http://127.0.0.1:${port}/`))).error, 'ECONNRESET');
  t.is((await open.post(request('http://127.0.0.1:1/'))).error, 'ECONNREFUSED');
});
