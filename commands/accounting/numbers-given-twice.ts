import { IsNull } from 'typeorm';
import { AccountingDocument } from '../../db/entities/accounting.js';
import type { Tx } from '../../db/transaction.js';
import { nextNumberInBooks } from '../../domain/invoices/document.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../audit-log/audit.js';
import { recoverFrom } from '../workspaces/recovery.js';

/**
 * Gives an invoice another number in the accounting system. Its own number belongs there to an invoice that
 * this database has lost (docs/internals/recovery.md#numbers-that-the-books-have). Its number on documents
 * stays. The workspace's accounts are read again, and mail to the owner is enqueued. Does nothing if the
 * invoice has another number there by now.
 */
export async function assignOtherNumberInBooks(
  tx: Tx,
  document: Pick<AccountingDocument, 'source_id' | 'workspace_id' | 'number'>,
  lost: { accounting_id: string; since: Date },
): Promise<void> {
  const { source_id, workspace_id, number } = document;
  const in_books = nextNumberInBooks(number);
  // Nothing has been sent under the new number yet.
  const { affected } = await tx.update(
    AccountingDocument,
    { source_id, number, accounting_id: IsNull() },
    { number: in_books, attempts: 0 },
  );
  if (!affected) return;
  await recoverFrom(tx, { workspace_id }, { at: new Date(), since: lost.since, known_to: 'accounting' });
  const details = { number, in_books, other: lost.accounting_id };
  await audit(
    tx,
    { workspace_id, system: 'accounting' },
    { action: 'invoice.number_given_twice', object: source_id, details },
  );
  await enqueueMail(tx, { workspace_id, kind: 'number_given_twice', about: `${source_id}:${in_books}` });
}
