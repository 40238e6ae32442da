import { HOUR_SECONDS, MINUTE_SECONDS } from '../../../domain/durations.js';
import test from 'ava';
import { insertEvent } from '../../../commands/events/events.js';
import { assignAllPositions, lockEvents } from '../../../commands/events/positions.js';
import { recordAttempts, type SentTo } from '../../../commands/events/webhook-attempts.js';
import { findEndpoint } from '../../../db/queries/events/webhook-endpoint.js';
import { insertEndpoint } from '../../../commands/events/webhook-endpoints.js';
import { advanceSentPosition } from '../../../commands/events/webhook-turns.js';
import { newId } from '../../../db/ids.js';
import { column, execute, exists, many } from '../../../db/query.js';
import type { Tx } from '../../../db/transaction.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';

/** docs/rules/events.md#delivery: after the first attempt. */
const SCHEDULE = [
  5,
  5 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  2 * HOUR_SECONDS,
  5 * HOUR_SECONDS,
  10 * HOUR_SECONDS,
  14 * HOUR_SECONDS,
  20 * HOUR_SECONDS,
  24 * HOUR_SECONDS,
];
const EVENTS = 20;

/** Runs `work` in a transaction that is rolled back, so that nothing it stores is delivered. */
async function rolledBack(work: (tx: Tx, sentTo: SentTo, eventIds: string[]) => Promise<void>) {
  const { id: workspaceId } = await newWorkspace();
  const runner = db.createQueryRunner();
  await runner.startTransaction();
  try {
    const tx = runner.manager;
    await lockEvents(tx, workspaceId);
    const endpoint = { workspace_id: workspaceId, url: 'http://127.0.0.1:9/', event_types: ['*'] };
    await insertEndpoint(tx, { ...endpoint, secret: Buffer.alloc(1), after: 0 });
    const eventIds: string[] = [];
    for (let n = 0; n < EVENTS; n++) {
      const event = {
        type: 'booking.updated',
        workspace_id: workspaceId,
        object: { id: newId('bk') },
      } as const;
      eventIds.push(await insertEvent(tx, { ...event, created_at: new Date() }));
    }
    await assignAllPositions(tx, workspaceId);
    await work(tx, (await findEndpoint(tx, workspaceId))!, eventIds);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

const outcome = (event_id: string, status_code: number | null, by_request = false) => ({
  event_id,
  at: new Date().toISOString(),
  status_code,
  duration_ms: 1,
  error: null,
  response_excerpt: '',
  succeeded: status_code === 200,
  by_request,
});

for (const scale of [1, 0.001]) {
  test(`attempts follow the retry schedule with at most 10 % jitter, at scale ${scale}`, (t) =>
    rolledBack(async (tx, sentTo, eventIds) => {
      const { workspace_id: workspaceId } = sentTo;
      for (const seconds of SCHEDULE) {
        const failed = eventIds.map((id) => outcome(id, 500));
        await recordAttempts(tx, sentTo, failed, scale);
        const rows = await many<{ delay: number }>(
          tx,
          `SELECT extract(epoch FROM next_attempt_at - now())::float8 AS delay FROM webhook_retries
           WHERE workspace_id = $1`,
          [workspaceId],
        );
        const delays = rows.map(({ delay }) => delay / scale);
        t.is(delays.length, EVENTS);
        // Times are stored to the millisecond.
        const rounding = 0.001 / scale;
        for (const delay of delays)
          t.true(
            delay >= seconds * 0.9 - rounding && delay <= seconds * 1.1 + rounding,
            `${delay}, ${seconds}`,
          );
        if (seconds * scale > 1) t.true(new Set(delays).size > EVENTS / 2, 'they spread');
      }
      await recordAttempts(tx, sentTo, [outcome(eventIds[0]!, null)], scale);
      const left = await column<string>(tx, `SELECT event_id FROM webhook_retries WHERE workspace_id = $1`, [
        workspaceId,
      ]);
      t.is(left.length, EVENTS - 1, 'after the tenth attempt an event is dropped');
      await advanceSentPosition(tx, sentTo, EVENTS);
      const isQueued = await exists(
        tx,
        `SELECT FROM webhook_retries WHERE workspace_id = $1 AND event_id = $2`,
        [workspaceId, eventIds[0]],
      );
      t.false(isQueued, 'permanently');
    }));
}

test('five days of failures disable an endpoint, a success resets them, and a redelivery does not count', (t) =>
  rolledBack(async (tx, sentTo, [first, second]) => {
    const { workspace_id: workspaceId } = sentTo;
    const age = () =>
      execute(
        tx,
        `UPDATE webhook_endpoints SET failing_since = failing_since - interval '5 days'
          WHERE workspace_id = $1`,
        [workspaceId],
      );
    const record = (...attempts: Parameters<typeof outcome>) =>
      recordAttempts(tx, sentTo, [outcome(...attempts)], 1);
    const endpoint = async () => (await findEndpoint(tx, workspaceId))!;

    await record(second!, 500, true);
    t.is((await endpoint()).failing_since, null);
    await record(first!, 500);
    t.not((await endpoint()).failing_since, null);
    await record(second!, 200);
    t.is((await endpoint()).failing_since, null);
    await record(first!, 500);
    t.is((await endpoint()).status, 'enabled');
    await age();
    t.false(await record(first!, 500));
    t.like(await endpoint(), { status: 'disabled', disabled_reason: 'receiver_failing' });
    t.false(await exists(tx, `SELECT FROM webhook_retries WHERE workspace_id = $1`, [workspaceId]));
  }));
