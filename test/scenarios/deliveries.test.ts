import { createHmac } from 'node:crypto';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { insertEvent } from '../../commands/events/events.js';
import {
  freeBooking,
  newObjectId,
  newSubscriber,
  someBooking,
  storeEvents,
  untilAttempts,
} from '../support/events.js';
import { eventIds } from '../support/receiver.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { temporal } from '../support/temporal.js';
import { workflowIds } from '../../contract/names.js';

test('a booking sends signed events that a receiver can verify by either scheme', async (t) => {
  const { api, receiver, secret } = await newSubscriber();
  t.teardown(() => receiver.close());
  const booking = await freeBooking(api);
  const received = await receiver.untilReceived(2);
  for (const { raw, headers, event } of received) {
    t.is(headers['content-type'], 'application/json');
    t.is(headers['service-signature'], createHmac('sha256', secret).update(raw).digest('hex'));
    t.is(headers['webhook-id'], event.id);
    t.notThrows(() => new Webhook(secret).verify(raw, headers as Record<string, string>));
    t.deepEqual(Object.keys(event), [
      'id',
      'type',
      'api_version',
      'created_at',
      'workspace_id',
      'sequence',
      'data',
    ]);
    t.is(event.api_version, 'v1');
    t.is(event.data.object.id, booking.id);
  }
});

test('a failed event is retried, and delays later events of its own object only', async (t) => {
  const [a, b] = [newObjectId(), newObjectId()];
  let failures = 3;
  const { workspace, api, receiver } = await newSubscriber(({ event }) =>
    event.data.object.id === a && failures-- > 0 ? 503 : 200,
  );
  t.teardown(() => receiver.close());
  const [a1, b1, a2, a3, b2] = await storeEvents(workspace.id, [a, b, a, a, b]);
  await until(async () => eventIds(receiver.received).includes(a3!));
  const got = eventIds(receiver.received);
  t.deepEqual(
    got.filter((id) => id !== b1 && id !== b2),
    [a1, a1, a1, a1, a2, a3],
  );
  t.true(got.indexOf(b2!) < got.lastIndexOf(a1!), 'the other object was not delayed');
  const deliveries = await untilAttempts(api, a1!, 4);
  t.deepEqual(
    deliveries.map(({ attempt, status_code }) => [attempt, status_code]),
    [
      [1, 503],
      [2, 503],
      [3, 503],
      [4, 200],
    ],
  );
});

test('a delivery run waits for more events instead of ending after each', async (t) => {
  const { workspace, receiver } = await newSubscriber();
  t.teardown(() => receiver.close());
  const run = temporal.workflow.getHandle(workflowIds.webhookDelivery(workspace.id));
  const isIdle = async (events: number): Promise<boolean> => {
    const { events: history } = await run.fetchHistory();
    const timers = history!.filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes).length;
    return timers >= events;
  };
  const runs = new Set<string>();
  for (const count of [1, 2, 3]) {
    await storeEvents(workspace.id, [newObjectId()]);
    await receiver.untilReceived(count);
    await until(() => isIdle(count));
    const { runId, status } = await run.describe();
    t.is(status.name, 'RUNNING');
    runs.add(runId);
  }
  t.is(runs.size, 1, 'one run has sent all three');
});

test('an event is dropped after its last attempt, and later events of its object are sent', async (t) => {
  const object = newObjectId();
  let hopeless = '';
  const { workspace, api, receiver } = await newSubscriber(({ event }) => {
    hopeless ||= event.id;
    return event.id === hopeless ? 500 : 200;
  });
  t.teardown(() => receiver.close());
  const [first, second] = await storeEvents(workspace.id, [object, object]);
  await untilAttempts(api, first!, 2);
  // As if nine attempts had failed: the tenth is the last.
  await db.query(`UPDATE webhook_retries SET attempts = 9, next_attempt_at = now() WHERE event_id = $1`, [
    first,
  ]);
  await db.query(`UPDATE webhook_endpoints SET notify_at = now() WHERE workspace_id = $1`, [workspace.id]);
  const { status_code } = (await untilAttempts(api, second!, 1))[0]!;
  t.is(status_code, 200);
});

