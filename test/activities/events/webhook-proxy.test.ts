import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type LookupFunction, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createWebhookSender } from '../../../activities/gateways/webhook-sender.js';
import { until } from '../../support/until.js';

const CERTIFICATES = join('test', 'topology', 'certificates');
/** A certificate for `localhost` that no public authority has signed. */
const TLS = {
  key: readFileSync(join(CERTIFICATES, 'server.key')),
  cert: readFileSync(join(CERTIFICATES, 'server.pem')),
};

const request = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });
/** A name that resolves to these addresses. */
const resolvingTo = (...addresses: string[]): LookupFunction =>
  ((_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as LookupFunction;

interface Proxy {
  url: string;
  /** The requested tunnels, with the credentials. */
  asked: { target: string; authorization: string | undefined }[];
  open: Set<Socket>;
}

/** A proxy that opens a tunnel to `to`, whatever is requested, or answers with a status, or never. */
async function openProxy(t: ExecutionContext, answer: { to: number } | number | 'never'): Promise<Proxy> {
  const proxy: Proxy = { url: '', asked: [], open: new Set() };
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url, headers }: IncomingMessage, socket: Socket) => {
    proxy.asked.push({ target: url!, authorization: headers['proxy-authorization'] });
    proxy.open.add(socket);
    socket.on('close', () => proxy.open.delete(socket)).on('error', () => undefined);
    if (answer === 'never') return socket.resume().on('end', () => socket.end());
    if (typeof answer === 'number') return socket.end(`HTTP/1.1 ${answer} No\r\ncontent-length: 0\r\n\r\n`);
    const receiver = connect(answer.to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(receiver).pipe(socket);
    });
    receiver.on('error', () => socket.destroy());
  });
  t.teardown(() => {
    for (const socket of proxy.open) socket.destroy();
  });
  proxy.url = `http://holdfast:s%20ecret@127.0.0.1:${await listen(t, server)}`;
  return proxy;
}

interface Receiver {
  port: number;
  received: { path: string; headers: IncomingHttpHeaders }[];
}

async function openReceiver(t: ExecutionContext, tls?: typeof TLS): Promise<Receiver> {
  const received: Receiver['received'] = [];
  const serve: RequestListener = (request, response) => {
    received.push({ path: request.url!, headers: request.headers });
    request.resume().on('end', () => response.end());
  };
  return { received, port: await listen(t, tls ? createTlsServer(tls, serve) : createServer(serve)) };
}

/** Listens on a port of this machine, until the end of the test. */
async function listen(t: ExecutionContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a webhook goes through a tunnel to the checked address, with the receiver’s host name, and reuses the connection', async (t) => {
  const receiver = await openReceiver(t);
  const proxy = await openProxy(t, { to: receiver.port });
  const lookup = resolvingTo('93.184.216.34', '2606:2800:220:1::1');
  const sender = createWebhookSender({
    allowPrivate: true,
    proxyUrl: proxy.url,
    timeoutMs: 30_000,
    lookup,
  });
  for (let n = 0; n < 2; n++) {
    const { status_code, error } = await sender.post(request('http://hooks.example.com:8443/in'));
    t.deepEqual([status_code, error], [200, null]);
  }
  const authorization = `Basic ${Buffer.from('holdfast:s ecret').toString('base64')}`;
  t.deepEqual(proxy.asked, [{ target: '93.184.216.34:8443', authorization }]);
  t.is(receiver.received.length, 2);
  const [{ headers, path }] = receiver.received as [(typeof receiver.received)[0]];
  t.deepEqual([headers.host, path], ['hooks.example.com:8443', '/in']);
  t.false('proxy-authorization' in headers, 'the receiver does not see the credentials of the proxy');
});

for (const [url, addresses] of [
  ['https://hooks.example.com/', ['127.0.0.1']],
  ['https://hooks.example.com/', ['93.184.216.34', '10.0.0.1']],
  ['https://hooks.example.com/', ['::ffff:127.0.0.1']],
  ['https://169.254.169.254/', []],
  ['https://[::1]/', []],
  ['https://localhost/', ['93.184.216.34']],
] as const)
  test(`no tunnel is requested to ${url} with ${addresses.join(', ') || 'no'} address`, async (t) => {
    const proxy = await openProxy(t, 502);
    const lookup = resolvingTo(...addresses);
    const options = { allowPrivate: false, proxyUrl: proxy.url, timeoutMs: 30_000, lookup };
    t.like(await createWebhookSender(options).post(request(url)), {
      status_code: null,
      error: 'address_not_allowed',
    });
    t.deepEqual(proxy.asked, []);
  });

test('the certificate must match the host name, although the tunnel leads to an address', async (t) => {
  const receiver = await openReceiver(t, TLS);
  const proxy = await openProxy(t, { to: receiver.port });
  const options = { allowPrivate: false, proxyUrl: proxy.url, timeoutMs: 30_000 };
  const sender = createWebhookSender({ ...options, lookup: resolvingTo('93.184.216.34') });
  const { error } = await sender.post(request('https://hooks.example.com/'));
  t.regex(error!, /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|ERR_TLS)/);
  t.deepEqual(
    proxy.asked.map(({ target }) => target),
    ['93.184.216.34:443'],
  );
  t.is(receiver.received.length, 0);
});

test('a refusal by the proxy isn’t recorded as a response of the receiver', async (t) => {
  const proxy = await openProxy(t, 403);
  const options = { allowPrivate: false, proxyUrl: proxy.url, timeoutMs: 30_000 };
  const sender = createWebhookSender({ ...options, lookup: resolvingTo('93.184.216.34') });
  t.like(await sender.post(request('https://hooks.example.com/')), {
    status_code: null,
    error: 'proxy_refused',
    response_excerpt: null,
  });
});

test('a proxy that is silent or down fails the attempt in time, and keeps no connection open', async (t) => {
  const silent = await openProxy(t, 'never');
  const options = { allowPrivate: false, timeoutMs: 300, lookup: resolvingTo('93.184.216.34') };
  const sender = createWebhookSender({ ...options, proxyUrl: silent.url });
  t.is((await sender.post(request('https://hooks.example.com/'))).error, 'timeout');
  await until(() => silent.open.size === 0);
  const away = createWebhookSender({ ...options, proxyUrl: 'http://127.0.0.1:1', timeoutMs: 30_000 });
  t.is((await away.post(request('https://hooks.example.com/'))).error, 'proxy_unavailable');
});
