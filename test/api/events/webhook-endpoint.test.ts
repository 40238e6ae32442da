import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { newSubscriber } from '../../support/events.js';
import type { ApiClient } from '../../support/api-client.js';
import type { ApiResponse } from '../../support/api-response.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { openReceiver } from '../../support/receiver.js';
import { isError } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';
import type { Received } from '../../support/receiver.js';

const PATH = '/v1/webhook-endpoint';
const url = 'http://127.0.0.1:9/in';
const types = ['booking.created', 'invoice.paid'];

test('registering an endpoint returns its secret, reading and changing it don’t, and it can be deleted', async (t) => {
  const { api } = await newWorkspace();
  isError(t, await api.get(PATH), 404, 'not_found');
  const made = await api.put(PATH, { url, event_types: types });
  t.is(made.status, 201, JSON.stringify(made.body));
  const { id, created_at, secret, ...rest } = made.body;
  t.regex(id, /^wh_/);
  t.regex(created_at, /^\d{4}-.*Z$/);
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.deepEqual(rest, { url, event_types: types, status: 'enabled', disabled_reason: null });

  const { secret: _, ...shown } = made.body;
  t.deepEqual((await api.get(PATH)).body, shown);
  const changed = await api.put(PATH, { url: `${url}/2` });
  t.is(changed.status, 200);
  t.deepEqual(changed.body, { ...shown, url: `${url}/2`, event_types: ['*'] });

  t.is((await api.delete(PATH)).status, 204);
  isError(t, await api.get(PATH), 404, 'not_found');
  isError(t, await api.delete(PATH), 404, 'not_found');
  const again = await api.put(PATH, { url });
  t.is(again.status, 201);
  t.not(again.body.secret, secret);
});

test('of two concurrent first registrations one returns the secret, and deliveries are signed with it', async (t) => {
  const receiver = await openReceiver();
  t.teardown(() => receiver.close());
  const { api } = await newWorkspace();
  const body = { url: receiver.url };
  const responses = await Promise.all([api.put(PATH, body), api.put(PATH, body)]);
  t.deepEqual(responses.map(({ status }) => status).sort(), [200, 201]);
  const { secret } = responses.find(({ status }) => status === 201)!.body;
  await api.post(`${PATH}/test`);
  const { raw, headers } = receiver.received[0]!;
  t.notThrows(() => new Webhook(secret).verify(raw, headers as Record<string, string>));
});

