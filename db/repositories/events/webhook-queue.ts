import {
  FAILING_SECONDS_UNTIL_DISABLED,
  RETRY_DELAYS_SECONDS,
  RETRY_JITTER,
} from '../../../domain/webhook-schedule.js';
import type { Tx } from '../../transaction.js';
import { lockEvents, assignAllPositions } from './event-relay.js';
import { judgeReceiver, SUBSCRIBED, type AttemptOutcome } from './webhook-endpoints.js';

/*
 * What an endpoint is still to be sent: the events behind `sent_up_to`, and those of `webhook_retries`. Where an
 * object has an event in `webhook_retries`, its later ones wait there too.
 */

/** An event as it is sent: the very bytes that were stored. */
export interface QueuedEvent {
  id: string;
  object_id: string;
  body: string;
}

/** What became of one attempt. `at` is its beginning. */
export interface AttemptRecord extends AttemptOutcome {
  event_id: string;
  duration_ms: number;
  error: string | null;
  response_excerpt: string | null;
}

/** Longer than an attempt and its transaction take: whose sender died is due again after it. */
const CLAIM_SECONDS = 30;

/** After how long a run is told to look again that was to look by itself, in case it was lost. */
const LOST_AFTER_SECONDS = 60;

/** The first waiting event of each object: while that one waits, so do the others. */
const HEADS = `SELECT DISTINCT ON (object_id) object_id, next_attempt_at FROM webhook_retries
  WHERE workspace_id = $1 ORDER BY object_id, position`;

/**
 * True for an event `e` that a receiver took, or that was given up. Not by EXISTS, which the planner may turn into a
 * scan of all attempts.
 */
const DONE_WITH = `coalesce((SELECT bool_or(d.status_code BETWEEN 200 AND 299) OR count(*) > ${RETRY_DELAYS_SECONDS.length}
  FROM webhook_deliveries d WHERE d.event_id = e.id), false)`;

/** Retries that may be made now, by position; those of one object are to be made one after the other. */
export function findDueRetries(tx: Tx, workspaceId: string, limit: number): Promise<QueuedEvent[]> {
  return tx.query(
    `WITH heads AS (${HEADS}), due AS (
       SELECT r.event_id, r.object_id, r.position FROM webhook_retries r JOIN heads USING (object_id)
       WHERE r.workspace_id = $1 AND heads.next_attempt_at <= now() ORDER BY r.position LIMIT $2
     )
     SELECT e.id, due.object_id, e.body::text AS body FROM due JOIN events e ON e.id = due.event_id
     ORDER BY due.position`,
    [workspaceId, limit],
  );
}

/**
 * The next events behind a position that were never sent, and the position up to which that is all; null at the
 * end. Left out is what isn't subscribed to, what is done with already, and what must wait for a retry.
 */
