import test from 'ava';
import { startApi } from '../../support/api-process.js';
import { once } from '../../support/once.js';
import { client } from '../../support/api-client.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';

/** An API as in production, where receivers must be public. The stack's own API allows any address. */
const strict = once(() => startApi({ ALLOW_PRIVATE_WEBHOOKS: 'false' }));

test('a receiver with a private address in any notation is refused at registration, and nothing is stored', async (t) => {
  const api = client((await newWorkspace()).api.token, (await strict()).baseUrl);
  for (const receiver of [
    'http://93.184.216.34/',
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
  ]) {
    const response = await api.put('/v1/webhook-endpoint', { url: receiver });
    isError(t, response, 422, 'validation_failed', receiver);
    t.is(response.body.error.param, 'url', receiver);
  }
  isError(t, await api.get('/v1/webhook-endpoint'), 404, 'not_found');
});

test('a public receiver can be registered, and changed only to another public one', async (t) => {
  const api = client((await newWorkspace()).api.token, (await strict()).baseUrl);
  const made = await api.put('/v1/webhook-endpoint', { url: 'https://Hooks.Example.invalid:8443/in?a=1' });
  t.is(made.status, 201, 'an unresolvable name is accepted: each delivery checks again');
  t.is(made.body.url, 'https://hooks.example.invalid:8443/in?a=1');
  const moved = await api.put('/v1/webhook-endpoint', { url: 'https://[::ffff:a00:1]/' });
  isError(t, moved, 422, 'validation_failed');
  t.is((await api.get('/v1/webhook-endpoint')).body.url, made.body.url);
  t.is((await api.put('/v1/webhook-endpoint', { url: 'https://93.184.216.34/in' })).status, 200);
  // The stack's worker has another key and can't read this one's secret.
  t.is((await api.delete('/v1/webhook-endpoint')).status, 204);
});
