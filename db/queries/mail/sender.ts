import { OWN_MAILS, OWNER_MAILS } from '../../../domain/mails.js';
import { addressKey } from '../../address.js';
import { exists, maybeOne } from '../../query.js';
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

const FIND_SENDER = {
  name: 'find_sender',
  text: `SELECT w.id AS workspace_id, w.name, mail.kind <> ALL ($2) AS is_speaker, CASE WHEN mail.kind <> ALL ($2) THEN w.contact_email END AS contact_email,
            CASE WHEN mail.kind <> ALL ($2) THEN w.logo_url END AS logo_url,
            CASE WHEN mail.kind <> ALL ($2) THEN w.accent_color END AS accent_color
     FROM mails mail JOIN workspaces w ON w.id = mail.workspace_id WHERE mail.id = $1 AND mail.kind <> ALL ($3)`,
};

/** The workspace that sends a mail; null if the service does: about signing in, and to owners. */
export async function findSender(tx: Tx, mailId: string): Promise<Sender | null> {
  const sender = await maybeOne<Omit<Sender, 'is_proven'> & { workspace_id: string }>(tx, FIND_SENDER, [
    mailId,
    OWN_MAILS,
    OWNER_MAILS,
  ]);
  if (!sender) return null;
  const { workspace_id, ...facts } = sender;
  const { contact_email } = facts;
  return {
    ...facts,
    is_proven: contact_email !== null && (await isProvenContact(tx, workspace_id, contact_email)),
  };
}

/**
 * Whether an address belongs to somebody who has accepted a membership of the workspace, in which they need not be any
 * more: a workspace directs replies to nobody who does not know of it (docs/rules/mail.md#replies).
 */
export const isProvenContact = (tx: Tx, workspaceId: string, email: string): Promise<boolean> =>
  exists(
    tx,
    `SELECT FROM members m JOIN profiles p ON p.id = m.profile_id
     WHERE m.workspace_id = $1 AND m.accepted_at IS NOT NULL AND lower(p.email) = $2`,
    [workspaceId, addressKey(email)],
  );
