import type { MailHold } from '../../entities/mail.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Returns the current hold of a workspace's mail to addresses that it has not mailed before; null if there is
 * none.
 */
export function findMailHold(tx: Tx, workspaceId: string): Promise<MailHold | null> {
  return maybeOne<MailHold>(tx, `SELECT h.* FROM mail_holds h WHERE h.workspace_id = $1 AND holds_mail(h)`, [
    workspaceId,
  ]);
}
