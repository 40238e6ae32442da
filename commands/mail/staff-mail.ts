import { newId } from '../../db/ids.js';
import { execute, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { DIGESTS_DUE } from '../../db/queries/mail/staff-mail.js';
import { enqueueMail } from './mails.js';

/** How many workspaces one transaction enqueues the daily mail of. */
const BATCH = 100;

/** When a workspace gets its daily mail next: in the morning, by its clock. */
export const NEXT_DIGEST = `(((now() AT TIME ZONE time_zone)::date + CASE WHEN (now() AT TIME ZONE time_zone)::time < '07:00' THEN 0 ELSE 1 END) + time '07:00') AT TIME ZONE time_zone`;

/** Enqueues a mail to staff about each of these events (docs/rules/mail.md#staff-mail). */
export async function enqueueNotices(tx: Tx, workspaceId: string, eventIds: string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await execute(
    tx,
    `INSERT INTO mails (id, workspace_id, kind, about)
     SELECT mail, $1, 'staff_booking', event FROM unnest($2::text[], $3::text[]) new (mail, event)
     ON CONFLICT DO NOTHING`,
    [workspaceId, eventIds.map(() => newId('mail')), eventIds],
  );
}

/**
 * Enqueues the daily mail of all workspaces where it is due, about the events since the one before. Returns true if there
 * may be more.
 */
export async function enqueueDigests(tx: Tx): Promise<boolean> {
  const due = await many<{ id: string; after: number; up_to: number }>(
    tx,
    `WITH due AS (
       SELECT id, digest_position AS after,
              (SELECT coalesce(max(position), 0) FROM events e WHERE e.workspace_id = workspaces.id AND position IS NOT NULL)
                AS up_to
       ${DIGESTS_DUE} ORDER BY digest_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE workspaces w SET digest_at = ${NEXT_DIGEST}, digest_position = due.up_to FROM due WHERE w.id = due.id
     RETURNING w.id, due.after, due.up_to`,
  );
  for (const { id: workspace_id, after, up_to } of due)
    if (up_to > after)
      await enqueueMail(tx, {
        workspace_id,
        kind: 'staff_digest',
        about: `${workspace_id}/${after}/${up_to}`,
      });
  return due.length === BATCH;
}
