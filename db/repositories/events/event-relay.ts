import type { Tx } from '../../transaction.js';
import { SUBSCRIBED } from './webhook-endpoints.js';

/** How many events are placed in one transaction, so that the lock is short. */
export const POSITION_BATCH = 2_000;

/** A run that was told to look and hasn't for so long is told again: it may have been lost. */
const TELL_AGAIN_SECONDS = 60;

const LOCK = `hashtextextended('events:' || $1, 0)`;

/**
 * Takes a workspace's lock on the order of its events, its endpoint and its queue, until the transaction ends.
 * Whoever changes one of them holds it: so no event slips between an endpoint's change and the queue.
 */
export async function lockEvents(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${LOCK})`, [workspaceId]);
}

/** Takes the same lock if it is free. */
export async function tryLockEvents(tx: Tx, workspaceId: string): Promise<boolean> {
  const [{ locked }] = await tx.query(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS locked`, [workspaceId]);
  return locked;
}

/** Workspaces with events that have no position yet. */
export async function findWorkspacesWithNewEvents(tx: Tx): Promise<string[]> {
  const rows: { workspace_id: string }[] = await tx.query(
    `SELECT DISTINCT workspace_id FROM events WHERE position IS NULL LIMIT 500`,
  );
  return rows.map((row) => row.workspace_id);
}

/** True if a workspace has an event without a position. */
export async function hasNewEvents(tx: Tx, workspaceId: string): Promise<boolean> {
  const rows = await tx.query(`SELECT FROM events WHERE workspace_id = $1 AND position IS NULL LIMIT 1`, [
    workspaceId,
  ]);
  return rows.length > 0;
}

/**
 * Gives committed events their positions, in the order of their inserts, and notes that the endpoint has something
 * to send (decisions.md, "Events"). The caller has locked the workspace's events in a statement before, so that
 * this one sees what the last holder placed. Returns how many were placed: `PLACED_AT_ONCE` if there are more.
 */
export async function assignPositions(tx: Tx, workspaceId: string): Promise<number> {
  const [{ placed }] = await tx.query(
    `WITH fresh AS (
       SELECT id, (SELECT coalesce(max(position), 0) FROM events WHERE workspace_id = $1 AND position IS NOT NULL)
                  + row_number() OVER (ORDER BY ordinal) AS position
       FROM events WHERE workspace_id = $1 AND position IS NULL ORDER BY ordinal LIMIT ${POSITION_BATCH}
     ), placed AS (
       UPDATE events e SET position = fresh.position FROM fresh WHERE e.id = fresh.id RETURNING e.type
     ), woken AS (
       UPDATE webhook_endpoints w SET notify_at = now()
       WHERE workspace_id = $1 AND status = 'enabled' AND NOT is_delivering
         AND EXISTS (SELECT FROM placed WHERE ${SUBSCRIBED('type')})
     )
     SELECT count(*) AS placed FROM placed`,
    [workspaceId],
  );
  return placed;
}

/** Places all there is, and gives the position of the last. The caller has locked the workspace's events. */
export async function assignAllPositions(tx: Tx, workspaceId: string): Promise<number> {
  while ((await assignPositions(tx, workspaceId)) === POSITION_BATCH);
  const [{ last }] = await tx.query(
    `SELECT coalesce(max(position), 0) AS last FROM events WHERE workspace_id = $1 AND position IS NOT NULL`,
    [workspaceId],
  );
  return last;
}

/** An endpoint whose delivery run should be told to look at the queue. */
export interface EndpointToNotify {
  workspace_id: string;
  notify_at: Date;
}

/** Endpoints whose time to be looked at has come. */
export function findEndpointsToNotify(tx: Tx): Promise<EndpointToNotify[]> {
  return tx.query(
    `SELECT workspace_id, notify_at FROM webhook_endpoints WHERE notify_at <= now() ORDER BY notify_at LIMIT 500`,
  );
}

/** Notes that the run was told, unless there is something newer to tell. */
export async function markEndpointNotified(tx: Tx, endpoint: EndpointToNotify): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoints SET notify_at = now() + make_interval(secs => ${TELL_AGAIN_SECONDS})
     WHERE workspace_id = $1 AND notify_at = $2`,
    [endpoint.workspace_id, endpoint.notify_at],
  );
}
