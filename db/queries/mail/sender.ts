import { addressKey, canonicalIfOther } from '../../address.js';
import { exists } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The workspace that a mail comes from. */
export interface Sender {
  name: string;
  /** How it looks to payers; null for mail to itself. */
  logo_url: string | null;
  accent_color: string | null;
  /** The mail is in its name, and not to its staff. */
  is_speaker: boolean;
  /** Where questions go; null for mail to its staff. */
  contact_email: string | null;
  /** Replies go there too: its holder has shown that they belong to the workspace. */
  is_proven: boolean;
}

/**
 * The workspace that sends a mail, before its contact is compared in another spelling; null
 * if the service sends it.
 */
export type StoredSender = Sender & { workspace_id: string };

/** The workspace that sends a mail; null if the service does: about signing in, and to owners. */
export async function findSender(
  tx: Tx,
  { sender }: { sender: StoredSender | null },
): Promise<Sender | null> {
  if (!sender) return null;
  const { workspace_id, ...facts } = sender;
  const { contact_email, is_proven } = facts;
  const isOther = contact_email !== null && canonicalIfOther(contact_email) !== null;
  return {
    ...facts,
    is_proven: is_proven || (isOther && (await isProvenContact(tx, workspace_id, contact_email))),
  };
}

/**
 * Whether an address belongs to somebody who has accepted a membership of the workspace, in which they need
 * not be any more: a workspace directs replies to nobody who does not know of it
 * (docs/rules/mail.md#replies).
 */
export const isProvenContact = (tx: Tx, workspaceId: string, email: string): Promise<boolean> =>
  exists(tx, `SELECT FROM workspaces w WHERE w.id = $1 AND is_contact_of(w.id, $2)`, [
    workspaceId,
    addressKey(email),
  ]);
