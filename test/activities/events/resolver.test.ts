import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { createLookup } from '../../../activities/gateways/resolver.js';
import { createWebhookSender } from '../../../activities/gateways/webhook-sender.js';
import { resolveHost } from '../../../api/resources/events/webhook-endpoint/resolve-host.js';
import { openReceiver } from '../../support/receiver.js';
import { until } from '../../support/until.js';

const A = 1;
const LOOPBACK = [127, 0, 0, 1];

/**
 * A name server. It answers every name with 127.0.0.1, or says that it does not exist, or nothing until
 * `endSilence`. Returns its address and its queries.
 */
async function nameServer(t: ExecutionContext, answers: 'loopback' | 'no such name' | 'nothing') {
  const socket = createSocket('udp4');
  let queries = 0;
  let endSilence = () => {};
  const silence = answers === 'nothing' ? new Promise<void>((resolve) => (endSilence = resolve)) : null;
  socket.on('message', async (query, { port, address }) => {
    queries++;
    await silence;
    const end = query.indexOf(0, 12) + 5;
    const exists = answers === 'loopback';
    const isA = exists && query.readUInt16BE(end - 4) === A;
    const code = exists ? 0x80 : 0x83;
    const header = Buffer.from([query[0]!, query[1]!, 0x81, code, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
    const answer = isA ? [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...LOOPBACK] : [];
    socket.send(Buffer.concat([header, query.subarray(12, end), Buffer.from(answer)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, queries: () => queries, endSilence };
}

const request = (url: string) => ({ url, headers: {}, body: '{}' });

test('a delivery connects to the address that the receiver’s name server returns', async (t) => {
  const { server } = await nameServer(t, 'loopback');
  const receiver = await openReceiver();
  t.teardown(() => receiver.close());
  const lookup = createLookup({ servers: [server] });
  const sender = createWebhookSender({ allowPrivate: true, timeoutMs: 10_000, lookup });
  const { port } = new URL(receiver.url);
  t.is((await sender.post(request(`http://hooks.example.com:${port}/`))).status_code, 200);
  t.deepEqual(await promisify(lookup)('hooks.example.com', { all: true }), [
    { address: '127.0.0.1', family: 4 },
  ] as never);
  t.deepEqual(await resolveHost('hooks.example.com', [server]), ['127.0.0.1']);
});

test('a delivery to a name that does not exist fails with that reason', async (t) => {
  const { server } = await nameServer(t, 'no such name');
  const lookup = createLookup({ servers: [server] });
  const sender = createWebhookSender({ allowPrivate: true, timeoutMs: 10_000, lookup });
  t.is((await sender.post(request('http://name.invalid/'))).error, 'ENOTFOUND');
});

test('receivers whose name server is silent don’t block a thread of the process', async (t) => {
  const { server, queries, endSilence } = await nameServer(t, 'nothing');
  const receiver = await openReceiver();
  t.teardown(() => receiver.close());
  const lookup = createLookup({ servers: [server], deadlineMs: 120_000 });
  const sender = createWebhookSender({ allowPrivate: true, timeoutMs: 120_000, lookup });
  const order: string[] = [];
  const silent = Array.from({ length: 40 }, async (_, n) => {
    const { error } = await sender.post(request(`http://hooks-${n}.example.com/`));
    order.push('silent');
    t.is(error, 'ENOTFOUND');
  });
  await until(async () => queries() >= 40);
  // The system resolves localhost, which occupies a thread.
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  t.is((await sender.post(request(url))).status_code, 200);
  order.push('localhost');
  endSilence();
  await Promise.all(silent);
  t.is(order[0], 'localhost');
});

test('a receiver whose name server is silent times out', async (t) => {
  const { server } = await nameServer(t, 'nothing');
  const lookup = createLookup({ servers: [server], deadlineMs: 500 });
  const sender = createWebhookSender({ allowPrivate: true, timeoutMs: 120_000, lookup });
  const { error } = await sender.post(request('http://hooks.example.com/'));
  t.true(['ETIMEOUT', 'ECANCELLED'].includes(error!), error!);
});
