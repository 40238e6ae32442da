import { DEFAULT_STAFF_NOTICES } from '../../domain/workspaces/staff-notices.js';
import type { DataSource } from 'typeorm';
import { hasNewEvents } from '../../db/queries/events/event.js';
import { execute, one } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { enqueueNotices } from '../mail/staff-mail.js';

/**
 * The maximum number of events that get their positions in one transaction, so that the lock is held briefly.
 */
export const POSITION_BATCH = 2_000;

/**
 * Locks the order of a workspace's events, its endpoint and its queue until the transaction ends. Every
 * change of one of them takes this lock, so that no event is missed while the endpoint changes. The two
 * exceptions are starting a turn of deliveries (`startTurn`) and notifying its workflow (`notify_at`).
 */
export async function lockEvents(tx: Tx, workspaceId: string): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtextextended('events:' || $1, 0))`, [workspaceId]);
}

/** Takes the same lock if it is free, otherwise returns false. */
export async function tryLockEvents(tx: Tx, workspaceId: string): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_xact_lock(hashtextextended('events:' || $1, 0)) AS locked`;
  return (await one<{ locked: boolean }>(tx, sql, [workspaceId])).locked;
}

/** `$2`: the maximum number of events; `$3`: the staff notices of a workspace that has set none. */
const ASSIGN_POSITIONS = {
  name: 'assign_positions',
  text: `WITH unassigned AS (
       SELECT id, (SELECT coalesce(max(position), 0) FROM events WHERE workspace_id = $1
         AND position IS NOT NULL)
                  + row_number() OVER (ORDER BY ordinal) AS position
       FROM events WHERE workspace_id = $1 AND position IS NULL ORDER BY ordinal LIMIT $2
     ), assigned AS (
       UPDATE events e SET position = unassigned.position FROM unassigned WHERE e.id = unassigned.id
         RETURNING e.id, e.type
     ), notified AS (
       UPDATE webhook_endpoints w SET notify_at = now()
       WHERE workspace_id = $1 AND status = 'enabled' AND NOT is_delivering
         AND EXISTS (SELECT FROM assigned WHERE is_subscribed(w, type))
     )
     SELECT count(*) AS assigned,
            coalesce(array_agg(a.id) FILTER (
              WHERE coalesce(nullif(w.notify_staff, '{}'), $3::jsonb) ->> staff_notice(a.type) = 'each'),
                '{}') AS told
     FROM assigned a JOIN workspaces w ON w.id = $1`,
};

/**
 * Assigns positions to committed events in the order of their inserts, has the delivery workflow notified,
 * and enqueues mail to staff about each event (docs/rules/events.md#order-and-positions). The caller has
 * locked the workspace's events in an earlier statement, so that this one sees the positions that the
 * previous holder assigned. Returns their number: `POSITION_BATCH` if there may be more.
 */
export async function assignPositions(tx: Tx, workspaceId: string): Promise<number> {
  const { assigned, told } = await one<{ assigned: number; told: string[] }>(tx, ASSIGN_POSITIONS, [
    workspaceId,
    POSITION_BATCH,
    DEFAULT_STAFF_NOTICES,
  ]);
  await enqueueNotices(tx, workspaceId, told);
  return assigned;
}

/** Assigns positions to all committed events, in one transaction per batch. */
export async function assignNewPositions(db: DataSource, workspaceId: string): Promise<void> {
  while (await hasNewEvents(db.manager, workspaceId))
    await transaction(db, async (tx) => {
      await lockEvents(tx, workspaceId);
      await assignPositions(tx, workspaceId);
    });
}

/**
 * Assigns all missing positions and returns the highest one. The caller has locked the workspace's events.
 */
export async function assignAllPositions(tx: Tx, workspaceId: string): Promise<number> {
  while ((await assignPositions(tx, workspaceId)) === POSITION_BATCH);
  const { last } = await one<{ last: number }>(
    tx,
    `SELECT coalesce(max(position), 0) AS last FROM events WHERE workspace_id = $1 AND position IS NOT NULL`,
    [workspaceId],
  );
  return last;
}
