import { OWNER_MAILS } from '../../../domain/mails.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The workspace that a mail comes from. */
export interface Sender {
  name: string;
  /** Where replies and questions go; null for mail to the owner, who is that workspace. */
  contact_email: string | null;
}

/** The sender of a mail; null if it belongs to no workspace. */
export function findSender(tx: Tx, mailId: string): Promise<Sender | null> {
  return maybeOne<Sender>(
    tx,
    `SELECT w.name, CASE WHEN mail.kind <> ALL ($2) THEN w.contact_email END AS contact_email
     FROM mails mail JOIN workspaces w ON w.id = mail.workspace_id WHERE mail.id = $1`,
    [mailId, OWNER_MAILS],
  );
}
