import test from '../support/suite.js';
import { newObjectId, newSubscriber, storeEvents, untilAttempts } from '../support/events.js';
import { killWorkers } from '../support/outages.js';
import { firstArrivals, idsOf } from '../support/receiver.js';

test('an event whose worker is killed during the delivery is delivered again and recorded', async (t) => {
  let killed = false;
  const { workspace, api, receiver } = await newSubscriber((_request, response) => {
    // Before the response: the worker could record that before it is killed.
    if (!killed) killWorkers();
    killed = true;
    response.writeHead(200).end('taken');
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
