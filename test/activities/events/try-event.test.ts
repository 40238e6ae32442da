import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createWebhookSender } from '../../../activities/gateways/webhook-sender.js';
import { createWebhookActivities, type DeliveryOutcome } from '../../../activities/events/deliveries.js';
import { createEncryption } from '../../../db/encryption.js';
import { newObjectId, newSubscriber, storeEvents, untilAttempts } from '../../support/events.js';
import { db } from '../../support/stack.js';

const { encryptionKey } = JSON.parse(
  readFileSync(join(dirname(process.env.HOLDFAST_DEV_JSON!), 'secrets.json'), 'utf8'),
);
const { tryEventNow } = createWebhookActivities({
  db,
  sender: createWebhookSender({ allowPrivate: true, timeoutMs: 5_000 }),
  encryption: createEncryption(process.env.ENCRYPTION_KEY || encryptionKey),
  webhookRetryScale: 1,
});
const tryNow = (eventId: string): Promise<DeliveryOutcome> =>
  new MockActivityEnvironment().run(tryEventNow, eventId);

test('an event is sent ahead of the queue, and not again from the queue', async (t) => {
  let down = true;
  const { workspace, api, receiver } = await newSubscriber(({ event }) =>
    down && event.type === 'booking.updated' ? 500 : 200,
  );
  t.teardown(() => receiver.close());
  const object = newObjectId();
  const [first] = await storeEvents(workspace.id, [object]);
  await untilAttempts(api, first!, 1);
  const [second] = await storeEvents(workspace.id, [object], 'booking.completed');
  t.is(await tryNow(second!), 'delivered');
  t.true(receiver.received.some(({ event }) => event.id === second));
  t.is(await tryNow(second!), 'not_subscribed', 'it was delivered');

  down = false;
  const [third] = await storeEvents(workspace.id, [object], 'booking.no_show');
  await untilAttempts(api, third!, 1);
  const types = receiver.received.map(({ event }) => event.type);
  t.is(types.filter((type) => type === 'booking.completed').length, 1);
  t.deepEqual(types.slice(-2), ['booking.updated', 'booking.no_show']);
});

test('an event that fails stays in the queue; an event without a subscriber is not sent', async (t) => {
  let failures = 0;
  const { workspace, api, receiver } = await newSubscriber(({ event }) =>
    event.type === 'booking.updated' || failures++ === 0 ? 500 : 200,
  );
  t.teardown(() => receiver.close());
  const object = newObjectId();
  const [blocking] = await storeEvents(workspace.id, [object]);
  await untilAttempts(api, blocking!, 1);
  const [event, unwanted] = [
    ...(await storeEvents(workspace.id, [object], 'booking.completed')),
    ...(await storeEvents(workspace.id, [object], 'invoice.paid')),
  ];
  t.is(await tryNow(event!), 'failed');
  const { status_code } = (await untilAttempts(api, event!, 1))[0]!;
  t.is(status_code, 500);
  const waiting = await db.query(`SELECT attempts FROM webhook_retries WHERE event_id = $1`, [event]);
  t.deepEqual(waiting, [{ attempts: 1 }]);
  t.is(await tryNow(unwanted!), 'not_subscribed');
  t.false(receiver.received.some(({ event: got }) => got.id === unwanted));
});
