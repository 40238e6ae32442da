import { addressKey, canonicalIfOther } from '../../address.js';
import { exists } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The workspace that sends a mail. */
export interface Sender {
  name: string;
  /** How it looks to payers; null for mail to the workspace itself. */
  logo_url: string | null;
  accent_color: string | null;
  /** The mail is sent in its name, and not to its staff. */
  is_speaker: boolean;
  /** Where questions are sent; null for mail to its staff. */
  contact_email: string | null;
  /** Replies are sent there too, because its holder has proved that they belong to the workspace. */
  is_proven: boolean;
}

/**
 * The workspace that sends a mail, before its contact is compared in other spellings; null if the service
 * sends it.
 */
export type StoredSender = Sender & { workspace_id: string };

/**
 * Returns the workspace that sends a mail; null if the service does, such as for mail about signing in and to
 * owners.
 */
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
 * Returns whether an address belongs to somebody who has accepted a membership of the workspace, even if they
 * have left. A workspace must not direct replies to somebody who does not know about it
 * (docs/rules/mail.md#replies).
 */
export const isProvenContact = (tx: Tx, workspaceId: string, email: string): Promise<boolean> =>
  exists(tx, `SELECT FROM workspaces w WHERE w.id = $1 AND is_contact_of(w.id, $2)`, [
    workspaceId,
    addressKey(email),
  ]);