export async function findFreshEvents(
  tx: Tx,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<{ events: QueuedEvent[]; upTo: number } | null> {
  const page: (QueuedEvent & { position: number; ready: boolean })[] = await tx.query(
    `SELECT e.id, e.object_id, e.position, e.body::text AS body,
            ${SUBSCRIBED('e.type')} AND NOT ${DONE_WITH} AND NOT EXISTS
              (SELECT FROM webhook_retries r WHERE r.workspace_id = $1 AND r.object_id = e.object_id) AS ready
     FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.workspace_id = $1 AND e.position > $2 ORDER BY e.position LIMIT $3`,
    [workspaceId, after, limit],
  );
  const last = page.at(-1);
  return last ? { events: page.filter(({ ready }) => ready), upTo: last.position } : null;
}

/**
 * Notes that everything up to a position was sent: what was subscribed to and isn't done with waits as a
 * retry. Returns false, and does nothing, for a revision that is over.
 */
export async function passEvents(
  tx: Tx,
  workspaceId: string,
  upTo: number,
  revision: number,
): Promise<boolean> {
  await lockEvents(tx, workspaceId);
  await tx.query(
    `INSERT INTO webhook_retries (event_id, workspace_id, object_id, position)
     SELECT e.id, $1, e.object_id, e.position FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.workspace_id = $1 AND e.position > w.sent_up_to AND e.position <= $2 AND w.revision = $3
       AND ${SUBSCRIBED('e.type')} AND NOT ${DONE_WITH}
     ON CONFLICT (event_id) DO NOTHING`,
    [workspaceId, upTo, revision],
  );
  const [, passed] = await tx.query(
    `UPDATE webhook_endpoints SET sent_up_to = greatest(sent_up_to, $2)
     WHERE workspace_id = $1 AND revision = $3 AND status = 'enabled'`,
    [workspaceId, upTo, revision],
  );
  return passed > 0;
}

/**
 * Stores what became of attempts, at most one for each event. A success is no longer retried; a failure waits for
 * its next attempt, or is given up after the last. An event that isn't queued (a redelivery, a test) is not retried.
 * What it all says of the receiver may disable it. `scale` multiplies every clock.
 *
 * Returns the endpoint's revision, null if it takes no more: another one than the attempts were made under means
 * that what else was planned has to be planned anew.
 */
export async function recordAttempts(
  tx: Tx,
  workspaceId: string,
  attempts: AttemptRecord[],
  scale: number,
): Promise<number | null> {
  await lockEvents(tx, workspaceId);
  await tx.query(
    `WITH result AS (
       SELECT * FROM json_to_recordset($2) AS r(event_id text, at timestamptz, status_code int, duration_ms int,
                                                error text, response_excerpt text)
     )
     INSERT INTO webhook_deliveries (event_id, attempt, workspace_id, at, status_code, duration_ms, error, response_excerpt)
     SELECT event_id, 1 + (SELECT coalesce(max(attempt), 0) FROM webhook_deliveries d WHERE d.event_id = r.event_id),
            $1, at, status_code, duration_ms, error, response_excerpt
     FROM result r`,
    [workspaceId, JSON.stringify(attempts)],
  );
  const succeeded = attempts.filter((attempt) => attempt.succeeded).map(({ event_id }) => event_id);
  const failed = attempts.filter((attempt) => !attempt.succeeded).map(({ event_id }) => event_id);
  await tx.query(`DELETE FROM webhook_retries WHERE workspace_id = $1 AND event_id = ANY ($2)`, [
    workspaceId,
    succeeded,
  ]);
  if (failed.length > 0) await retryLater(tx, workspaceId, failed, scale);
  return judgeReceiver(tx, workspaceId, attempts, scale);
}

async function retryLater(tx: Tx, workspaceId: string, eventIds: string[], scale: number): Promise<void> {
  const delays = RETRY_DELAYS_SECONDS.map((seconds) => seconds * scale);
  const [givenUp]: [{ event_id: string }[], number] = await tx.query(
    `DELETE FROM webhook_retries WHERE workspace_id = $1 AND event_id = ANY ($2) AND attempts >= $3
     RETURNING event_id`,
    [workspaceId, eventIds, delays.length],
  );
  const over = new Set(givenUp.map(({ event_id }) => event_id));
  const delay = (attempts: string): string =>
    `make_interval(secs => ($3::float8[])[${attempts}] * (1 + ${RETRY_JITTER} * (2 * random() - 1)))`;
  await tx.query(
    `INSERT INTO webhook_retries AS r (event_id, workspace_id, object_id, position, attempts, next_attempt_at)
     SELECT e.id, $1, e.object_id, e.position, 1, now() + ${delay('1')}
     FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.workspace_id = $1 AND e.id = ANY ($2) AND w.status = 'enabled'
       AND (EXISTS (SELECT FROM webhook_retries known WHERE known.event_id = e.id)
         OR (e.position > w.sent_up_to AND ${SUBSCRIBED('e.type')}))
     ON CONFLICT (event_id) DO UPDATE
       SET attempts = r.attempts + 1, next_attempt_at = now() + ${delay('r.attempts + 1')}`,
    [workspaceId, eventIds.filter((id) => !over.has(id)), delays],
  );
}

/**
 * Notes that a turn begins: what comes while it lasts need not wake the run. A receiver whose five days of failures
 * have passed is disabled now. `scale` multiplies every clock.
 */
export async function wakeUp(tx: Tx, workspaceId: string, scale: number): Promise<void> {
  await lockEvents(tx, workspaceId);
  await judgeReceiver(tx, workspaceId, [], scale);
  await tx.query(
    `UPDATE webhook_endpoints SET is_delivering = true WHERE workspace_id = $1 AND NOT is_delivering`,
    [workspaceId],
  );
}

/**
 * Looks at the queue for the last time before its run goes to sleep: how much is waiting, and in how many
 * milliseconds there is something to do: an attempt, or to disable a receiver that has only failed. Null for never.
 * Under the lock: what comes after this look wakes the run. `scale` multiplies every clock.
 */
export async function fallAsleep(
  tx: Tx,
  workspaceId: string,
  scale: number,
): Promise<{ waiting: number; wait_ms: number | null }> {
  await lockEvents(tx, workspaceId);
  const [next] = await tx.query(
    `WITH heads AS (${HEADS}), fresh AS (
       SELECT count(*) AS count FROM events e JOIN webhook_endpoints w USING (workspace_id)
       WHERE e.workspace_id = $1 AND e.position > w.sent_up_to AND w.status = 'enabled'
     ), due AS (
       SELECT next_attempt_at AS at FROM heads UNION ALL
       SELECT failing_since + make_interval(secs => $2) FROM webhook_endpoints
       WHERE workspace_id = $1 AND status = 'enabled'
     )
     SELECT fresh.count + (SELECT count(*) FROM webhook_retries WHERE workspace_id = $1) AS waiting,
            CASE WHEN fresh.count > 0 THEN 0 ELSE
              (SELECT ceil(1000 * greatest(0, extract(epoch FROM min(at) - clock_timestamp()))) FROM due HAVING count(at) > 0)
            END::float8 AS wait_ms
     FROM fresh`,
    [workspaceId, FAILING_SECONDS_UNTIL_DISABLED * scale],
  );
  await tx.query(
    `UPDATE webhook_endpoints SET is_delivering = false, notify_at = now() + make_interval(secs => $2::float8 / 1000 + ${LOST_AFTER_SECONDS})
     WHERE workspace_id = $1`,
    [workspaceId, next.wait_ms],
  );
  return next;
}

/**
 * An event by id, for who tries it past its queue. If it is queued it is claimed: for half a minute nobody else
 * sends it. Null where there is no such event.
 */
export async function claimEvent(
  tx: Tx,
  eventId: string,
): Promise<{ id: string; workspace_id: string; body: string; queued: boolean } | null> {
  const [event] = await tx.query(`SELECT id, workspace_id, body::text AS body FROM events WHERE id = $1`, [
    eventId,
  ]);
  if (!event) return null;
  await lockEvents(tx, event.workspace_id);
  await assignAllPositions(tx, event.workspace_id);
  const claimed = await tx.query(
    `INSERT INTO webhook_retries (event_id, workspace_id, object_id, position, next_attempt_at)
     SELECT e.id, e.workspace_id, e.object_id, e.position, now() + make_interval(secs => ${CLAIM_SECONDS})
     FROM events e JOIN webhook_endpoints w USING (workspace_id)
     WHERE e.id = $1 AND w.status = 'enabled' AND (EXISTS (SELECT FROM webhook_retries known WHERE known.event_id = e.id)
       OR (e.position > w.sent_up_to AND ${SUBSCRIBED('e.type')} AND NOT ${DONE_WITH}))
     ON CONFLICT (event_id) DO UPDATE SET next_attempt_at = excluded.next_attempt_at
     RETURNING event_id`,
    [eventId],
  );
  return { ...event, queued: claimed.length > 0 };
}
