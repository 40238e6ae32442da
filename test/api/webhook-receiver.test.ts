import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import pino from 'pino';
import { createApp } from '../../api/app.js';
import { createEncryption } from '../../db/encryption.js';
import { client, db, newWorkspace, temporal } from '../support/stack.js';
import { isError } from './booking-calls.js';

/** What names stand for, to the API of this test. */
const ADDRESSES: Record<string, string[]> = {
  'public.example.com': ['93.184.216.34', '2606:4700::1111'],
  'both.example.com': ['93.184.216.34', '10.1.2.3'],
  'private.example.com': ['192.168.1.1'],
  'mapped.example.com': ['::ffff:7f00:1'],
  'compatible.example.com': ['::127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
};

/** An API as it runs in production: receivers must be public. The stack's own lets every address in. */
const app = createApp({
  db,
  temporal,
  taskQueue: 'nobody-listens',
  log: pino({ level: 'silent' }),
  publicUrl: 'http://127.0.0.1',
  internalToken: null,
  webhookSecrets: { platform: 'unused', connect: 'unused' },
  liveMode: false,
  allowHttp: true,
  trustedProxies: 0,
  encryption: createEncryption(randomBytes(32).toString('base64')),
  allowPrivateWebhooks: false,
  webhookRetryScale: 1,
  async resolveHost(host) {
    const addresses = ADDRESSES[host];
    if (!addresses) throw new Error('ENOTFOUND');
    return addresses;
  },
});
const server = createServer(app.callback());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
test.after.always(() => void server.close());

test('a receiver that is not public is refused at registration in every spelling, and nothing is stored', async (t) => {
  const api = client((await newWorkspace()).api.token, url);
  for (const receiver of [
    'http://public.example.com/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0177.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::a00:1]/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://metadata.google.internal/',
    'https://localhost/',
    'https://api.localhost./',
    'https://0/',
    'https://both.example.com/',
    'https://private.example.com/',
    'https://mapped.example.com/',
    'https://compatible.example.com/',
    'https://metadata.example.com/',
    'https://PRIVATE.example.com/',
  ]) {
    const answer = await api.put('/v1/webhook-endpoint', { url: receiver });
    isError(t, answer, 422, 'validation_failed', receiver);
    t.is(answer.body.error.param, 'url', receiver);
  }
  isError(t, await api.get('/v1/webhook-endpoint'), 404, 'not_found');
});

test('a public receiver is registered, and can be changed only to another that is public', async (t) => {
  const api = client((await newWorkspace()).api.token, url);
  const made = await api.put('/v1/webhook-endpoint', { url: 'https://Public.Example.com:8443/in?a=1' });
  t.is(made.status, 201, JSON.stringify(made.body));
  t.is(made.body.url, 'https://public.example.com:8443/in?a=1');
  const moved = await api.put('/v1/webhook-endpoint', { url: 'https://both.example.com/' });
  isError(t, moved, 422, 'validation_failed');
  t.is((await api.get('/v1/webhook-endpoint')).body.url, made.body.url);
  const unknown = await api.put('/v1/webhook-endpoint', { url: 'https://not-yet.example.com/' });
  t.is(unknown.status, 200, 'a name that is not there yet is taken: each delivery looks again');
  await api.delete('/v1/webhook-endpoint');
});
