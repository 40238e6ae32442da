import { MAIL_WAITS } from '../../../domain/mail/kinds.js';
import type { SweptJob } from '../../../domain/workspaces/swept-jobs.js';
import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** What is waiting, in all workspaces together. Ages are in seconds, and 0 if nothing waits. */
export interface Backlog {
  pending_bookings: number;
  confirmed_bookings: number;
  /** Accounts on which payments are paused until they have been read. */
  recovering_accounts: number;
  /** Time since the end of the hold of the longest overdue unpaid booking. */
  overdue_hold_seconds: number;
  /** The oldest event without a position. */
  position_lag_seconds: number;
  /** The oldest row that the relay has not processed, or of which it must notify a workflow, by outbox. */
  reminder_lag_seconds: number;
  digest_lag_seconds: number;
  webhook_lag_seconds: number;
  mail_lag_seconds: number;
  collection_lag_seconds: number;
  card_lag_seconds: number;
  tier_lag_seconds: number;
  /** Only of connected workspaces. For a row that has no time of its own, since its invoice changed. */
  accounting_lag_seconds: number;
  /** Invoices whose latest version the accounting system does not have. */
  accounting_updates: number;
  /** The oldest event that its receiver has not accepted. */
  webhook_retry_seconds: number;
  /** The oldest mail that was not sent, except mail that waits because of its workspace. */
  pending_mail_seconds: number;
  /** Jobs that fail for a workspace; only the first hundred. */
  failing_jobs: { job: SweptJob; workspace: string }[];
}

/** Reads only what partial indexes contain, which is short unless something is stuck. */
export function readBacklog(tx: Tx): Promise<Backlog> {
  return one<Backlog>(
    tx,
    `SELECT (SELECT count(*) FROM bookings WHERE status = 'pending_payment') AS pending_bookings,
       (SELECT count(*) FROM bookings WHERE status = 'confirmed') AS confirmed_bookings,
       (SELECT count(*) FROM account_reads WHERE recovering_since IS NOT NULL) AS recovering_accounts,
       seconds_since((SELECT min(expires_at) FROM bookings
         WHERE status = 'pending_payment' AND published_at IS NOT NULL)) AS overdue_hold_seconds,
       seconds_since((SELECT min(created_at) FROM events WHERE position IS NULL)) AS position_lag_seconds,
       seconds_since((SELECT min(remind_at) FROM bookings
         WHERE remind_at IS NOT NULL)) AS reminder_lag_seconds,
       seconds_since((SELECT min(digest_at) FROM workspaces
         WHERE digest_at IS NOT NULL)) AS digest_lag_seconds,
       seconds_since((SELECT min(notify_at) FROM webhook_endpoints
         WHERE notify_at IS NOT NULL)) AS webhook_lag_seconds,
       seconds_since((SELECT min(notify_at) FROM mails WHERE notify_at IS NOT NULL)) AS mail_lag_seconds,
       seconds_since((SELECT min(notify_at) FROM collections
         WHERE notify_at IS NOT NULL)) AS collection_lag_seconds,
       seconds_since((SELECT min(notify_at) FROM removed_cards)) AS card_lag_seconds,
       seconds_since((SELECT min(created_at) FROM tier_changes
         WHERE notified_at IS NULL)) AS tier_lag_seconds,
       seconds_since((SELECT min(CASE d.first_attempt_until WHEN 'infinity' THEN d.notified_at
           ELSE coalesce(d.first_attempt_until, i.updated_at) END)
         FROM accounting_due d JOIN invoices i ON i.id = d.invoice_id
         JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled
           AND c.status = 'active'
         WHERE d.first_attempt_until IS NOT NULL OR d.notified_at IS NULL)) AS accounting_lag_seconds,
       (SELECT count(*) FROM accounting_due) AS accounting_updates,
       seconds_since((SELECT min(e.created_at) FROM webhook_retries r JOIN events e ON e.id = r.event_id))
         AS webhook_retry_seconds,
       seconds_since((SELECT min(created_at) FROM mails
         WHERE status = 'pending'
           AND coalesce(failure_code, '') <> ALL ($1))) AS pending_mail_seconds,
       (SELECT coalesce(json_agg(f), '[]') FROM (
          SELECT job, workspace_id AS workspace FROM job_failures ORDER BY since
            LIMIT 100) f) AS failing_jobs`,
    [MAIL_WAITS],
  );
}
