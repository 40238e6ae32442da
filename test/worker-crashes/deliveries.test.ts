import test from 'ava';
import { newObjectId, newSubscriber, storeEvents } from '../support/events.js';
import { replaceWorkers } from '../support/outages.js';
import { firstArrivals } from '../support/receiver.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';

test('400 events are delivered in order despite repeatedly killed workers', async (t) => {
  const { workspace, receiver } = await newSubscriber((_request, response) => {
    setTimeout(() => response.writeHead(200).end(), 20);
  });
  t.teardown(() => receiver.close());
  const objects = Array.from({ length: 100 }, newObjectId);
  const ids = await storeEvents(workspace.id, [...objects, ...objects, ...objects, ...objects]);
  for (const seen of [30, 200]) {
    await receiver.untilReceived(seen);
    await replaceWorkers();
  }
  await until(async () => {
    const rows = await db.query(
      `SELECT FROM events e WHERE workspace_id = $1 AND NOT EXISTS
         (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.status_code = 200)`,
      [workspace.id],
    );
    return rows.length === 0;
  });
  objects.forEach((object, n) => {
    t.deepEqual(
      firstArrivals(receiver.received, object),
      [0, 1, 2, 3].map((turn) => ids[turn * 100 + n]!),
    );
  });
});
