import { FAILING_SECONDS_UNTIL_DISABLED } from '../../domain/webhook-schedule.js';
import { affected, execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { lockEvents } from './positions.js';
import { updateReceiverHealth } from './receiver-health.js';
import { SUBSCRIBED } from '../../db/queries/events/webhook-endpoint.js';
import { FINISHED, HEADS } from '../../db/queries/events/webhook-queue.js';

/** A workflow that has not resumed by itself this long after the time it waited for is notified: it may be lost. */
const LOST_AFTER_SECONDS = 60;

/**
 * Starts a turn of deliveries: until it ends, new events need not notify the workflow. Disables a receiver whose
 * attempts have all failed for five days. `scale` multiplies all delays.
 */
export async function startTurn(tx: Tx, workspaceId: string, scale: number): Promise<void> {
  await lockEvents(tx, workspaceId);
  await updateReceiverHealth(tx, workspaceId, [], scale);
  await execute(
    tx,
    `UPDATE webhook_endpoints SET is_delivering = true WHERE workspace_id = $1 AND NOT is_delivering`,
    [workspaceId],
  );
}

/** What is left to deliver after a turn. */
export interface RemainingDeliveries {
  waiting: number;
  /** Milliseconds until the next attempt is due or the receiver must be disabled; null if neither. */
  wait_ms: number | null;
}

/**
 * Ends a turn of deliveries with a last check of the queue. It holds the lock, so that events queued after the check
 * notify the workflow. `scale` multiplies all delays.
 */
export async function endTurn(tx: Tx, workspaceId: string, scale: number): Promise<RemainingDeliveries> {
  await lockEvents(tx, workspaceId);
  const remaining = await one<RemainingDeliveries>(
    tx,
    `WITH heads AS (${HEADS}), unsent AS (
       SELECT count(*) AS count FROM events e JOIN webhook_endpoints w USING (workspace_id)
       WHERE e.workspace_id = $1 AND e.position > w.sent_up_to AND w.status = 'enabled'
     ), due AS (
       SELECT next_attempt_at AS at FROM heads UNION ALL
       SELECT failing_since + make_interval(secs => $2) FROM webhook_endpoints
       WHERE workspace_id = $1 AND status = 'enabled'
     )
     SELECT unsent.count + (SELECT count(*) FROM webhook_retries WHERE workspace_id = $1) AS waiting,
            CASE WHEN unsent.count > 0 THEN 0 ELSE
              (SELECT ceil(1000 * greatest(0, extract(epoch FROM min(at) - clock_timestamp()))) FROM due HAVING count(at) > 0)
            END::float8 AS wait_ms
     FROM unsent`,
    [workspaceId, FAILING_SECONDS_UNTIL_DISABLED * scale],
  );
  await execute(
    tx,
    `UPDATE webhook_endpoints
     SET is_delivering = false, notify_at = now() + make_interval(secs => $2::float8 / 1000 + ${LOST_AFTER_SECONDS})
     WHERE workspace_id = $1`,
    [workspaceId, remaining.wait_ms],
  );
  return remaining;
}

/**
 * Advances `sent_up_to` to a position, and queues unfinished events before it as retries. Returns false, and does
 * nothing, if the endpoint's revision has changed.
 */
export async function advanceSentPosition(
  tx: Tx,
  workspaceId: string,
  upTo: number,
  revision: number,
): Promise<boolean> {
  await lockEvents(tx, workspaceId);
  await execute(
    tx,
    `INSERT INTO webhook_retries (event_id, workspace_id, object_id, position)
     SELECT e.id, $1, e.object_id, e.position FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.workspace_id = $1 AND e.position > w.sent_up_to AND e.position <= $2 AND w.revision = $3
       AND ${SUBSCRIBED('e.type')} AND NOT ${FINISHED}
     ON CONFLICT (event_id) DO NOTHING`,
    [workspaceId, upTo, revision],
  );
  const advanced = await affected(
    tx,
    `UPDATE webhook_endpoints SET sent_up_to = greatest(sent_up_to, $2)
     WHERE workspace_id = $1 AND revision = $3 AND status = 'enabled'`,
    [workspaceId, upTo, revision],
  );
  return advanced > 0;
}
