import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import type { DataSource } from 'typeorm';
import { createWebhookActivities, type WebhookDependencies } from '../../../activities/events/deliveries.js';
import { insertEvents } from '../../../commands/events/events.js';
import { assignAllPositions, lockEvents } from '../../../commands/events/positions.js';
import { deleteEndpoint, insertEndpoint, putEndpoint } from '../../../commands/events/webhook-endpoints.js';
import { recordSent, startTurn } from '../../../commands/events/webhook-turns.js';
import { WebhookEndpoint, WebhookRetry } from '../../../db/entities/events.js';
import type { Encryption } from '../../../db/encryption.js';
import { transaction } from '../../../db/transaction.js';
import type { Principal } from '../../../domain/policies.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { newObjectId, someBooking } from '../../support/events.js';
import { until } from '../../support/until.js';

const ENDPOINT = { url: 'https://hooks.example/', event_types: ['*'], secret: Buffer.alloc(1), after: 0 };
const NEW_URL = 'https://new.example/';

const encryption = { encrypt: () => Buffer.alloc(1), decrypt: () => 'whsec_AAAA' } as unknown as Encryption;

/** Deliveries in which `reply` responds with a status. */
function deliveries(scratch: DataSource, reply: (url: string) => Promise<number>) {
  const { deliverEvents, redeliverEvent } = createWebhookActivities({
    db: scratch,
    sender: {
      post: async ({ url }: { url: string }) => {
        const status_code = await reply(url);
        return { status_code, duration_ms: 1, error: null, response_excerpt: '' };
      },
    },
    encryption,
    webhookRetryScale: 1,
  } as unknown as WebhookDependencies);
  return {
    deliver: (workspaceId: string) => new MockActivityEnvironment().run(deliverEvents, workspaceId),
    redeliver: (eventId: string) => new MockActivityEnvironment().run(redeliverEvent, eventId),
  };
}

/** Creates a workspace with an endpoint and events, each of another object. `last`: their last position. */
async function newQueue(scratch: DataSource, count: number) {
  const { workspace_id } = await newPlace(scratch);
  const eventIds = await transaction(scratch, async (tx) => {
    await lockEvents(tx, workspace_id);
    await insertEndpoint(tx, { ...ENDPOINT, workspace_id });
    return insertEvents(
      tx,
      Array.from({ length: count }, () => ({
        type: 'booking.updated' as const,
        workspace_id,
        object: someBooking(newObjectId()),
        created_at: new Date(),
      })),
    );
  });
  // Events are stored at the end of their transaction.
  const last = await transaction(scratch, async (tx) => {
    await lockEvents(tx, workspace_id);
    return assignAllPositions(tx, workspace_id);
  });
  return { workspace_id, eventIds, last };
}

test('a turn waits until the unfinished turn before it has stored its results', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id, eventIds, last } = await newQueue(scratch, 2);
    let sent = 0;
    const { deliver } = deliveries(scratch, async () => {
      sent++;
      return 200;
    });

    const before = (await startTurn(scratch.manager, workspace_id))!;
    const storing = scratch.createQueryRunner();
    await storing.startTransaction();
    await lockEvents(storing.manager, workspace_id);
    const turn = deliver(workspace_id);
    const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await until(async () => sent > 0 || (await scratch.query(waits)).length > 0);
    const attempts = eventIds.map((event_id) => ({
      event_id,
      at: new Date().toISOString(),
      status_code: 200,
      duration_ms: 1,
      error: null,
      response_excerpt: '',
      succeeded: true,
      by_request: false,
    }));
    t.true(await recordSent(storing.manager, before, { attempts, upTo: last }, 1));
    await storing.commitTransaction();
    await storing.release();
    t.like(await turn, { delivered: 0, waiting: 0 });
    t.is(sent, 0, 'what was sent is not sent again');
    t.like(await startTurn(scratch.manager, workspace_id), { is_overlapping: false }, 'this turn has ended');
  });
});

for (const { attempt, status, change } of [
  { attempt: 'an attempt', status: 500, change: 'changed' },
  { attempt: 'an attempt', status: 410, change: 'changed' },
  { attempt: 'an attempt', status: 410, change: 'deleted and registered again' },
  { attempt: 'a redelivery', status: 410, change: 'changed' },
]) {
  test(`${attempt} that ends with ${status} after the endpoint was ${change} says nothing about it`, async (t) => {
    await withScratchDatabase(async (scratch) => {
      const { workspace_id, eventIds } = await newQueue(scratch, 1);
      const owner = { workspace_id, member_id: 'mem_1', key_id: null } as unknown as Principal;
      const replies = [500, status];
      const { deliver, redeliver } = deliveries(scratch, async (url) => {
        if (url === NEW_URL) return 200;
        const next = replies.shift()!;
        if (replies.length === 0) {
          if (change !== 'changed') await deleteEndpoint(scratch, owner);
          await putEndpoint({ db: scratch, encryption }, owner, { url: NEW_URL, event_types: ['*'] });
        }
        return next;
      });
      const endpoint = () => scratch.manager.findOneByOrFail(WebhookEndpoint, { workspace_id });
      const retries = () => scratch.manager.findBy(WebhookRetry, { workspace_id });

      t.like(await deliver(workspace_id), { failed: 1, waiting: 1 });
      await scratch.manager.update(
        WebhookRetry,
        { workspace_id },
        { attempts: 9, next_attempt_at: new Date() },
      );
      if (attempt === 'a redelivery') t.is(await redeliver(eventIds[0]!), 'failed');
      else t.like(await deliver(workspace_id), { failed: 1, disabled: false });
      t.like(await endpoint(), { url: NEW_URL, status: 'enabled', failing_since: null });
      if (change !== 'changed') return;
      t.like(await retries(), [{ event_id: eventIds[0], attempts: 9 }]);
      t.like(await deliver(workspace_id), { delivered: 1, waiting: 0 }, 'the new URL gets it at once');
    });
  });
}

test('failed redeliveries of an event that waits leave its schedule as it is', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id, eventIds } = await newQueue(scratch, 1);
    const [event_id] = eventIds as [string];
    const { deliver, redeliver } = deliveries(scratch, async () => 500);
    const retry = () => scratch.manager.findOneByOrFail(WebhookRetry, { event_id });
    const failingSince = async () =>
      (await scratch.manager.findOneByOrFail(WebhookEndpoint, { workspace_id })).failing_since;

    t.is(await redeliver(event_id), 'failed');
    t.is(await failingSince(), null, 'a failure on request does not start an outage');
    t.like(await retry(), { attempts: 0 });
    t.like(await deliver(workspace_id), { failed: 1 }, 'it is due immediately');
    const before = await retry();
    t.is(before.attempts, 1);
    for (let n = 0; n < 10; n++) t.is(await redeliver(event_id), 'failed');
    t.deepEqual(await retry(), before);
  });
});
