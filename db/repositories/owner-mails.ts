import type { DisabledReason } from '../../domain/webhook-schedule.js';
import { newId } from '../ids.js';
import type { Tx } from '../transaction.js';

/** What a workspace's owner is told of, and what each mail is written from; nobody's data but the owner's. */
export interface OwnerMails {
  webhook_endpoint_disabled: { url: string; reason: DisabledReason };
}
export type OwnerMailKind = keyof OwnerMails;

/** A mail that is owed to a workspace's owner. */
export interface OwedOwnerMail<Kind extends OwnerMailKind = OwnerMailKind> {
  id: string;
  kind: Kind;
  details: OwnerMails[Kind];
  to: string;
  name: string;
  workspace_name: string;
  created_at: Date;
}

/** Owes the workspace's owner a mail, in the transaction of what it tells. */
export async function oweOwnerMail<Kind extends OwnerMailKind>(
  tx: Tx,
  mail: { workspace_id: string; kind: Kind; details: OwnerMails[Kind] },
): Promise<void> {
  await tx.query(`INSERT INTO owner_mails (id, workspace_id, kind, details) VALUES ($1, $2, $3, $4)`, [
    newId('mail'),
    mail.workspace_id,
    mail.kind,
    mail.details,
  ]);
}

/** The mails of a kind still owed to a workspace's owner, whoever that is now; oldest first. */
export function findOwedOwnerMails(
  tx: Tx,
  workspaceId: string,
  kind: OwnerMailKind,
): Promise<OwedOwnerMail[]> {
  return tx.query(
    `SELECT mail.id, mail.kind, mail.details, p.email AS to, p.name, w.name AS workspace_name, mail.created_at
     FROM owner_mails mail
     JOIN workspaces w ON w.id = mail.workspace_id
     JOIN members m ON m.workspace_id = w.id AND m.role = 'owner'
     JOIN profiles p ON p.id = m.profile_id
     WHERE mail.workspace_id = $1 AND mail.kind = $2 AND mail.sent_at IS NULL
     ORDER BY mail.created_at, mail.id`,
    [workspaceId, kind],
  );
}

/** Notes that a mail has been accepted by the mail server. */
export async function markOwnerMailSent(tx: Tx, mailId: string): Promise<void> {
  await tx.query(`UPDATE owner_mails SET sent_at = now() WHERE id = $1 AND sent_at IS NULL`, [mailId]);
}
