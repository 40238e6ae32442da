import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { anonymous } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { newId } from '../../db/ids.js';
import { bookingBody, confirmedBooking, hoursLater } from '../support/bookings.js';
import { newSubscriber } from '../support/events.js';
import { createObjects } from '../support/objects.js';
import { newPng } from '../support/png.js';
import { db } from '../support/stack.js';
import { newWorkspace } from '../support/workspaces.js';
import {
  buildRequest,
  newExampleWorkspace,
  OPERATIONS,
  PREPARED,
  rank,
  type ExampleRequest,
} from './example-requests.js';

/** Operations that take no key, with the reason. */
const WITHOUT_KEY: Record<string, string> = {
  'POST /v1/quotes': 'changes nothing',
  'POST /v1/public/quotes': 'changes nothing',
};

/** Operations whose repetition is tested elsewhere, with the reason. */
const ELSEWHERE: Record<string, string> = {
  'POST /v1/api-keys/revoke-all': 'revokes the key of the repeat',
};

const CHANGING = OPERATIONS.filter(({ route }) => /^(POST|PATCH|DELETE) /.test(route));

/** What a request may leave behind. Webhook deliveries are tested below. */
const TRACES = [
  'audit_log',
  'events',
  'mails',
  'payments',
  'booking_changes',
  'booking_messages',
  'checkouts',
  'card_setups',
  'accounting_consents',
  'members',
  'api_tokens',
];

