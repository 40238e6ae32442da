import { MAIL_TRANSITIONS } from '../../domain/states.js';
import { column, execute, literals, many, maybeOne } from '../../db/query.js';
import type { Mail } from '../../db/entities/mail.js';
import type { Tx } from '../../db/transaction.js';
import { HOUR_SECONDS } from '../../domain/durations.js';
import { markInvoiceSent } from '../invoices/invoices.js';
import {
  DUE_MAIL,
  IN_QUEUE,
  IS_NEW,
  IS_URGENT,
  type DueMail,
  type QueueToNotify,
} from '../../db/queries/mail/mail-queue.js';

/** The delay before the first retry. Each further delay is three times as long, up to an hour. */
const FIRST_RETRY_SECONDS = 5;
const RETRY_FACTOR = 3;
const MAX_RETRY_SECONDS = HOUR_SECONDS;
/** A mail that could not be sent for this long has failed. */
const GIVE_UP_AFTER_DAYS = 5;
/** How long a mail waits for a worker that knows its kind, until one looks again. */
const UNKNOWN_KIND_SECONDS = 60;
/** A run that has not sent a due mail for this long is notified again: it may be lost. */
const NOTIFY_AGAIN_SECONDS = 60;

/** New mail that a worker has claimed and not sent for this long may be claimed again: the worker is lost. */
const LEASE_SECONDS = 30;

const claimNew = (urgent: boolean) => ({
  name: `claim_new_mails_${urgent ? 'urgent' : 'other'}`,
  text: `UPDATE mails SET notify_at = now() + interval '${LEASE_SECONDS} seconds'
     WHERE id IN (
       SELECT id FROM mails
       WHERE ${IN_QUEUE} AND status = 'pending' AND next_attempt_at <= now() AND notify_at <= now()
         AND ${IS_NEW}
         AND ${urgent ? '' : 'NOT '}${IS_URGENT}
       ORDER BY next_attempt_at, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING ${DUE_MAIL}`,
});

const CLAIM_URGENT = claimNew(true);
const CLAIM_OTHER = claimNew(false);

/** New mail of a workspace, or of none: what somebody waits for, or the other. */
export interface MailLane {
  workspaceId: string | null;
  urgent: boolean;
}

/** Claims new mail that is due, longest overdue first: no other worker sends it in the next 30 s. */
export function claimNewMails(tx: Tx, { workspaceId, urgent }: MailLane, limit: number): Promise<DueMail[]> {
  return many<DueMail>(tx, urgent ? CLAIM_URGENT : CLAIM_OTHER, [workspaceId, limit]);
}

/** Gives claimed mail back that was not sent. */
export async function releaseNewMails(tx: Tx, mailIds: string[]): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET next_attempt_at = now(), notify_at = now()
     WHERE id = ANY ($1) AND status = 'pending' AND ${IS_NEW}`,
    [mailIds],
  );
}

/**
 * Leaves a mail whose first attempt has failed to the run of its queue, which tries again
 * and decides what follows.
 */
export async function leaveToRun(tx: Tx, mailId: string, code: string): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET failure_code = $2, next_attempt_at = now(), notify_at = now()
     WHERE id = $1 AND status = 'pending' AND ${IS_NEW}`,
    [mailId, code],
  );
}

