import type { AccountMailKind } from '../../../domain/mail/kinds.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The contents of the mail that informs the previous address of a member about a new one. */
export interface AddressChangedMail {
  id: string;
  to: string;
  workspace_name: string;
}

/** Reads the contents of the mail to a member's previous address; null if the member was erased. */
export function findAddressChangedMail(tx: Tx, mailId: string): Promise<AddressChangedMail | null> {
  return maybeOne<AddressChangedMail>(
    tx,
    `SELECT mail.id, e.body #>> '{data,previous,email}' AS to, w.name AS workspace_name
     FROM mails mail JOIN events e ON e.id = mail.about JOIN workspaces w ON w.id = mail.workspace_id
     WHERE mail.id = $1 AND e.body #>> '{data,previous,email}' IS NOT NULL`,
    [mailId],
  );
}

export interface AccountMail {
  id: string;
  kind: AccountMailKind;
  to: string;
  created_at: Date;
  /** The device, for `new_device`. */
  device: string | null;
}

/** Reads the contents of a mail to a person about their account. */
export function findAccountMail(tx: Tx, mailId: string): Promise<AccountMail | null> {
  return maybeOne<AccountMail>(
    tx,
    `SELECT mail.id, mail.kind, p.email AS to, mail.created_at,
            nullif(split_part(mail.about, ':', 2), '') AS device
     FROM mails mail JOIN profiles p ON p.id = mail.profile_id WHERE mail.id = $1`,
    [mailId],
  );
}
