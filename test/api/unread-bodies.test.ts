import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import Stripe from 'stripe';
import { client } from '../support/api-client.js';
import { startApi } from '../support/api-process.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { dev } from '../support/stack.js';
import { newWorkspace } from '../support/workspaces.js';
import { newKey } from '../support/people.js';

/**
 * The status of the response to the headers of a request and the first byte of its
 * body. The rest is never sent.
 */
async function statusBeforeBody(
  t: ExecutionContext,
  url: string,
  headers: Record<string, string>,
): Promise<number> {
  const sent = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '900000', ...headers },
    signal: AbortSignal.timeout(10_000),
  });
  t.teardown(() => sent.destroy());
  sent.on('error', () => undefined).write('{');
  const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
  return statusCode!;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('a bulk call’s body is not read for callers who are unknown, lack the rights or have no tokens left', async (t) => {
  const workspace = await newWorkspace();
  const path = '/v1/members.bulk';
  t.is(await statusBeforeBody(t, dev.baseUrl + path, bearer('hf_live_unknown')), 401);
  const reader = await newKey(workspace, workspace.ownerId, { actions: ['read'] });
  t.is(await statusBeforeBody(t, dev.baseUrl + path, bearer(reader.token)), 403);
  const strict = await startApi({ RATE_LIMIT_SCALE: '0.02' });
  t.teardown(() => strict.stop());
  const { token } = workspace.api;
  const api = client(token, strict.baseUrl);
  while ((await api.get('/v1/auth/whoami')).status === 200);
  t.is(await statusBeforeBody(t, strict.baseUrl + path, bearer(token)), 429);
});

test('a webhook is refused before it is read if its signature is missing or old, or its address has sent too many', async (t) => {
  // 12 webhooks.
  const api = await startApi({ RATE_LIMIT_SCALE: '0.002', TRUSTED_PROXIES: '1' });
  t.teardown(() => api.stop());
  const url = `${api.baseUrl}/webhooks/processor`;
  const from = (address: string) => ({ 'x-forwarded-for': address });
  t.is(await statusBeforeBody(t, url, from('203.0.113.1')), 401);
  const old = `t=${Math.floor(Date.now() / 1000) - 400},v1=0`;
  t.is(await statusBeforeBody(t, url, { ...from('203.0.113.2'), 'stripe-signature': old }), 401);

  const payload = JSON.stringify({
    id: 'evt_none',
    object: 'event',
    type: 'none',
    livemode: true,
    data: { object: {} },
  });
  const secret = REQUIRED_SETTINGS.STRIPE_CONNECT_WEBHOOK_SECRET;
  const send = (address: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        ...from(address),
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
      },
      body: payload,
    });
  const responses = await Promise.all(Array.from({ length: 15 }, () => send('203.0.113.3')));
  const refused = responses.filter(({ status }) => status === 429);
  t.is(responses.filter(({ status }) => status === 200).length, 12);
  t.is(refused.length, 3);
  t.truthy(refused[0]!.headers.get('retry-after'));
  t.is((await send('203.0.113.4')).status, 200, 'another address');
});
