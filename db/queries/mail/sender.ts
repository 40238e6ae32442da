import { OWN_MAILS, OWNER_MAILS } from '../../../domain/mail/kinds.js';
import { addressKey, canonicalIfOther } from '../../address.js';
import { exists, literals } from '../../query.js';
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

const IS_MEMBER = (
  address: string,
): string => `EXISTS (SELECT FROM members m JOIN profiles p ON p.id = m.profile_id
  WHERE m.workspace_id = w.id AND m.accepted_at IS NOT NULL AND lower(p.email) = ${address})`;

/** Only mail to payers has the look and the contact of its workspace. */
const OF_SPEAKER = (column: string): string =>
  `CASE WHEN mails.kind NOT IN (${literals(OWN_MAILS)}) THEN w.${column} END`;

/** SQL for the `StoredSender` of a row of `mails`. */
export const SENDER = `(SELECT jsonb_build_object('workspace_id', w.id, 'name', w.name,
    'is_speaker', mails.kind NOT IN (${literals(OWN_MAILS)}), 'contact_email', ${OF_SPEAKER('contact_email')},
    'logo_url', ${OF_SPEAKER('logo_url')}, 'accent_color', ${OF_SPEAKER('accent_color')},
    'is_proven', mails.kind NOT IN (${literals(OWN_MAILS)}) AND w.contact_email IS NOT NULL
      AND ${IS_MEMBER('lower(w.contact_email)')})
  FROM workspaces w WHERE w.id = mails.workspace_id AND mails.kind NOT IN (${literals(OWNER_MAILS)}))`;

/**
 * The workspace that sends a mail, before its contact is compared in another spelling; null
 * if the service sends it.
 */
export type StoredSender = Sender & { workspace_id: string };

/** The workspace that sends a mail; null if the service does: about signing in, and to owners. */
export async function senderOf(tx: Tx, { sender }: { sender: StoredSender | null }): Promise<Sender | null> {
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
  exists(tx, `SELECT FROM workspaces w WHERE w.id = $1 AND ${IS_MEMBER('$2')}`, [
    workspaceId,
    addressKey(email),
  ]);