test('receivers that never respond do not delay others', async (t) => {
  const dead = await Promise.all(Array.from({ length: 8 }, () => newSubscriber(() => undefined)));
  const fast = await newSubscriber();
  t.teardown(async () => {
    for (const { api, receiver } of [...dead, fast]) {
      await api.delete('/v1/webhook-endpoint');
      receiver.close();
    }
  });
  for (const { workspace } of dead) await storeEvents(workspace.id, Array.from({ length: 20 }, newObjectId));
  await Promise.all(dead.map(({ receiver }) => receiver.untilReceived(1)));
  for (let n = 1; n <= 5; n++) {
    await storeEvents(fast.workspace.id, [newObjectId()]);
    await fast.receiver.untilReceived(n);
  }
  const arrived = new Date().toISOString();
  // Five sequential events have arrived before any other receiver timed out twice.
  await Promise.all(
    dead.map(async ({ api }) => {
      const { body } = await api.get('/v1/events?limit=1');
      const { deliveries } = (await api.get(`/v1/events/${body.data[0]!.id}`)).body;
      t.true(deliveries.length < 2 || deliveries[1]!.at > arrived, JSON.stringify(deliveries));
    }),
  );
});

test('a slow receiver gets all events in order', async (t) => {
  const object = newObjectId();
  const { workspace, receiver } = await newSubscriber((_request, response) => {
    setTimeout(() => response.writeHead(204).end(), 3_300);
  });
  t.teardown(() => receiver.close());
  const ids = await storeEvents(workspace.id, [object, object, object]);
  await receiver.untilReceived(3);
  t.deepEqual(eventIds(receiver.received), ids);
});

test('a receiver that was down gets the events that it missed, in order', async (t) => {
  const { workspace, api, receiver } = await newSubscriber();
  const port = Number(new URL(receiver.url).port);
  const object = newObjectId();
  receiver.close();
  const ids = await storeEvents(workspace.id, [object, object]);
  const { error, status_code } = (await untilAttempts(api, ids[0]!, 2))[0]!;
  t.deepEqual([error, status_code], ['ECONNREFUSED', null]);
  ids.push(...(await storeEvents(workspace.id, [object])));
  await receiver.open(port);
  t.teardown(() => receiver.close());
  await receiver.untilReceived(3);
  t.deepEqual(eventIds(receiver.received), ids);
});

test('events of invoices and payments are sent only if they are listed in event_types', async (t) => {
  const everything = await newSubscriber(undefined, { event_types: ['*'] });
  const named = await newSubscriber(undefined, { event_types: ['invoice.paid'] });
  t.teardown(() => [everything, named].forEach(({ receiver }) => receiver.close()));
  for (const { workspace } of [everything, named]) {
    await storeEvents(workspace.id, [newObjectId()], 'invoice.paid');
    await storeEvents(workspace.id, [newObjectId()], 'invoice.created');
    await storeEvents(workspace.id, [newObjectId()], 'booking.updated');
    await storeEvents(workspace.id, [newObjectId()], 'invoice.paid');
  }
  await named.receiver.untilReceived(2);
  await everything.receiver.untilReceived(1);
  t.deepEqual(
    [everything, named].map(({ receiver }) => receiver.received.map(({ event }) => event.type)),
    [['booking.updated'], ['invoice.paid', 'invoice.paid']],
  );
});

test('an event that commits after a later one was sent is still sent', async (t) => {
  const { workspace, receiver } = await newSubscriber();
  t.teardown(() => receiver.close());
  const late = db.createQueryRunner();
  await late.startTransaction();
  const event = {
    type: 'booking.updated',
    workspace_id: workspace.id,
    object: someBooking(),
  } as const;
  const lateId = await insertEvent(late.manager, { ...event, created_at: new Date() });
  const [early] = await storeEvents(workspace.id, [newObjectId()]);
  await receiver.untilReceived(1);
  await late.commitTransaction();
  await late.release();
  await receiver.untilReceived(2);
  t.deepEqual(eventIds(receiver.received), [early!, lateId]);
});

test('queued events are sent to the new URL after the endpoint changes', async (t) => {
  const { workspace, api, receiver } = await newSubscriber(() => 500);
  const better = await newSubscriber();
  t.teardown(() => [receiver, better.receiver].forEach((one) => one.close()));
  const [id] = await storeEvents(workspace.id, [newObjectId()]);
  await untilAttempts(api, id!, 2);
  await api.put('/v1/webhook-endpoint', { url: better.receiver.url });
  await better.receiver.untilReceived(1);
  t.deepEqual(eventIds(better.receiver.received), [id!]);
});