async function countTraces(workspaceId: string): Promise<Record<string, number>> {
  const counts = await Promise.all(
    TRACES.map(async (table) => {
      // Acceptance by a mail server is reported later.
      const which = table === 'events' ? `AND type <> 'invoice.sent'` : '';
      const sql = `SELECT count(*)::int FROM ${table} WHERE workspace_id = $1 ${which}`;
      const [{ count }] = await db.query(sql, [workspaceId]);
      return [table, count] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** The traces once nothing more is added. */
async function settledTraces(workspaceId: string): Promise<Record<string, number>> {
  for (let before = await countTraces(workspaceId); ;) {
    await sleep(400);
    const now = await countTraces(workspaceId);
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

/** Another valid value of the same kind, or null. */
function otherValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(1);
  if (typeof value === 'object' && value !== null) return otherBodies(value)[0];
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value}x` : null;
}

/** Bodies that differ from one in a single field. */
function otherBodies(body: unknown): unknown[] {
  if (Buffer.isBuffer(body)) return [newPng(1)];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const { [name]: _, ...rest } = body as Record<string, unknown>;
    return name === 'idempotency_key' ? [] : [rest, { ...rest, [name]: otherValue(value) }];
  });
}

const ask = ({ method, target, body, headers }: ExampleRequest): Promise<ApiResponse> =>
  anonymous(method, target, body, headers);

test('every operation that changes something takes an Idempotency-Key', (t) => {
  const without = CHANGING.filter(({ idempotent }) => !idempotent).map(({ route }) => route);
  t.deepEqual(without.toSorted(), Object.keys(WITHOUT_KEY).toSorted());
});

test('a repeat with the same key has no second effect, and another request with it is a conflict', async (t) => {
  t.timeout(400_000);
  const { workspace, objects } = await newExampleWorkspace();
  const { api, id } = workspace;
  const endpoint = { url: 'http://127.0.0.1:9/', event_types: ['payment.failed'] };
  t.is((await api.put('/v1/webhook-endpoint', endpoint)).status, 201);
  const problems: string[] = [];
  const repeated = CHANGING.filter(({ route }) => !(route in WITHOUT_KEY) && !(route in ELSEWHERE));
  for (const operation of repeated.toSorted((a, b) => rank(a) - rank(b))) {
    const { route } = operation;
    const ids = { ...objects, ...(await PREPARED[route]?.(workspace, objects)) };
    const example = await buildRequest(workspace, operation, ids);
    const own = (example.body as { idempotency_key?: string } | undefined)?.idempotency_key;
    const key = own ?? randomUUID();
    const request = { ...example, headers: { ...example.headers, 'idempotency-key': key } };
    const first = await ask(request);
    const shown = (response: ApiResponse): string =>
      `${route}: ${response.status} ${JSON.stringify(response.body)}`;
    if (first.status >= 300) problems.push(shown(first));
    if (route === 'POST /v1/oauth-clients')
      objects.client = (first.body as { client_id?: string }).client_id!;
    const before = await settledTraces(id);
    const again = await ask(request);
    const isRepeated = route.startsWith('DELETE') ? again.status === 204 : again.status < 300;
    if (!isRepeated) problems.push(`repeated ${shown(again)}`);
    const after = await settledTraces(id);
    for (const table of TRACES)
      if (after[table] !== before[table]) problems.push(`${route} leaves another row in ${table}`);

    const conflicts = ({ body }: ApiResponse): boolean => body.error?.code === 'idempotency_conflict';
    // A booking's key is in its body, separate from those in headers.
    const other =
      !own && (await api.patch('/v1/workspace', { maintenance: null }, { 'idempotency-key': key }));
    if (other && !conflicts(other)) problems.push(`another request after ${shown(other)}`);
    const answers: ApiResponse[] = [];
    for (const body of otherBodies(example.body)) {
      answers.push(await ask({ ...request, body }));
      // Without a field that had its default value, the body is the same.
      if (answers.at(-1)!.status === 409) break;
    }
    if (answers.length > 0 && !conflicts(answers.at(-1)!))
      problems.push(`another body: ${shown(answers.at(-1)!)}`);
  }
  t.deepEqual(problems, []);
});

test('of concurrent requests with one key, only one takes effect, also for bookings', async (t) => {
  const workspace = await newWorkspace();
  const { api, id } = workspace;
  const objects = await createObjects(workspace);
  const { api: owner } = workspace;
  const count = async (action: string): Promise<number> =>
    (await owner.get(`/v1/audit-log?action=${action}`)).body.data.length;
  const key = { 'idempotency-key': 'all at once' };
  const links = await Promise.all(
    Array.from({ length: 5 }, () => api.post(`/v1/bookings/${objects.booking}/rotate-manage-link`, {}, key)),
  );
  t.is(new Set(links.map(({ body }) => body.manage_url)).size, 1);
  t.is(await count('booking.manage_link_rotated'), 1);
  const cancelled = await Promise.all(
    Array.from({ length: 5 }, () =>
      api.post(`/v1/bookings/${objects.booking}/cancel`, {}, { 'idempotency-key': 'cancel' }),
    ),
  );
  t.deepEqual(
    cancelled.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  const [{ changes }] = await db.query(
    `SELECT count(*)::int AS changes FROM booking_changes WHERE workspace_id = $1 AND kind = 'cancel'`,
    [id],
  );
  t.is(changes, 1);
});

test('a test event and a redelivery are sent once per key', async (t) => {
  const { api, receiver } = await newSubscriber();
  t.teardown(() => receiver.close());
  const sent = await Promise.all(
    Array.from({ length: 3 }, () => api.post('/v1/webhook-endpoint/test', {}, { 'idempotency-key': 'test' })),
  );
  t.deepEqual(
    sent.map(({ status }) => status),
    [200, 200, 200],
  );
  t.is(new Set(sent.map(({ body }) => body.id)).size, 1);
  const { id } = sent[0]!.body;
  const redeliver = (key: string) => api.post(`/v1/events/${id}/redeliver`, {}, { 'idempotency-key': key });
  t.is((await redeliver('again')).body.deliveries.length, 2);
  t.is((await redeliver('again')).body.deliveries.length, 2);
  t.is((await redeliver('and again')).body.deliveries.length, 3);
  t.is((await redeliver('again')).body.deliveries.length, 3);
});

test('a repeat completes a change that was only stored, and does not repeat a completed one', async (t) => {
  const { api } = await newWorkspace();
  const { booking } = await confirmedBooking(api);
  const path = `/v1/bookings/${booking.id}` as const;
  const key = { 'idempotency-key': randomUUID() };
  const change = () => api.patch(path, { notes: 'By the window' }, key);
  t.is((await change()).body.notes, 'By the window');
  t.is((await api.patch(path, { notes: 'By the door' })).status, 200);
  t.is((await change()).body.notes, 'By the door', 'as it is now');

  // As if the process had died after storing the change.
  const id = newId('chg');
  const [record] = await db.query(`SELECT object_id FROM idempotency_keys WHERE key = $1`, [
    key['idempotency-key'],
  ]);
  await db.query(
    `UPDATE booking_changes SET id = $1, state = 'requested', outcome = NULL, finished_at = NULL,
            request = '{"notes": "By the window"}'
     WHERE id = $2`,
    [id, record.object_id],
  );
  await db.query(`UPDATE idempotency_keys SET object_id = $1 WHERE key = $2`, [id, key['idempotency-key']]);
  t.is((await change()).body.notes, 'By the window');
  t.is((await change()).status, 200);
  const conflict = await api.patch(path, { notes: 'Elsewhere' }, key);
  t.is(conflict.body.error.code, 'idempotency_conflict');
});

test('the key of a refused change can be used again, also for another change', async (t) => {
  const { api } = await newWorkspace();
  const { booking } = await confirmedBooking(api);
  const taken = (await api.post('/v1/bookings', bookingBody(booking.room_id))).body;
  const path = `/v1/bookings/${booking.id}` as const;
  const key = { 'idempotency-key': 'move' };
  const { start_at, end_at } = taken;
  for (const time of [1, 2]) {
    const refused = await api.patch(path, { start_at, end_at }, key);
    t.is(refused.body.error?.code, 'slot_unavailable', `${time}`);
  }
  const moved = await api.patch(path, { notes: 'Where it was' }, key);
  t.like(moved, { status: 200, body: { notes: 'Where it was' } });
  const other = await api.patch(path, { start_at, end_at }, key);
  t.is(other.body.error?.code, 'idempotency_conflict');
});

test('repeating a change that awaits its payment returns the same page, and changes nothing after it has ended', async (t) => {
  const { api } = await newWorkspace();
  const { booking } = await confirmedBooking(api, { card: '4000002760003184' });
  const path = `/v1/bookings/${booking.id}` as const;
  const body = { end_at: hoursLater(booking.end_at, 1), on_authentication: 'link' };
  const key = { 'idempotency-key': 'longer' };
  const first = await api.patch(path, body, key);
  t.is(first.status, 202);
  const again = await api.patch(path, body, key);
  t.is(again.status, 202);
  t.deepEqual(again.body.pending_change, first.body.pending_change);
  t.is((await api.delete(`${path}/pending-change`)).status, 204);
  const ended = await api.patch(path, body, key);
  t.like(ended, { status: 200, body: { end_at: booking.end_at, adjustment: null } });
});
