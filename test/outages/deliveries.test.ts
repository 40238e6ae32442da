import test from '../support/suite.js';
import { newObjectId, newSubscriber, storeEvents, untilAttempts } from '../support/events.js';
import { killWorkers, replaceWorkers } from '../support/outages.js';
import { idsOf, type Received } from '../support/receiver.js';
import { db, until } from '../support/stack.js';

/** The events of each object in the order of their first arrival are those stored, in order. */
const firstArrivals = (received: Received[], objectId: string): string[] => [
  ...new Set(idsOf(received.filter(({ event }) => event.data.object.id === objectId))),
];

test('a worker that dies between a delivery and its record: the event comes again, and is recorded', async (t) => {
  let killed = false;
  const { workspace, api, receiver } = await newSubscriber((_request, answer) => {
    answer.writeHead(200).end('taken');
    if (!killed) killWorkers();
    killed = true;
  });
  t.teardown(() => receiver.close());
  const object = newObjectId();
  const [first, second] = await storeEvents(workspace.id, [object, object]);
  const deliveries = await untilAttempts(api, first!, 1, 60_000);
  t.like(deliveries, [{ attempt: 1, status_code: 200, response_excerpt: 'taken' }]);
  await untilAttempts(api, second!, 1);
  t.deepEqual(firstArrivals(receiver.received, object), [first!, second!]);
  t.is(idsOf(receiver.received).filter((id) => id === first).length, 2);
});

test('a worker killed again and again amid 400 events loses none and keeps the order', async (t) => {
  const { workspace, receiver } = await newSubscriber((_request, answer) => {
    setTimeout(() => answer.writeHead(200).end(), 20);
  });
  t.teardown(() => receiver.close());
  const objects = Array.from({ length: 100 }, newObjectId);
  const ids = await storeEvents(workspace.id, [...objects, ...objects, ...objects, ...objects]);
  for (const seen of [30, 200]) {
    await receiver.untilReceived(seen, 60_000);
    await replaceWorkers();
  }
  await until(async () => {
    const rows = await db.query(
      `SELECT FROM events e WHERE workspace_id = $1 AND NOT EXISTS
         (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.status_code = 200)`,
      [workspace.id],
    );
    return rows.length === 0;
  }, 60_000);
  objects.forEach((object, n) => {
    t.deepEqual(
      firstArrivals(receiver.received, object),
      [0, 1, 2, 3].map((turn) => ids[turn * 100 + n]!),
    );
  });
});
