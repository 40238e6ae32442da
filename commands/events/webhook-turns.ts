import { FAILING_SECONDS_UNTIL_DISABLED } from '../../domain/events/webhook-schedule.js';
import { affected, maybeOne } from '../../db/query.js';
import { WebhookEndpoint } from '../../db/entities/events.js';
import type { Tx } from '../../db/transaction.js';
import { lockEvents } from './positions.js';
import { updateReceiverHealth } from './receiver-health.js';
import { recordAttempts, type AttemptRecord, type SentTo } from './webhook-attempts.js';
import { findEndpoint } from '../../db/queries/events/webhook-endpoint.js';

/** An endpoint, enabled or not, at the start of a turn of deliveries. */
export interface StartedTurn extends WebhookEndpoint {
  /** True if any event waits to be sent again. */
  has_retries: boolean;
  /**
   * True if the previous turn has not ended: its activity may be lost, or still be storing what it has sent.
   */
  is_overlapping: boolean;
}

const START_TURN = {
  name: 'start_turn',
  text: `UPDATE webhook_endpoints w SET is_delivering = true FROM webhook_endpoints before
    WHERE w.workspace_id = $1 AND before.workspace_id = w.workspace_id
    RETURNING w.*, before.is_delivering AS is_overlapping,
      EXISTS (SELECT FROM webhook_retries r WHERE r.workspace_id = w.workspace_id) AS has_retries`,
};

/**
 * Starts a turn of deliveries. Until it ends, new events do not need to notify the workflow. It does not wait
 * for the lock, since `endTurn` checks the queue again under it. Returns null if there is no endpoint.
 */
export const startTurn = (tx: Tx, workspaceId: string): Promise<StartedTurn | null> =>
  maybeOne(tx, START_TURN, [workspaceId]);

/**
 * Starts a turn under the lock, after the previous turn has stored everything. Disables a receiver whose
 * attempts have all failed for five days. `scale` multiplies all delays. Returns null if the endpoint is
 * deleted or disabled.
 */
export async function startTurnLocked(
  tx: Tx,
  workspaceId: string,
  scale: number,
): Promise<StartedTurn | null> {
  await lockEvents(tx, workspaceId);
  const endpoint = await findEndpoint(tx, workspaceId);
  return (await updateReceiverHealth(tx, endpoint, [], scale)) && startTurn(tx, workspaceId);
}

export interface RemainingDeliveries {
  waiting: number;
  /** Milliseconds until the next attempt is due or the receiver must be disabled; null if neither applies. */
  wait_ms: number | null;
  /** The time since which every attempt has failed, otherwise null. */
  failing_since: Date | null;
  is_disabled: boolean;
}

const OF_DELETED: RemainingDeliveries = {
  waiting: 0,
  wait_ms: null,
  failing_since: null,
  is_disabled: false,
};

const END_TURN = {
  name: 'end_turn',
  text: `WITH heads AS (SELECT DISTINCT ON (object_id) object_id, next_attempt_at FROM webhook_retries
    WHERE workspace_id = $1 ORDER BY object_id, position), unsent AS (
       SELECT count(*) AS count FROM events e JOIN webhook_endpoints w USING (workspace_id)
       WHERE e.workspace_id = $1 AND e.position > w.sent_up_to AND w.status = 'enabled'
     ), due AS (
       SELECT next_attempt_at AS at FROM heads UNION ALL
       SELECT failing_since + make_interval(secs => $2) FROM webhook_endpoints
       WHERE workspace_id = $1 AND status = 'enabled'
     ), remaining AS (
       SELECT unsent.count + (SELECT count(*) FROM webhook_retries WHERE workspace_id = $1) AS waiting,
              CASE WHEN unsent.count > 0 THEN 0 ELSE
                (SELECT ceil(1000 * greatest(0, extract(epoch FROM min(at) - clock_timestamp())))
                  FROM due HAVING count(at) > 0)
              END::float8 AS wait_ms
       FROM unsent
     )
     UPDATE webhook_endpoints
     SET is_delivering = false, notify_at = now() + make_interval(secs => remaining.wait_ms / 1000 + 60)
     FROM remaining WHERE workspace_id = $1
     RETURNING remaining.*, failing_since, status = 'disabled' AS is_disabled`,
};

/**
 * What was sent and is not stored yet: results of attempts and, unless it is null, the position up to which
 * events were sent.
 */
export interface UnstoredAttempts {
  attempts: AttemptRecord[];
  upTo: number | null;
}

/**
 * Ends a turn of deliveries. First stores what the turn has not stored yet, like `recordSent`, then checks
 * the queue a last time. It holds the lock, so that events queued after the check notify the workflow.
 * `scale` multiplies all delays.
 */
export async function endTurn(
  tx: Tx,
  workspaceId: string,
  rest: (UnstoredAttempts & { sentTo: SentTo }) | null,
  scale: number,
): Promise<RemainingDeliveries> {
  if (rest) await recordSent(tx, rest.sentTo, rest, scale);
  else await lockEvents(tx, workspaceId);
  const remaining = await maybeOne<RemainingDeliveries>(tx, END_TURN, [
    workspaceId,
    FAILING_SECONDS_UNTIL_DISABLED * scale,
  ]);
  return remaining ?? OF_DELETED;
}

/**
 * Stores the results of attempts like `recordAttempts` and, with `upTo`, that the events up to this position
 * were sent. Returns false if the endpoint has changed: sending must then start again.
 */
export async function recordSent(
  tx: Tx,
  sentTo: SentTo,
  { attempts, upTo }: UnstoredAttempts,
  scale: number,
): Promise<boolean> {
  if (attempts.length === 0) await lockEvents(tx, sentTo.workspace_id);
  else if (!(await recordAttempts(tx, sentTo, attempts, scale))) return false;
  return upTo === null || advanceSentPosition(tx, sentTo, upTo);
}

const ADVANCE = {
  name: 'advance_sent_position',
  text: `WITH retries AS (
       INSERT INTO webhook_retries (event_id, workspace_id, object_id, position)
       SELECT e.id, $1, e.object_id, e.position FROM events e JOIN webhook_endpoints w USING (workspace_id)
       WHERE e.workspace_id = $1 AND e.position > w.sent_up_to AND e.position <= $2
         AND w.id = $3 AND w.revision = $4 AND is_subscribed(w, e.type) AND NOT delivery_ended(e.id)
       ON CONFLICT (event_id) DO NOTHING
     )
     UPDATE webhook_endpoints SET sent_up_to = greatest(sent_up_to, $2)
     WHERE workspace_id = $1 AND id = $3 AND revision = $4 AND status = 'enabled'`,
};

/**
 * Advances `sent_up_to` to a position, and queues unfinished events before it as retries. Does nothing and
 * returns false if the endpoint has changed. The caller has locked the workspace's events.
 */
export async function advanceSentPosition(
  tx: Tx,
  { workspace_id, id, revision }: SentTo,
  upTo: number,
): Promise<boolean> {
  const advanced = await affected(tx, ADVANCE, [workspace_id, upTo, id, revision]);
  return advanced > 0;
}
