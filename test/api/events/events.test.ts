import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { redeliverAll } from '../../../api/resources/events/redeliver.js';
import { insertEvent } from '../../../commands/events/events.js';
import { assignNewPositions } from '../../../commands/events/positions.js';
import { listOldestEvents } from '../../../db/queries/events/sent-event.js';
import {
  freeBooking,
  newObjectId,
  newSubscriber,
  someBooking,
  storeEvents,
  untilAttempts,
} from '../../support/events.js';
import type { ApiClient } from '../../support/api-client.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';

const listIds = (body: { data: { id: string }[] }): string[] => body.data.map(({ id }) => id);
const list = async (api: ApiClient, query: Record<string, string> = {}) =>
  (await api.get(`/v1/events?${new URLSearchParams(query)}`)).body;

test('an event is listed and read as it was sent, with its deliveries', async (t) => {
  const { api, receiver, workspace } = await newSubscriber();
  t.teardown(() => receiver.close());
  const booking = await freeBooking(api);
  await api.patch(`/v1/bookings/${booking.id}`, { notes: 'By the window' });
  const sent = (await receiver.untilReceived(3)).map(({ event }) => event);
  t.deepEqual(
    sent.map(({ type, sequence }) => [type, sequence]),
    [
      ['booking.created', 1],
      ['booking.confirmed', 2],
      ['booking.updated', 3],
    ],
  );
  const { data } = await list(api);
  t.deepEqual(
    data.filter(({ type }) => type.startsWith('booking.')),
    sent,
  );
  const { deliveries, ...shown } = (await api.get(`/v1/events/${sent[2]!.id}`)).body;
  t.deepEqual(shown, sent[2]);
  t.is(shown.workspace_id, workspace.id);
  t.is(shown.data.object.notes, 'By the window');
  t.like(shown.data.previous, { notes: null });
  const { at, duration_ms, ...attempt } = (await untilAttempts(api, shown.id, 1))[0]!;
  t.true(deliveries.length <= 1);
  t.deepEqual(attempt, { attempt: 1, status_code: 200, error: null, response_excerpt: '' });
  t.true(Date.parse(at) >= Date.parse(shown.created_at) && duration_ms! >= 0);
});

test('the list filters by type and time, and paginates without overlap until the cursor is null', async (t) => {
  const { api, id: workspaceId } = await newWorkspace();
  const objects = Array.from({ length: 5 }, newObjectId);
  const updated = await storeEvents(workspaceId, objects);
  const completed = await storeEvents(workspaceId, objects, 'booking.completed');
  t.deepEqual(listIds(await list(api)), [...updated, ...completed]);
  t.deepEqual(listIds(await list(api, { type: 'booking.completed' })), completed);
  t.deepEqual(listIds(await list(api, { type: 'member.invited' })), []);

  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(api, { limit: '4', ...(cursor && { cursor }) });
    pages.push(listIds(page));
    cursor = page.next_cursor;
  }
  t.deepEqual(pages, [updated.slice(0, 4), [updated[4]!, ...completed.slice(0, 3)], completed.slice(3)]);

  const { created_at } = (await api.get(`/v1/events/${completed[0]}`)).body;
  t.deepEqual(listIds(await list(api, { to: created_at })).includes(completed[0]!), false);
  t.true(listIds(await list(api, { from: created_at })).includes(completed[0]!));
  t.deepEqual(listIds(await list(api, { from: '2099-01-01T00:00:00Z' })), []);
});

test('invalid queries are refused and the error names the field', async (t) => {
  const { api } = await newWorkspace();
  for (const [param, value] of [
    ['type', 'booking.unknown'],
    ['from', 'yesterday'],
    ['limit', '0'],
    ['cursor', 'nonsense'],
    ['cursor', 'evt_01h455vb4pex5vsknk084sn02q'],
    ['sort', 'asc'],
  ] as const) {
    const response = await api.get(`/v1/events?${param}=${value}`);
    isError(t, response, 422, 'validation_failed', `${param}=${value}`);
    t.is(response.body.error.param, param);
  }
});

test('unknown events and events of another workspace return 404 and are not listed', async (t) => {
  const mine = await newWorkspace();
  const other = await newWorkspace();
  const [theirs] = await storeEvents(other.id, [newObjectId()]);
  for (const id of [theirs!, 'evt_01h455vb4pex5vsknk084sn02q', 'nonsense', 'bk_1']) {
    isError(t, await mine.api.get(`/v1/events/${id}`), 404, 'event_not_found', id);
    isError(t, await mine.api.post(`/v1/events/${id}/redeliver`), 404, 'event_not_found', id);
  }
  t.deepEqual(listIds(await list(mine.api)), []);
  isError(t, await mine.api.get(`/v1/events?cursor=${theirs}`), 422, 'validation_failed');
});

test('events are readable by admins and owners whose key has the scope', async (t) => {
  const workspace = await newWorkspace();
  const [id] = await storeEvents(workspace.id, [newObjectId()]);
  const { api: member } = await newMember(workspace, { role: 'member' });
  const reader = await newKey(workspace, workspace.ownerId, { resources: ['webhooks'], actions: ['read'] });
  for (const path of ['/v1/events', `/v1/events/${id}`]) {
    isError(t, await member.get(path), 403, 'role_insufficient');
    t.is((await reader.get(path)).status, 200);
  }
  isError(t, await reader.post(`/v1/events/${id}/redeliver`), 403, 'auth_scope_insufficient');
});

