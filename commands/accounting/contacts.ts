import { createHash } from 'node:crypto';
import { execute } from '../../db/query.js';
import { AccountingContact } from '../../db/entities/accounting.js';
import type { Tx } from '../../db/transaction.js';
import type { DocumentContent } from '../../db/queries/accounting/document-content.js';
import type { Payer } from '../../db/queries/invoices/payer.js';

/** Returns the SHA-256 of a payer's name and address. */
const payerDigest = ({ name, email }: Payer): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([name, email]))
    .digest();

/**
 * Returns the id of a payer's contact in the accounting system if it has the payer's current name and
 * address, otherwise null.
 */
export const currentContact = ({ payer, contact }: DocumentContent): string | null =>
  contact && payerDigest(payer).equals(contact.digest) ? contact.contact_id : null;

/**
 * Deletes the stored id of a payer's contact, after the accounting system refused it: the contact was
 * archived or merged there.
 */
export async function forgetContact(tx: Tx, workspaceId: string, payer: Payer): Promise<void> {
  await tx.delete(AccountingContact, { workspace_id: workspaceId, payer: payer.number });
}

/** Stores the id of a payer's contact in the accounting system. */
export async function saveContact(
  tx: Tx,
  workspaceId: string,
  payer: Payer,
  contactId: string,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO accounting_contacts (workspace_id, payer, contact_id, digest) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, payer) DO UPDATE SET contact_id = excluded.contact_id,
       digest = excluded.digest`,
    [workspaceId, payer.number, contactId, payerDigest(payer)],
  );
}