test('an invalid endpoint is refused and the error names the field', async (t) => {
  const { api } = await newWorkspace();
  for (const [body, param] of [
    [{}, 'url'],
    [{ url: 'nonsense' }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'http://user:pass@example.com' }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2_000)}` }, 'url'],
    [{ url: 'https://example.com/\0' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url, event_types: 'booking.created' }, 'event_types'],
    [{ url, event_types: [] }, 'event_types'],
    [{ url, event_types: ['booking.unknown'] }, 'event_types.0'],
    [{ url, event_types: ['booking.created', 'booking.created'] }, 'event_types.1'],
    [{ url, secret: 'mine' }, 'secret'],
  ] as const) {
    const response = await api.put(PATH, body);
    isError(t, response, 422, 'validation_failed', JSON.stringify(body));
    t.is(response.body.error.param, param, JSON.stringify(body));
  }
  await api.put(PATH, { url });
  for (const overlap_hours of [-1, 169, 'soon', null])
    isError(t, await api.post(`${PATH}/rotate-secret`, { overlap_hours }), 422, 'validation_failed');
});

test('without an endpoint rotation and test events return 404', async (t) => {
  const { api } = await newWorkspace();
  isError(t, await api.post(`${PATH}/rotate-secret`, {}), 404, 'not_found');
  isError(t, await api.post(`${PATH}/test`), 404, 'not_found');
});

test('only admins and owners whose key has the scope can use the endpoint', async (t) => {
  const workspace = await newWorkspace();
  await workspace.api.put(PATH, { url });
  const calls: Record<string, ((api: ApiClient) => Promise<ApiResponse>)[]> = {
    read: [(api) => api.get(PATH)],
    write: [
      (api) => api.put(PATH, { url }),
      (api) => api.post(`${PATH}/rotate-secret`, {}),
      (api) => api.post(`${PATH}/test`),
    ],
    delete: [(api) => api.delete(PATH)],
  };
  for (const role of ['member', 'billing_contact'] as const) {
    const { api } = await newMember(workspace, { role });
    for (const call of Object.values(calls).flat())
      isError(t, await call(api), 403, 'role_insufficient', `${role} ${call}`);
  }
  for (const [action, list] of Object.entries(calls)) {
    const others = (['read', 'write', 'delete'] as const).filter((one) => one !== action);
    const key = await newKey(workspace, workspace.ownerId, { resources: ['webhooks'], actions: others });
    for (const call of list) {
      const response = await call(key);
      isError(t, response, 403, 'auth_scope_insufficient', `${call}`);
      t.deepEqual(response.body.error.details!.required, `webhooks:${action}`);
    }
  }
  const { api: admin } = await newMember(workspace, { role: 'admin' });
  t.is((await admin.get(PATH)).status, 200);
});

test('an endpoint’s secrets are stored encrypted, and each change is in the audit log', async (t) => {
  const { workspace, api, receiver, secret } = await newSubscriber();
  t.teardown(() => receiver.close());
  const { body: rotated } = await api.post(`${PATH}/rotate-secret`, {});
  const [row] = await db.query(`SELECT * FROM webhook_endpoints WHERE workspace_id = $1`, [workspace.id]);
  const stored = [row.secret, row.previous_secret].map((value: Buffer) => value.toString('latin1'));
  for (const plain of [secret, rotated.secret])
    t.false(stored.some((value) => value.includes(plain!) || value.includes(plain!.slice(6))));
  await api.put(PATH, { url });
  await api.delete(PATH);
  const { body: log } = await api.get('/v1/audit-log');
  const actions = log.data.map(({ action }) => action).slice(0, 4);
  const words = ['deleted', 'updated', 'secret_rotated', 'created'];
  t.deepEqual(
    actions,
    words.map((word) => `webhook_endpoint.${word}`),
  );
  t.false(JSON.stringify(log).includes('whsec_'));
});

test('a test event is sent immediately, signed, regardless of event_types, and returns the attempt', async (t) => {
  const { api, receiver, secret } = await newSubscriber(undefined, { event_types: ['invoice.paid'] });
  t.teardown(() => receiver.close());
  const { status, body } = await api.post(`${PATH}/test`);
  t.is(status, 200, JSON.stringify(body));
  const [got] = await receiver.untilReceived(1);
  const { deliveries, ...event } = body;
  t.deepEqual(got!.event, event);
  t.is(event.type, 'webhook.test');
  t.is(event.data.object.url, receiver.url);
  t.false(got!.raw.includes(secret));
  t.like(deliveries, [{ attempt: 1, status_code: 200, error: null, response_excerpt: '' }]);
  t.notThrows(() => new Webhook(secret).verify(got!.raw, got!.headers as Record<string, string>));

  receiver.reply = (_request, response) => void response.writeHead(500).end('no room');
  const failed = await api.post(`${PATH}/test`);
  t.is(failed.status, 200);
  t.like(failed.body.deliveries, [{ attempt: 1, status_code: 500, response_excerpt: 'no room' }]);
  t.is((await api.get(`/v1/events/${failed.body.id}`)).body.deliveries.length, 1, 'it is not retried');
});

for (const [overlap, how] of Object.entries({
  'for a day by default': {},
  'for a given time': { overlap_hours: 48 },
})) {
  test(`after a rotation both secrets sign ${overlap}, and the new one makes Service-Signature`, async (t) => {
    const { workspace, api, receiver, secret } = await newSubscriber();
    t.teardown(() => receiver.close());
    const rotated = await api.post(`${PATH}/rotate-secret`, how);
    t.is(rotated.status, 200);
    t.not(rotated.body.secret, secret);
    t.truthy(rotated.body.previous_secret_expires_at);
    // The stack scales webhook times down, so the overlap is extended to outlast this test.
    await db.query(
      `UPDATE webhook_endpoints SET previous_secret_until = now() + interval '1 hour'
        WHERE workspace_id = $1`,
      [workspace.id],
    );
    await api.post(`${PATH}/test`);
    const [{ raw, headers }] = (await receiver.untilReceived(1)) as [Received];
    for (const one of [secret, rotated.body.secret])
      t.notThrows(() => new Webhook(one!).verify(raw, headers), one!);
    await db.query(`UPDATE webhook_endpoints SET previous_secret_until = now() WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    await api.post(`${PATH}/test`);
    const [, after] = (await receiver.untilReceived(2)) as [Received, Received];
    t.notThrows(() => new Webhook(rotated.body.secret!).verify(after.raw, after.headers));
    t.throws(() => new Webhook(secret).verify(after.raw, after.headers));
  });
}

test('with an overlap of 0 the old secret is invalid immediately', async (t) => {
  const { api, receiver, secret } = await newSubscriber();
  t.teardown(() => receiver.close());
  const { body: rotated } = await api.post(`${PATH}/rotate-secret`, { overlap_hours: 0 });
  await api.post(`${PATH}/test`);
  const [{ raw, headers }] = (await receiver.untilReceived(1)) as [Received];
  t.notThrows(() => new Webhook(rotated.secret!).verify(raw, headers));
  t.throws(() => new Webhook(secret).verify(raw, headers));
});
