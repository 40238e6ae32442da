import { MAIL_TRANSITIONS } from '../../domain/states.js';
import { column, execute, many, maybeOne } from '../../db/query.js';
import type { Mail } from '../../db/entities/mail.js';
import type { Tx } from '../../db/transaction.js';
import { markInvoiceSent } from '../invoices/invoices.js';
import type { DueMail, QueueToNotify } from '../../db/queries/mail/mail-queue.js';

const CLAIM_NEW = {
  name: 'claim_new_mails',
  text: `UPDATE mails SET notify_at = now() + interval '30 seconds'
     WHERE id IN (
       SELECT id FROM mails
       WHERE coalesce(workspace_id, '') = coalesce($1, '') AND status = 'pending' AND next_attempt_at <= now()
         AND notify_at <= now() AND failure_code IS NULL AND is_urgent_mail(kind) = $3
       ORDER BY next_attempt_at, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, kind, about, mail_sender(mails) AS sender, unproven_booking_of(mails) AS unproven_booking`,
};

/** New mail of a workspace, or without one: either mail that somebody is waiting for, or other mail. */
export interface MailLane {
  workspaceId: string | null;
  urgent: boolean;
}

/**
 * Claims new mail that is due, longest overdue first. No other worker sends it for the next 30 s; after that,
 * this worker is considered lost.
 */
export function claimNewMails(tx: Tx, { workspaceId, urgent }: MailLane, limit: number): Promise<DueMail[]> {
  return many<DueMail>(tx, CLAIM_NEW, [workspaceId, limit, urgent]);
}

/** Releases claimed mail that was not sent. */
export async function releaseNewMails(tx: Tx, mailIds: string[]): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET next_attempt_at = now(), notify_at = now()
     WHERE id = ANY ($1) AND status = 'pending' AND failure_code IS NULL`,
    [mailIds],
  );
}

/**
 * Leaves a mail whose first attempt has failed to the run of its queue, which tries again and handles
 * failures.
 */
export async function leaveToRun(tx: Tx, mailId: string, code: string): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET failure_code = $2, next_attempt_at = now(), notify_at = now()
     WHERE id = $1 AND status = 'pending' AND failure_code IS NULL`,
    [mailId, code],
  );
}

