import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import test from 'ava';
import { createProviderFetch } from '../../../activities/gateways/provider-fetch.js';

const local = createProviderFetch({ allowPrivate: true, proxyUrl: null });

async function serve(t: { teardown(close: () => unknown): void }, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a provider must be on the public internet and use https', async (t) => {
  // No machine has these addresses: a broken check reaches nothing.
  for (const host of ['255.255.255.255', '224.0.0.1', '[ff02::1]', '[fe80::1]', '169.254.1.1', '0.0.0.0']) {
    const strict = createProviderFetch({ allowPrivate: false, proxyUrl: null });
    await t.throwsAsync(strict(`https://${host}/`), { message: /public internet/ }, host);
    await t.throwsAsync(strict(`http://${host}/`), { message: /https URL/ }, host);
  }
  const lookup: LookupFunction = (_, options, callback) =>
    options.all
      ? callback(null, [
          { address: '93.184.216.34', family: 4 },
          { address: '224.0.0.1', family: 4 },
        ])
      : callback(null, '224.0.0.1', 4);
  const resolved = createProviderFetch({ allowPrivate: false, proxyUrl: null, lookup });
  await t.throwsAsync(resolved('https://id.example.com/'), undefined, 'any address of a name counts');
});

test('a GET follows redirects to the same host, but not to other hosts or in loops', async (t) => {
  const other = await serve(t, (_, response) => response.end('other'));
  const base = await serve(t, (request, response) => {
    const to = { '/here': '/end', '/there': `${other}/end`, '/round': '/round' }[request.url!];
    if (to) response.writeHead(302, { location: to }).end();
    else response.end(`${request.method} ${request.url}`);
  });
  t.is(await (await local(`${base}/here`)).text(), 'GET /end');
  await t.throwsAsync(local(`${base}/there`), { message: /redirects/ });
  await t.throwsAsync(local(`${base}/round`), { message: /redirects/ });
  await t.throwsAsync(local(`${base}/here`, { method: 'POST', body: 'a=b' }), { message: /redirects/ });
});

test('a response is limited to 256 kB, and a body is sent unchanged', async (t) => {
  const base = await serve(t, async (request, response) => {
    if (request.url === '/big') return response.end('x'.repeat(257 * 1024));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead(201, { 'content-type': 'application/json' }).end(Buffer.concat(chunks));
  });
  await t.throwsAsync(local(`${base}/big`), { message: /256 kB/ });
  const sent = await local(`${base}/`, { method: 'POST', body: '{"a":"ü"}', headers: { 'x-a': 'b' } });
  t.is(sent.status, 201);
  t.deepEqual(await sent.json(), { a: 'ü' });
});

test('a provider that does not respond times out', async (t) => {
  const base = await serve(t, () => undefined);
  const impatient = createProviderFetch({ allowPrivate: true, proxyUrl: null, timeoutMs: 100 });
  await t.throwsAsync(impatient(base), { message: /abort/i });
});