/** Records that the queue's run was notified of these mails. */
export async function markQueueNotified(tx: Tx, { mail_ids }: QueueToNotify): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET notify_at = now() + make_interval(secs => ${NOTIFY_AGAIN_SECONDS})
     WHERE id = ANY ($1) AND notify_at <= now()`,
    [mail_ids],
  );
}

const finishAs = (as: 'sent' | 'skipped') => ({
  name: `finish_mail_${as}`,
  text: `WITH finished AS (
     UPDATE mails SET status = $2, sent_at = CASE WHEN $2 = 'sent' THEN now() END, attachment = NULL,
       notify_at = NULL
     WHERE id = $1 AND status IN (${literals(MAIL_TRANSITIONS[as].from)})
     RETURNING sign_in_link_id, invoice_id
   ), link AS (
     UPDATE sign_in_links link SET encrypted_token = NULL FROM finished
     WHERE link.id = finished.sign_in_link_id
   )
   SELECT invoice_id FROM finished`,
});

/**
 * Finishes a mail: `sent` if the mail server has accepted it, `skipped` if it has no recipient any more.
 * Deletes its attachment, and the token of a sign-in link. Returns the invoice that it is about; null if
 * the mail has ended before.
 */
export function finishMail(
  tx: Tx,
  mailId: string,
  as: 'sent' | 'skipped',
): Promise<{ invoice_id: string | null } | null> {
  return maybeOne<{ invoice_id: string | null }>(tx, finishAs(as), [mailId, MAIL_TRANSITIONS[as].to]);
}

/**
 * The status of the mail of a kind about an object, which no worker finishes before the transaction ends;
 * null if there is none. Mail about a booking can be sent again: `sent` if any was, else `pending` if any is.
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

/** Finishes a mail with which a payer has got an invoice, and records the invoice as sent. */
export async function finishInvoiceMail(tx: Tx, mailId: string): Promise<void> {
  // Another attempt waits for this one at the mail's row: one that timed out may still be running.
  const mail = await finishMail(tx, mailId, 'sent');
  if (mail) await markInvoiceSent(tx, mail.invoice_id!);
}

/**
 * Lets a mail wait, without a failed attempt, whose kind this build does not know: a worker of the next build
 * writes it (docs/rules/mail.md#delivery). Returns false for a mail that is too old to wait.
 */
export async function leaveToNewerBuild(tx: Tx, mailId: string): Promise<boolean> {
  const left = await maybeOne<{ id: string }>(
    tx,
    `UPDATE mails SET failure_code = 'unknown_kind',
            next_attempt_at = now() + make_interval(secs => ${UNKNOWN_KIND_SECONDS}),
            notify_at = now() + make_interval(secs => ${UNKNOWN_KIND_SECONDS + NOTIFY_AGAIN_SECONDS})
     WHERE id = $1 AND status = 'pending'
       AND created_at >= now() - make_interval(days => ${GIVE_UP_AFTER_DAYS})
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
  /** A retry is pointless. */
  permanent: boolean;
}

/**
 * Stores a failed attempt: the mail is retried after a delay, or has failed if the failure is permanent
 * or the mail is too old. The attachment and the token of a sign-in link that has failed are deleted.
 * Returns true if it has failed.
 */
export async function recordFailedAttempt(tx: Tx, mailId: string, attempt: FailedAttempt): Promise<boolean> {
  const mail = await maybeOne<{ failed: boolean }>(
    tx,
    `WITH attempt AS (
       SELECT id, $3 OR created_at < now() - make_interval(days => ${GIVE_UP_AFTER_DAYS}) AS failed,
              now() + make_interval(secs =>
                least(${FIRST_RETRY_SECONDS} * ${RETRY_FACTOR} ^ least(attempts, 20),
                                                  ${MAX_RETRY_SECONDS})) AS retry_at
       FROM mails WHERE id = $1 AND status IN (${literals(MAIL_TRANSITIONS.failed.from)})
     ), stored AS (
       UPDATE mails m SET attempts = m.attempts + 1, failure_code = $2,
         status = CASE WHEN failed THEN '${MAIL_TRANSITIONS.failed.to}' ELSE m.status END,
         failed_at = CASE WHEN failed THEN now() END,
         attachment = CASE WHEN failed THEN NULL ELSE m.attachment END,
         next_attempt_at = retry_at,
         notify_at = CASE WHEN failed THEN NULL
           ELSE retry_at + make_interval(secs => ${NOTIFY_AGAIN_SECONDS}) END
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
