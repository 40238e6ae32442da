import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/* An endpoint's queue consists of the events after `sent_up_to` and those in `webhook_retries`. If an
   object has an event in `webhook_retries`, its later events also wait there. */

/** An event to send. `body` is sent byte for byte as it was stored. */
export interface QueuedEvent {
  id: string;
  object_id: string;
  body: string;
}

const FIND_DUE_RETRIES = {
  name: 'find_due_retries',
  text: `WITH heads AS (SELECT DISTINCT ON (object_id) object_id, next_attempt_at FROM webhook_retries
    WHERE workspace_id = $1 ORDER BY object_id, position), due AS (
       SELECT r.event_id, r.object_id, r.position FROM webhook_retries r JOIN heads USING (object_id)
       WHERE r.workspace_id = $1 AND heads.next_attempt_at <= now() ORDER BY r.position LIMIT $2
     )
     SELECT e.id, due.object_id, e.body::text AS body FROM due JOIN events e ON e.id = due.event_id
     ORDER BY due.position`,
};

/** Returns due retries, by position. Those of one object must be sent in order. */
export function findDueRetries(tx: Tx, workspaceId: string, limit: number): Promise<QueuedEvent[]> {
  return many<QueuedEvent>(tx, FIND_DUE_RETRIES, [workspaceId, limit]);
}

const FIND_UNSENT_EVENTS = {
  name: 'find_unsent_events',
  text: `SELECT e.id, e.object_id, e.position, e.body::text AS body,
            is_subscribed(w, e.type) AND NOT delivery_ended(e.id) AND NOT EXISTS
              (SELECT FROM webhook_retries r WHERE r.workspace_id = $1 AND r.object_id = e.object_id) AS ready
     FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.workspace_id = $1 AND e.position > $2 ORDER BY e.position LIMIT $3`,
};

/**
 * Returns the next unsent events after a position, and the position up to which they are complete; null at
 * the end. `isLast`: there were no more. Leaves out events that are not subscribed to, are finished, or must
 * wait for a retry.
 */
export async function findUnsentEvents(
  tx: Tx,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<{ events: QueuedEvent[]; upTo: number; isLast: boolean } | null> {
  const page = await many<QueuedEvent & { position: number; ready: boolean }>(tx, FIND_UNSENT_EVENTS, [
    workspaceId,
    after,
    limit,
  ]);
  const last = page.at(-1);
  if (!last) return null;
  return { events: page.filter(({ ready }) => ready), upTo: last.position, isLast: page.length < limit };
}
