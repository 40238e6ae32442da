import { many, one } from '../../query.js';
import type { Row } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A mail has to fail this often before it counts as delayed. */
const DELAYED_ATTEMPTS = 3;

/** True for mail of the queue in `$1`: a workspace's, or that of no workspace for null. */
const IN_QUEUE = `coalesce(workspace_id, '') = coalesce($1, '')`;

/** Mail of one queue whose run has to be notified. */
export interface QueueToNotify {
  /** Null: the mail of no workspace, which is that with sign-in links. */
  workspace_id: string | null;
  mail_ids: string[];
}

/** The queues with mail that their runs have not been notified of. */
export function findQueuesToNotify(tx: Tx): Promise<QueueToNotify[]> {
  return many<QueueToNotify>(
    tx,
    `SELECT workspace_id, array_agg(id) AS mail_ids
     FROM (SELECT id, workspace_id FROM mails WHERE notify_at <= now() ORDER BY notify_at LIMIT 2000) due
     GROUP BY workspace_id`,
  );
}

/** A mail that is due. */
export type DueMail = Pick<Row<'mails'>, 'id' | 'kind' | 'about'>;

/** Mails of a queue that are due, longest overdue first. */
export function findDueMails(
  tx: Tx,
  workspaceId: string | null,
  { except, limit }: { except: string[]; limit: number },
): Promise<DueMail[]> {
  return many<DueMail>(
    tx,
    `SELECT id, kind, about FROM mails
     WHERE ${IN_QUEUE} AND status = 'pending' AND next_attempt_at <= now() AND id <> ALL ($2)
     ORDER BY next_attempt_at, id LIMIT $3`,
    [workspaceId, except, limit],
  );
}

/** What is still pending in a queue. */
export interface MailBacklog {
  waiting: number;
  /** Of these, how many have failed several attempts. */
  delayed: number;
  /** Milliseconds until the next attempt is due; null if nothing is pending. */
  wait_ms: number | null;
}

/** Summarizes what is pending in a queue. */
export function findMailBacklog(tx: Tx, workspaceId: string | null): Promise<MailBacklog> {
  return one<MailBacklog>(
    tx,
    `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE attempts >= ${DELAYED_ATTEMPTS})::int AS delayed,
            CASE WHEN count(*) > 0 THEN
              ceil(1000 * greatest(0, extract(epoch FROM min(next_attempt_at) - now())))::int END AS wait_ms
     FROM mails WHERE ${IN_QUEUE} AND status = 'pending'`,
    [workspaceId],
  );
}
