import type { DataSource } from 'typeorm';
import type { MailHold } from '../../db/entities/mail.js';
import { findMailHold } from '../../db/queries/mail/mail-hold.js';
import { execute, exists, maybeOne, one } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { Quota } from '../../domain/api-keys/limits.js';
import { audit, type System } from '../audit-log/audit.js';
import { remainingWait } from './mail-limits.js';
import { enqueueMail } from './mails.js';
import { lockRecipients, markRefused, type RefusedMail } from './new-recipients.js';

/**
 * Counts that the mail server has permanently refused an address. If too many of the addresses that a
 * workspace mailed for the first time refuse mail, its mail to further new addresses is held until there were
 * no refusals for the quota's period, and its owner is informed (docs/rules/mail.md#holds).
 */
export async function countRefusal(
  tx: Tx,
  quota: Quota,
  workspaceId: string,
  mail: RefusedMail,
): Promise<void> {
  await lockRecipients(tx, workspaceId);
  if (!(await markRefused(tx, quota, workspaceId, mail))) return;
  const hold = await findMailHold(tx, workspaceId);
  if (hold) return extendHold(tx, hold, quota);
  // Only addresses that refused within the quota's period after their first mail count, which an index
  // supports.
  const wait = await maybeOne<{ wait: number }>(
    tx,
    `SELECT 1000 * extract(epoch FROM refused_at + $2 * interval '1 second' - now())::float8 AS wait
     FROM mail_recipients
     WHERE workspace_id = $3 AND NOT by_public_guest
       AND first_mailed_at > now() - 2 * $2 * interval '1 second'
       AND refused_at > now() - $2 * interval '1 second' AND refused_at > coalesce(
         (SELECT released_at FROM mail_holds WHERE workspace_id = $3), '-infinity')
     ORDER BY refused_at DESC OFFSET $1 - 1 LIMIT 1`,
    [quota.count, quota.seconds, workspaceId],
  );
  if (remainingWait(wait) > 0)
    await startHold(tx, { workspace_id: workspaceId, system: 'mail' }, null, quota.seconds);
}

async function extendHold(tx: Tx, { workspace_id }: MailHold, { seconds }: Quota): Promise<void> {
  await execute(
    tx,
    `UPDATE mail_holds SET held_until = now() + make_interval(secs => $2)
     WHERE workspace_id = $1 AND held_until IS NOT NULL`,
    [workspace_id, seconds],
  );
}

/**
 * Holds mail, in place of an earlier hold, and informs the owner. `reason`: the operator's. `seconds`: null
 * until it is released.
 */
async function startHold(
  tx: Tx,
  by: System & { workspace_id: string },
  reason: string | null,
  seconds: number | null,
): Promise<MailHold> {
  const { workspace_id } = by;
  const hold = await one<MailHold>(
    tx,
    `INSERT INTO mail_holds (workspace_id, held_at, held_until, reason)
     VALUES ($1, clock_timestamp(), now() + make_interval(secs => $2), $3)
     ON CONFLICT (workspace_id) DO UPDATE
     SET held_at = excluded.held_at, held_until = excluded.held_until, reason = excluded.reason,
       released_at = NULL
     RETURNING *`,
    [workspace_id, seconds, reason],
  );
  await audit(tx, by, { action: 'mail.held', object: workspace_id, details: { reason } });
  await enqueueMail(tx, {
    workspace_id,
    kind: 'mail_held',
    about: `${workspace_id}/${hold.held_at.toISOString()}`,
  });
  return hold;
}

/** Holds a workspace's mail to new addresses until the operator of the service releases it. */
export async function holdWorkspaceMail(
  tx: Tx,
  by: System & { workspace_id: string },
  reason: string,
): Promise<MailHold> {
  await lockRecipients(tx, by.workspace_id);
  return startHold(tx, by, reason, null);
}

/**
 * Ends the hold of a workspace's mail. Mail that waited for it is sent now, and earlier refusals no longer
 * count. Does nothing if there is no hold.
 */
export async function releaseWorkspaceMail(
  tx: Tx,
  by: System & { workspace_id: string },
  reason: string,
): Promise<void> {
  const { workspace_id } = by;
  await lockRecipients(tx, workspace_id);
  const released = `UPDATE mail_holds h SET released_at = clock_timestamp()
    WHERE h.workspace_id = $1 AND holds_mail(h)`;
  if (!(await exists(tx, released, [workspace_id]))) return;
  await audit(tx, by, { action: 'mail.released', object: workspace_id, details: { reason } });
  await execute(
    tx,
    `UPDATE mails SET next_attempt_at = now(), notify_at = now()
     WHERE workspace_id = $1 AND status = 'pending' AND failure_code = 'mail_held'`,
    [workspace_id],
  );
}

type Change = (tx: Tx, by: System & { workspace_id: string }, reason: string) => Promise<unknown>;

/** Changes the hold of a workspace's mail and returns the new state. */
const changing =
  (change: Change) =>
  (db: DataSource, by: System & { workspace_id: string }, reason: string): Promise<MailHold | null> =>
    transaction(db, async (tx) => {
      await change(tx, by, reason);
      return findMailHold(tx, by.workspace_id);
    });

/** For the operator of the service: a workspace's mail to new addresses waits until it is released. */
export const holdMail = changing(holdWorkspaceMail);
export const releaseMail = changing(releaseWorkspaceMail);