/** Records that the queue's run was notified of these mails. */
export async function markQueueNotified(tx: Tx, { mail_ids }: QueueToNotify): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET notify_at = now() + make_interval(secs => 60)
     WHERE id = ANY ($1) AND notify_at <= now()`,
    [mail_ids],
  );
}

const FINISH = {
  name: 'finish_mail',
  text: `WITH finished AS (
     UPDATE mails SET status = $2, sent_at = CASE WHEN $2 = 'sent'
       THEN now() END, attachment = NULL, notify_at = NULL, failure_code = coalesce($3, failure_code)
     WHERE id = $1 AND status = 'pending' RETURNING sign_in_link_id, invoice_id
   ), link AS (
     UPDATE sign_in_links link SET encrypted_token = NULL FROM finished
       WHERE link.id = finished.sign_in_link_id
   )
   SELECT invoice_id FROM finished`,
};

/**
 * Why a mail with a recipient is skipped. `told`: its address already got the one mail about unpaid bookings
 * of public guests.
 */
export type SkipReason = 'told';

/**
 * Finishes a mail: `sent` if the mail server accepted it, `skipped` if it no longer has a recipient, or
 * `because` of something else. Deletes its attachment, and the token of a sign-in link. Returns the invoice
 * that it is about; null if the mail was already finished.
 */
export function finishMail(
  tx: Tx,
  mailId: string,
  as: 'sent' | 'skipped',
  because: SkipReason | null = null,
): Promise<{ invoice_id: string | null } | null> {
  return maybeOne<{ invoice_id: string | null }>(tx, FINISH, [mailId, MAIL_TRANSITIONS[as].to, because]);
}

/**
 * Returns the status of the mail of a kind about an object, and prevents workers from finishing it until the
 * transaction ends; null if there is none. Mail about a booking can be sent again: `sent` if any was sent,
 * otherwise `pending` if any is.
 */
export async function lockMail(
  tx: Tx,
  { kind, about }: Pick<Mail, 'kind' | 'about'>,
): Promise<Mail['status'] | null> {
  const sql = `SELECT status FROM mails WHERE kind = $1 AND (about = $2 OR booking_id = $2) ORDER BY id
    FOR NO KEY UPDATE`;
  const all = await column<Mail['status']>(tx, sql, [kind, about]);
  return (['sent', 'pending'] as const).find((status) => all.includes(status)) ?? all[0] ?? null;
}

/** Finishes a mail that contained an invoice, and records the invoice as sent. */
export async function finishInvoiceMail(tx: Tx, mailId: string): Promise<void> {
  // Another attempt waits for this one at the mail's row, because one that timed out may still be running.
  const mail = await finishMail(tx, mailId, 'sent');
  if (mail) await markInvoiceSent(tx, mail.invoice_id!);
}

/**
 * Lets a mail wait, without a failed attempt, if this build does not know its kind: a worker of the next
 * build writes it (docs/rules/mail.md#delivery). Returns false if the mail is too old to wait. It is due
 * again after a minute; if no run sends it within another minute, one is notified.
 */
export async function leaveToNewerBuild(tx: Tx, mailId: string): Promise<boolean> {
  const left = await maybeOne<{ id: string }>(
    tx,
    `UPDATE mails SET failure_code = 'unknown_kind',
            next_attempt_at = now() + make_interval(secs => 60),
            notify_at = now() + make_interval(secs => 120)
     WHERE id = $1 AND status = 'pending' AND created_at >= now() - make_interval(days => 5)
     RETURNING id`,
    [mailId],
  );
  return left !== null;
}

/**
 * Why an attempt failed. `code` is ours or from SMTP, never the server's text, which may contain addresses.
 */
export interface FailedAttempt {
  code: string;
  /** True if retrying is pointless. */
  permanent: boolean;
}

/**
 * Stores a failed attempt. The mail is retried after 5 s; each further delay is three times as long, up to an
 * hour. The mail has failed if the failure is permanent or the mail is 5 days old. If a run has not sent a
 * due mail for a minute, it may be lost and is notified again. The attachment and the token of a sign-in link
 * are deleted if the mail has failed. Returns true if it has failed.
 */
export async function recordFailedAttempt(tx: Tx, mailId: string, attempt: FailedAttempt): Promise<boolean> {
  const mail = await maybeOne<{ failed: boolean }>(
    tx,
    `WITH attempt AS (
       SELECT id, $3 OR created_at < now() - make_interval(days => 5) AS failed,
              now() + make_interval(secs => least(5 * 3 ^ least(attempts, 20), 3600)) AS retry_at
       FROM mails WHERE id = $1 AND status = 'pending'
     ), stored AS (
       UPDATE mails m SET attempts = m.attempts + 1, failure_code = $2,
         status = CASE WHEN failed THEN 'failed' ELSE m.status END,
         failed_at = CASE WHEN failed THEN now() END,
         attachment = CASE WHEN failed THEN NULL ELSE m.attachment END,
         next_attempt_at = retry_at,
         notify_at = CASE WHEN failed THEN NULL ELSE retry_at + make_interval(secs => 60) END
       FROM attempt WHERE m.id = attempt.id
       RETURNING failed, m.sign_in_link_id
     ), ended AS (
       UPDATE sign_in_links link SET encrypted_token = NULL FROM stored
       WHERE stored.failed AND link.id = stored.sign_in_link_id
     )
     SELECT failed FROM stored`,
    [mailId, attempt.code, attempt.permanent],
  );
  return mail?.failed ?? false;
}
