import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createWebhookActivities, type WebhookDependencies } from '../../../activities/events/deliveries.js';
import { insertEvents } from '../../../commands/events/events.js';
import { assignAllPositions, lockEvents } from '../../../commands/events/positions.js';
import { insertEndpoint } from '../../../commands/events/webhook-endpoints.js';
import { recordSent, startTurn } from '../../../commands/events/webhook-turns.js';
import { transaction } from '../../../db/transaction.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { newObjectId, someBooking } from '../../support/events.js';
import { until } from '../../support/until.js';

const ENDPOINT = { url: 'https://hooks.example/', event_types: ['*'], secret: Buffer.alloc(1), after: 0 };

test('a turn waits until the unfinished turn before it has stored its results', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const eventIds = await transaction(scratch, async (tx) => {
      await lockEvents(tx, workspace_id);
      await insertEndpoint(tx, { ...ENDPOINT, workspace_id });
      const type = 'booking.updated';
      return insertEvents(
        tx,
        [1, 2].map(() => ({
          type,
          workspace_id,
          object: someBooking(newObjectId()),
          created_at: new Date(),
        })),
      );
    });
    const last = await transaction(scratch, async (tx) => {
      await lockEvents(tx, workspace_id);
      return assignAllPositions(tx, workspace_id);
    });
    let sent = 0;
    const { deliverEvents } = createWebhookActivities({
      db: scratch,
      sender: {
        post: async () => {
          sent++;
          return { status_code: 200, duration_ms: 1, error: null, response_excerpt: '' };
        },
      },
      encryption: { decrypt: () => 'whsec_AAAA' },
      webhookRetryScale: 1,
    } as unknown as WebhookDependencies);

    const before = (await startTurn(scratch.manager, workspace_id))!;
    const storing = scratch.createQueryRunner();
    await storing.startTransaction();
    await lockEvents(storing.manager, workspace_id);
    const turn = new MockActivityEnvironment().run(deliverEvents, workspace_id);
    const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await until(async () => sent > 0 || (await scratch.query(waits)).length > 0);
    const receiver = { workspaceId: workspace_id, revision: before.revision };
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
    t.true(await recordSent(storing.manager, receiver, { attempts, upTo: last }, 1));
    await storing.commitTransaction();
    await storing.release();
    t.like(await turn, { delivered: 0, waiting: 0 });
    t.is(sent, 0, 'what was sent is not sent again');
    t.like(await startTurn(scratch.manager, workspace_id), { is_overlapping: false }, 'this turn has ended');
  });
});
