import test from 'ava';
import { newObjectId, newSubscriber, storeEvents, untilAttempts } from '../support/events.js';
import { killWorkers, untilBlocked } from '../support/outages.js';
import { firstArrivals, eventIds } from '../support/receiver.js';
import { db } from '../support/stack.js';

test('an event whose worker is killed between the delivery and its record is delivered again and recorded', async (t) => {
  const { workspace, api, receiver } = await newSubscriber((_request, response) => {
    response.writeHead(200).end('taken');
  });
  t.teardown(() => receiver.close());
  const object = newObjectId();
  const holder = db.createQueryRunner();
  t.teardown(() => holder.release());
  // Attempts cannot be recorded.
  await holder.startTransaction();
  await holder.query('LOCK TABLE webhook_deliveries IN SHARE MODE');
  const [first, second] = await storeEvents(workspace.id, [object, object]);
  await untilBlocked(holder, '%INSERT INTO webhook_deliveries%');
  killWorkers();
  await holder.rollbackTransaction();
  const deliveries = await untilAttempts(api, first!, 1);
  t.like(deliveries, [{ attempt: 1, status_code: 200, response_excerpt: 'taken' }]);
  await untilAttempts(api, second!, 1);
  t.deepEqual(firstArrivals(receiver.received, object), [first!, second!]);
  t.is(eventIds(receiver.received).filter((id) => id === first).length, 2);
});
