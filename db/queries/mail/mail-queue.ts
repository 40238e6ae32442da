import { many, one } from '../../query.js';
import type { Mail } from '../../entities/mail.js';
import type { Tx } from '../../transaction.js';
import type { StoredSender } from './sender.js';

/** A mail counts as delayed after this many failed attempts. */
const DELAYED_ATTEMPTS = 3;

/** Mail of a queue whose run must be notified. */
export interface QueueToNotify {
  /** Null for sign-in links, which belong to no workspace. */
  workspace_id: string | null;
  mail_ids: string[];
}

/** Returns the queues with mail of which their runs have not been notified. */
export function findQueuesToNotify(tx: Tx): Promise<QueueToNotify[]> {
  return many<QueueToNotify>(
    tx,
    `SELECT workspace_id, array_agg(id) AS mail_ids
     FROM (SELECT id, workspace_id FROM mails WHERE notify_at <= now() AND failure_code IS NOT NULL
       ORDER BY notify_at LIMIT 2000) due
     GROUP BY workspace_id`,
  );
}

/**
 * Returns queues with new mail that is due, either mail that somebody is waiting for or other mail; null is
 * the queue of sign-in links. They take turns: queues without a turn come first, then those whose last turn
 * was longest ago (`turns`: queues by their last turn, oldest first). Among these, the longest overdue comes
 * first (docs/rules/mail.md#order).
 */
export async function findQueuesWithNewMail(
  tx: Tx,
  {
    urgent,
    except,
    turns,
    limit,
  }: { urgent: boolean } & Record<'except' | 'turns', (string | null)[]> & { limit: number },
): Promise<(string | null)[]> {
  const ids = (queues: (string | null)[]): string[] => queues.map((id) => id ?? '');
  const queues = await many<{ workspace_id: string | null }>(
    tx,
    `SELECT workspace_id FROM mails WHERE notify_at <= now() AND failure_code IS NULL
      AND is_urgent_mail(kind) = $1 AND coalesce(workspace_id, '') <> ALL ($2)
     GROUP BY workspace_id
     ORDER BY coalesce(array_position($3::text[], coalesce(workspace_id, '')), 0), min(notify_at) LIMIT $4`,
    [urgent, ids(except), ids(turns), limit],
  );
  return queues.map(({ workspace_id }) => workspace_id);
}

/** A mail that is due. */
export type DueMail = Pick<Mail, 'id' | 'kind' | 'about'> & {
  sender: StoredSender | null;
  /** The booking that it is about, if a public guest made it and nobody has paid it or proved its address. */
  unproven_booking: string | null;
};

/**
 * Returns the due mails of a queue that its run sends: mail that somebody is waiting for first, mail that has
 * not been tried before the others, and then longest overdue first.
 */
export function findDueMails(
  tx: Tx,
  workspaceId: string | null,
  { except, limit }: { except: string[]; limit: number },
): Promise<DueMail[]> {
  return many<DueMail>(
    tx,
    `SELECT id, kind, about, mail_sender(mails) AS sender, unproven_booking_of(mails) AS unproven_booking
      FROM mails
     WHERE coalesce(workspace_id, '') = coalesce($1, '') AND status = 'pending' AND failure_code IS NOT NULL
       AND next_attempt_at <= now() AND id <> ALL ($2)
     ORDER BY is_urgent_mail(kind) DESC, attempts > 0, next_attempt_at, id LIMIT $3`,
    [workspaceId, except, limit],
  );
}

/** The pending mails of a queue's run. */
export interface MailBacklog {
  waiting: number;
  /** How many of these have failed several attempts. */
  delayed: number;
  /** True if any is due now, or has failed an attempt. */
  is_left: boolean;
  /** Milliseconds until the next attempt is due; null if nothing is pending. */
  wait_ms: number | null;
}

/** Counts the pending mails of a queue's run. */
export function findMailBacklog(tx: Tx, workspaceId: string | null): Promise<MailBacklog> {
  return one<MailBacklog>(
    tx,
    `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE attempts >= $2)::int AS delayed,
            count(*) FILTER (WHERE attempts > 0 OR next_attempt_at <= now()) > 0 AS is_left,
            CASE WHEN count(*) > 0 THEN
              ceil(1000 * greatest(0, extract(epoch FROM min(next_attempt_at) - now())))::int END AS wait_ms
     FROM mails WHERE coalesce(workspace_id, '') = coalesce($1, '') AND status = 'pending'
       AND failure_code IS NOT NULL`,
    [workspaceId, DELAYED_ATTEMPTS],
  );
}
