import { addressKey } from '../../db/address.js';
import { ApiError } from '../../domain/errors.js';
import { toBucket, type MailQuotas } from '../../domain/api-keys/limits.js';
import type { Principal } from '../../domain/policies.js';
import { HOLD_MAILS, STAFF_MAILS } from '../../domain/mail/kinds.js';
import { maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { recipientBucket, takeFromBucket } from '../api-keys/buckets.js';

/** Who requests a mail: a key, or a member in the dashboard. */
export type MailRequester = Pick<Principal, 'member_id' | 'key_id'>;

export interface RequestedMail {
  workspace_id: string;
  kind: 'member_invite' | 'invoice' | 'invoice_reminder' | 'booking' | 'message' | 'statement';
  email: string;
  /** The invoice, booking or day. Mail about another one may be sent to the same address. */
  about?: string;
}

/** Returns the error for a mail that exceeds a limit. */
export function tooManyMails(what: string, waitMs: number): ApiError {
  const retry_after_ms = Math.max(1, Math.ceil(waitMs));
  const at = new Date(Date.now() + retry_after_ms).toISOString();
  return new ApiError('rate_limited', `${what} Try again at ${at}.`, { retry_after_ms });
}

/**
 * Returns the milliseconds from the row of such a statement until a quota allows another mail; 0 without a
 * row.
 */
export const remainingWait = (row: { wait: number } | null): number => Math.max(0, row?.wait ?? 0);

/**
 * Counts a mail that a client requested, in the transaction that enqueued it (docs/rules/mail.md#limits).
 * Errors: 429 `rate_limited`.
 */
export async function countRequestedMail(
  tx: Tx,
  { key_id, member_id }: MailRequester,
  quotas: MailQuotas,
  mail: RequestedMail,
): Promise<void> {
  const { workspace_id, kind, email, about = '' } = mail;
  const id = recipientBucket(kind, workspace_id, addressKey(email), about);
  const wait = await takeFromBucket(tx, id, toBucket(quotas.recipient));
  if (wait > 0) throw tooManyMails('This email was sent to the same address a short time ago.', wait);
  // Not those about holds, which anybody can have sent on the booking page, nor what the workspace's own
  // staff get. The rows include the mail itself.
  const { count, seconds } = quotas.workspace;
  const dayWait = remainingWait(
    await maybeOne<{ wait: number }>(
      tx,
      `SELECT 1000 * extract(epoch FROM created_at + $2 * interval '1 second' - now())::float8 AS wait
        FROM mails
       WHERE workspace_id = $3 AND created_at > now() - $2 * interval '1 second' AND kind <> ALL ($4)
       ORDER BY created_at DESC OFFSET $1 LIMIT 1`,
      [count, seconds, workspace_id, [...HOLD_MAILS, ...STAFF_MAILS]],
    ),
  );
  if (dayWait > 0) throw tooManyMails('The workspace has sent the maximum number of emails.', dayWait);
  // A key that has leaked leaves something to the others, until it is revoked and in the day after that.
  const ownWait = await takeFromBucket(tx, `mails_${key_id ?? member_id}`, toBucket(quotas.requester));
  if (ownWait > 0) {
    const who = key_id ? 'This API key has' : 'You have';
    throw tooManyMails(`${who} requested the maximum number of emails.`, ownWait);
  }
}

/**
 * Refuses to mail an invoice that its payer has just been mailed because it was opened. A mail that had no
 * recipient or was refused does not count. Errors: 429 `rate_limited`.
 */
export async function assertNotJustOpened(tx: Tx, quotas: MailQuotas, invoiceId: string): Promise<void> {
  const { count, seconds } = quotas.recipient;
  const wait = remainingWait(
    await maybeOne<{ wait: number }>(
      tx,
      `SELECT 1000 * extract(epoch FROM created_at + $2 * interval '1 second' - now())::float8 AS wait
        FROM mails
       WHERE invoice_id = $3 AND kind = 'invoice_opened' AND status IN ('pending', 'sent')
       ORDER BY created_at DESC OFFSET $1 - 1 LIMIT 1`,
      [count, seconds, invoiceId],
    ),
  );
  if (wait > 0) throw tooManyMails('This invoice was emailed a short time ago, when it was created.', wait);
}

/**
 * Counts a member's invite, or the link to an address that they requested, if this transaction enqueued it.
 * Errors: 429 `rate_limited`.
 */
export async function countInvite(
  tx: Tx,
  by: MailRequester,
  quotas: MailQuotas,
  memberId: string,
): Promise<void> {
  const invite = await maybeOne<{ workspace_id: string; email: string }>(
    tx,
    `SELECT i.workspace_id, coalesce(i.new_email, m.email) AS email FROM member_invites i
     JOIN members m ON m.id = i.member_id
     WHERE i.member_id = $1 AND i.created_at = now()::timestamptz(3)`,
    [memberId],
  );
  if (invite) await countRequestedMail(tx, by, quotas, { ...invite, kind: 'member_invite' });
}
