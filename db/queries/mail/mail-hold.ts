import type { MailHold } from '../../entities/mail.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** SQL that is true for a hold `h` that has neither lapsed nor been released. */
export const HOLDS_MAIL = `h.released_at IS NULL AND (h.held_until IS NULL OR h.held_until > now())`;

/** The hold of a workspace's mail to addresses that it has not mailed before; null if there is none now. */
export function findMailHold(tx: Tx, workspaceId: string): Promise<MailHold | null> {
  return maybeOne<MailHold>(tx, `SELECT h.* FROM mail_holds h WHERE h.workspace_id = $1 AND ${HOLDS_MAIL}`, [
    workspaceId,
  ]);
}
