import { createHash } from 'node:crypto';
import type { Quota } from '../../domain/limits.js';
import { MAIL_HELD } from '../../domain/mails.js';
import { addressKey } from '../../db/address.js';
import { CLOCK } from '../../db/database-time.js';
import { MailRecipient } from '../../db/entities/mail.js';
import { execute, exists } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { waitForQuota } from './mail-limits.js';
import { enqueueMail } from './mails.js';

/** How an address is stored: nobody reads from it whom a workspace has mailed. */
const digestOf = (workspaceId: string, address: string): Buffer =>
  createHash('sha256')
    .update(`${workspaceId}\n${addressKey(address)}`)
    .digest();

/**
 * Lets a workspace mail an address (docs/rules/mail.md#new-recipients): always one that it has mailed before, otherwise as
 * many as the quota allows. Returns 0, or the milliseconds to wait.
 */
export async function admitRecipient(
  tx: Tx,
  quota: Quota,
  workspaceId: string,
  address: string,
): Promise<number> {
  const recipient = { workspace_id: workspaceId, digest: digestOf(workspaceId, address) };
  // One at a time, so that concurrent mails do not exceed the quota.
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('mail_recipients'), hashtext($1))`, [workspaceId]);
  if (await isKnown(tx, recipient)) return 0;
  const counted = `SELECT first_mailed_at FROM mail_recipients
    WHERE workspace_id = $3 AND first_mailed_at > now() - $2 * interval '1 second'`;
  const wait = await waitForQuota(tx, quota, counted, [workspaceId]);
  if (wait === 0) await tx.insert(MailRecipient, { ...recipient, first_mailed_at: CLOCK });
  return wait;
}

/** Whether a workspace has mailed an address before: then the quota need not be asked. */
export const hasMailed = (tx: Tx, workspaceId: string, address: string): Promise<boolean> =>
  isKnown(tx, { workspace_id: workspaceId, digest: digestOf(workspaceId, address) });

const isKnown = (tx: Tx, { workspace_id, digest }: Pick<MailRecipient, 'workspace_id' | 'digest'>) =>
  exists(tx, `SELECT FROM mail_recipients WHERE workspace_id = $1 AND digest = $2`, [workspace_id, digest]);

/** Has the workspace forget that it mailed an address. */
export async function forgetRecipient(tx: Tx, workspaceId: string, address: string): Promise<void> {
  await tx.delete(MailRecipient, { workspace_id: workspaceId, digest: digestOf(workspaceId, address) });
}

/** Waiting mail looks again after this long at the earliest: much of it would look for the same place in the quota. */
const LOOK_AGAIN_SECONDS = 3_600;
/** The run of the workspace's mail is notified again if it has not sent a due mail for this long. */
const NOTIFY_AGAIN_SECONDS = 60;

/** Lets a mail wait for `waitMs` at least, without a failed attempt, and tells the workspace's owner, once a day. */
export async function holdMail(tx: Tx, workspaceId: string, mailId: string, waitMs: number): Promise<void> {
  await execute(
    tx,
    `UPDATE mails SET failure_code = '${MAIL_HELD}', next_attempt_at = now() + make_interval(secs => $2),
            notify_at = now() + make_interval(secs => $2 + ${NOTIFY_AGAIN_SECONDS})
     WHERE id = $1 AND status = 'pending'`,
    [mailId, Math.max(waitMs / 1000, LOOK_AGAIN_SECONDS)],
  );
  const day = new Date().toISOString().slice(0, 10);
  await enqueueMail(tx, {
    workspace_id: workspaceId,
    kind: 'recipients_limited',
    about: `${workspaceId}/${day}`,
  });
}
