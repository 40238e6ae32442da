import { dayAfter, dayIn } from '../../domain/cycle.js';
import { HOUR_MS } from '../../domain/durations.js';
import { toInstant, knownZone } from '../../domain/time-zone.js';
import { newId } from '../../db/ids.js';
import { execute, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from './mails.js';

/** When staff get their daily mail, on their workspace's clock. */
const DIGEST_MS = 7 * HOUR_MS;

/**
 * Returns when a workspace gets its next daily mail: in the morning, on its clock. Throws `UnknownTimeZone`.
 */
export function nextDigest(timeZone: string, now: Date): Date {
  const zone = knownZone(timeZone);
  const today = dayIn(zone, now);
  const at = (day: string): Date => new Date(toInstant(Date.parse(day) + DIGEST_MS, zone));
  return at(today) > now ? at(today) : at(dayAfter(today));
}

/** Enqueues mail to staff about each of these events (docs/rules/mail.md#staff-mail). */
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
 * Enqueues the daily mail of those of the workspaces for which it is due, about the events since the previous
 * one. Returns the number of workspaces.
 */
export async function enqueueDigests(tx: Tx, workspaceIds: string[]): Promise<number> {
  const due = await many<{ id: string; time_zone: string; after: number; up_to: number }>(
    tx,
    `SELECT id, time_zone, digest_position AS after,
            (SELECT coalesce(max(position), 0) FROM events e
              WHERE e.workspace_id = workspaces.id AND position IS NOT NULL)
              AS up_to
     FROM workspaces WHERE id = ANY ($1) AND digest_at <= now() ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    [workspaceIds],
  );
  const now = new Date();
  await execute(
    tx,
    `UPDATE workspaces w SET digest_at = next.at, digest_position = next.up_to
     FROM unnest($1::text[], $2::timestamptz[], $3::bigint[]) AS next (id, at, up_to) WHERE w.id = next.id`,
    [
      due.map(({ id }) => id),
      due.map(({ time_zone }) => nextDigest(time_zone, now)),
      due.map(({ up_to }) => up_to),
    ],
  );
  for (const { id: workspace_id, after, up_to } of due)
    if (up_to > after)
      await enqueueMail(tx, {
        workspace_id,
        kind: 'staff_digest',
        about: `${workspace_id}/${after}/${up_to}`,
      });
  return due.length;
}

/** Postpones the daily mail of a workspace by an hour. */
export const postponeDigest = (tx: Tx, workspaceId: string): Promise<void> =>
  execute(
    tx,
    `UPDATE workspaces SET digest_at = now() + interval '1 hour' WHERE id = $1 AND digest_at <= now()`,
    [workspaceId],
  );