test('an event that commits late appears after the events that a reader has already seen', async (t) => {
  const { api, id: workspaceId } = await newWorkspace();
  const late = db.createQueryRunner();
  await late.startTransaction();
  const lateId = await insertEvent(late.manager, {
    type: 'booking.updated',
    workspace_id: workspaceId,
    object: someBooking(),
    created_at: new Date(),
  });
  const [early] = await storeEvents(workspaceId, [newObjectId()]);
  t.deepEqual(listIds(await list(api)), [early!], 'an uncommitted event is not listed');
  await late.commitTransaction();
  await late.release();
  t.deepEqual(listIds(await list(api, { cursor: early! })), [lateId]);
  t.deepEqual(listIds(await list(api)), [early!, lateId]);
});

test('a poller sees each event of concurrent writers once, in a stable order, whatever the commit order', async (t) => {
  const { api, id: workspaceId } = await newWorkspace();
  let writing = true;
  const writer = async (turn: number): Promise<string[]> => {
    const written: string[] = [];
    for (let n = 0; n < 8; n++) {
      await db.transaction(async (tx) => {
        const object = someBooking();
        const event = { type: 'booking.updated', workspace_id: workspaceId, object } as const;
        const id = await insertEvent(tx, { ...event, created_at: new Date() });
        await sleep(((turn * 7 + n * 13) % 5) * 6);
        written.push(id);
      });
    }
    return written;
  };
  // Four concurrently: the connection pool of the tests has five connections.
  const writers = Promise.all([0, 1, 2, 3].map(writer)).finally(() => (writing = false));
  const seen: string[] = [];
  for (;;) {
    const last = !writing;
    const page = await list(api, { limit: '3', ...(seen.length > 0 && { cursor: seen.at(-1)! }) });
    seen.push(...listIds(page));
    if (last && page.data.length === 0) break;
  }
  t.deepEqual([...seen].sort(), (await writers).flat().sort());
  t.deepEqual(listIds(await list(api, { limit: '200' })), seen);
});

test('a redelivery sends the same body again and returns all attempts', async (t) => {
  const { api, receiver, workspace } = await newSubscriber();
  t.teardown(() => receiver.close());
  const [id] = await storeEvents(workspace.id, [newObjectId()]);
  const [first] = await receiver.untilReceived(1);
  await untilAttempts(api, id!, 1);
  const { status, body } = await api.post(`/v1/events/${id}/redeliver`);
  t.is(status, 200, JSON.stringify(body));
  t.deepEqual(
    body.deliveries.map(({ attempt, status_code }) => [attempt, status_code]),
    [
      [1, 200],
      [2, 200],
    ],
  );
  const [, second] = await receiver.untilReceived(2);
  t.is(second!.raw, first!.raw);
  t.is(second!.headers['webhook-id'], id);
});

test('a failed redelivery is not retried, and a redelivery without an endpoint is refused', async (t) => {
  const { api, receiver, workspace } = await newSubscriber();
  t.teardown(() => receiver.close());
  const [id] = await storeEvents(workspace.id, [newObjectId()]);
  await untilAttempts(api, id!, 1);
  receiver.reply = () => 503;
  const { body } = await api.post(`/v1/events/${id}/redeliver`);
  t.is(body.deliveries.at(-1)!.status_code, 503);
  t.deepEqual(await db.query(`SELECT FROM webhook_retries WHERE event_id = $1`, [id]), []);
  t.is((await api.get('/v1/webhook-endpoint')).body.status, 'enabled');
  await api.delete('/v1/webhook-endpoint');
  isError(t, await api.post(`/v1/events/${id}/redeliver`), 404, 'not_found');
});

test('an event that waits for its next attempt can be redelivered, and then leaves the queue', async (t) => {
  const { api, receiver, workspace } = await newSubscriber(() => 500);
  t.teardown(() => receiver.close());
  const [id] = await storeEvents(workspace.id, [newObjectId()]);
  await untilAttempts(api, id!, 3);
  receiver.reply = () => 200;
  const { body } = await api.post(`/v1/events/${id}/redeliver`);
  t.is(body.deliveries.at(-1)!.status_code, 200);
  await until(
    async () => (await db.query(`SELECT FROM webhook_retries WHERE event_id = $1`, [id])).length === 0,
  );
});

test('several events are redelivered concurrently, those of one object one at a time and in order', async (t) => {
  const { id: workspace_id } = await newWorkspace();
  const [a, b, c] = [newObjectId(), newObjectId(), newObjectId()];
  await storeEvents(workspace_id, [a, a, b, a, c, b]);
  await assignNewPositions(db, workspace_id);
  const events = await listOldestEvents(db.manager, { workspace_id, limit: 10 });
  const active = new Set<string>();
  const started: string[] = [];
  let most = 0;
  const temporal = {
    withDeadline: (_: number, work: () => Promise<void>) => work(),
    workflow: {
      async execute(_: string, { args }: { args: [{ eventId: string }] }) {
        const { id, object_id } = events.find((event) => event.id === args[0].eventId)!;
        t.false(active.has(object_id), 'no other event of the object is being sent');
        active.add(object_id);
        started.push(id);
        most = Math.max(most, active.size);
        await sleep(20);
        active.delete(object_id);
      },
    },
  };
  const deps = { db, temporal, taskQueue: 'test' } as unknown as Parameters<typeof redeliverAll>[0];
  t.is(await redeliverAll(deps, workspace_id, events, 60_000), 6);
  t.is(most, 3);
  for (const object of [a, b, c]) {
    const ids = events.filter(({ object_id }) => object_id === object).map(({ id }) => id);
    t.deepEqual(
      started.filter((id) => ids.includes(id)),
      ids,
    );
  }
});
