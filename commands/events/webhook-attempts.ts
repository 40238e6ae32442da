import { RETRY_DELAYS_SECONDS, RETRY_JITTER } from '../../domain/events/webhook-schedule.js';
import { WebhookEndpoint, WebhookRetry } from '../../db/entities/events.js';
import { column, execute, maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { assignAllPositions, lockEvents } from './positions.js';
import { updateReceiverHealth, type AttemptOutcome } from './receiver-health.js';

/** The result of one attempt. `at` is when it started. */
export interface AttemptRecord extends AttemptOutcome {
  event_id: string;
  duration_ms: number;
  error: string | null;
  response_excerpt: string | null;
}

/** Returns the endpoint. */
const STORE_ATTEMPTS = {
  name: 'store_attempts',
  text: `WITH delivered AS (
       DELETE FROM webhook_retries WHERE workspace_id = $1 AND event_id = ANY ($3)
     ), stored AS (
       INSERT INTO webhook_deliveries (event_id, attempt, workspace_id, at, status_code, duration_ms, error,
         response_excerpt)
       SELECT event_id, 1 + (SELECT coalesce(max(attempt), 0) FROM webhook_deliveries d
         WHERE d.event_id = r.event_id),
              $1, at, status_code, duration_ms, error, response_excerpt
       FROM json_populate_recordset(NULL::webhook_deliveries, $2) r
     )
     SELECT w.* FROM webhook_endpoints w WHERE w.workspace_id = $1`,
};

/** The endpoint that attempts were sent to, as it was when they started. */
export type SentTo = Pick<WebhookEndpoint, 'workspace_id' | 'id' | 'revision'>;

/**
 * Stores the results of attempts, at most one for each event. A delivered event is not retried. A failed
 * event waits for its next attempt, or is dropped after the last one; after an attempt on request, its
 * schedule stays as it is. The results may disable the endpoint. `scale` multiplies all delays.
 *
 * Returns false if the endpoint is disabled or not the one that the attempts were sent to: it was changed,
 * or deleted and registered again. Sending must then start again, and failures say nothing about it.
 */
export async function recordAttempts(
  tx: Tx,
  { workspace_id, id, revision }: SentTo,
  attempts: AttemptRecord[],
  scale: number,
): Promise<boolean> {
  await lockEvents(tx, workspace_id);
  const eventIds = (when: (attempt: AttemptRecord) => boolean): string[] =>
    attempts.filter(when).map(({ event_id }) => event_id);
  const delivered = eventIds(({ succeeded }) => succeeded);
  const values = [workspace_id, JSON.stringify(attempts), delivered];
  const endpoint = await maybeOne<WebhookEndpoint>(tx, STORE_ATTEMPTS, values);
  if (endpoint?.id !== id || endpoint.revision !== revision) return false;
  const failed = eventIds(({ succeeded, by_request }) => !succeeded && !by_request);
  if (failed.length > 0) await scheduleRetries(tx, workspace_id, failed, scale);
  return (await updateReceiverHealth(tx, endpoint, attempts, scale)) !== null;
}

async function scheduleRetries(
  tx: Tx,
  workspaceId: string,
  eventIds: string[],
  scale: number,
): Promise<void> {
  const delays = RETRY_DELAYS_SECONDS.map((seconds) => seconds * scale);
  const dropped = new Set(
    await column<string>(
      tx,
      `DELETE FROM webhook_retries WHERE workspace_id = $1 AND event_id = ANY ($2) AND attempts >= $3
       RETURNING event_id`,
      [workspaceId, eventIds, delays.length],
    ),
  );
  await execute(
    tx,
    `INSERT INTO webhook_retries AS r (event_id, workspace_id, object_id, position, attempts, next_attempt_at)
     SELECT e.id, $1, e.object_id, e.position, 1,
       now() + make_interval(secs => ($3::float8[])[1] * (1 + $4::float8 * (2 * random() - 1)))
     FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.workspace_id = $1 AND e.id = ANY ($2) AND w.status = 'enabled'
       AND (EXISTS (SELECT FROM webhook_retries known WHERE known.event_id = e.id)
         OR (e.position > w.sent_up_to AND is_subscribed(w, e.type)))
     ON CONFLICT (event_id) DO UPDATE
       SET attempts = r.attempts + 1, next_attempt_at = now()
         + make_interval(secs => ($3::float8[])[r.attempts + 1] * (1 + $4::float8 * (2 * random() - 1)))`,
    [workspaceId, eventIds.filter((id) => !dropped.has(id)), delays, RETRY_JITTER],
  );
}

export interface ClaimedEvent {
  id: string;
  workspace_id: string;
  body: string;
  /**
   * Null unless it was queued. It is then claimed for 30 s, which is longer than an attempt and its
   * transaction can take, and no other sender attempts it. If the sender crashes, the event is due again
   * afterwards.
   */
  claim: Claim | null;
}

interface Claim {
  until: Date;
  /** When the event was due before. */
  due_at: Date;
}

/** Claims an event to attempt it outside the queue. Null if there is no such event. */
export async function claimEvent(tx: Tx, eventId: string): Promise<ClaimedEvent | null> {
  const event = await maybeOne<Omit<ClaimedEvent, 'claim'>>(
    tx,
    `SELECT id, workspace_id, body::text AS body FROM events WHERE id = $1`,
    [eventId],
  );
  if (!event) return null;
  await lockEvents(tx, event.workspace_id);
  await assignAllPositions(tx, event.workspace_id);
  const claim = await maybeOne<Claim>(
    tx,
    `WITH known AS (SELECT next_attempt_at FROM webhook_retries WHERE event_id = $1)
     INSERT INTO webhook_retries (event_id, workspace_id, object_id, position, next_attempt_at)
     SELECT e.id, e.workspace_id, e.object_id, e.position, now() + make_interval(secs => 30)
     FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.id = $1 AND w.status = 'enabled' AND (EXISTS (SELECT FROM known)
       OR (e.position > w.sent_up_to AND is_subscribed(w, e.type) AND NOT delivery_ended(e.id)))
     ON CONFLICT (event_id) DO UPDATE SET next_attempt_at = excluded.next_attempt_at
     RETURNING next_attempt_at AS until,
       coalesce((SELECT known.next_attempt_at FROM known), now()) AS due_at`,
    [eventId],
  );
  return { ...event, claim };
}

/** Lets a claimed event be due when it was before, unless something else has decided about it meanwhile. */
export async function releaseEvent(tx: Tx, event_id: string, { until, due_at }: Claim): Promise<void> {
  await tx.update(WebhookRetry, { event_id, next_attempt_at: until }, { next_attempt_at: due_at });
}
