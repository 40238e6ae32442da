import { ApplicationFailure } from '@temporalio/common';
import type { DataSource } from 'typeorm';
import { deleteDocument } from '../../commands/accounting/documents.js';
import { assignOtherNumberInBooks } from '../../commands/accounting/numbers-given-twice.js';
import { isId } from '../../db/ids.js';
import { findNumberingFacts } from '../../db/queries/accounting/lost-invoice.js';
import { transaction } from '../../db/transaction.js';
import { documentInReference } from '../../domain/accounting/documents.js';
import { invoiceNumberIn } from '../../domain/invoices/invoice.js';
import type { Accounting, AccountingDocument } from '../gateways/accounting.js';
import { continueAboveBooks } from './invoice-numbers.js';
import type { DocumentToWrite, PlannedStep } from './document-writer.js';

/**
 * Detects by a taken number that the accounting system has an invoice of ours that the database has lost
 * (docs/internals/recovery.md#numbers-that-the-books-have).
 */
export function createLostInvoices(deps: { db: DataSource; accounting: Accounting }) {
  const { db } = deps;

  /**
   * Leaves the number of an invoice to a lost invoice. The invoice gets another number there, and numbers
   * continue above those of the accounting system. A void invoice needs no other number. Does nothing and
   * returns false if it is not certain that the number belongs to a lost invoice. `isFirst`: nothing of ours
   * was sent under the number before.
   */
  return async function leaveNumber(
    taken: AccountingDocument,
    step: PlannedStep,
    document: DocumentToWrite,
    isFirst: boolean,
  ): Promise<boolean> {
    const { source_id, workspace_id, invoice_id } = document;
    // A supplement or credit note may exist here under another number.
    if (source_id !== invoice_id) return false;
    // An earlier attempt, even one that was lost itself, may have written it, and somebody may have changed
    // it since.
    const paid = taken.payments
      .map(({ reference }) => documentInReference(reference))
      .filter((id) => isId('inv', id));
    const isOfOther = paid.some((id) => id !== invoice_id);
    if (paid.includes(invoice_id) || !(isFirst || isOfOther)) return false;
    const facts = await findNumberingFacts(db.manager, invoice_id, taken.id);
    // It has a reference of ours, of any invoice: the number is not that of its document.
    if (!facts || invoiceNumberIn(taken.reference) === null) return false;
    if (step.do === 'void') {
      await deleteDocument(db.manager, source_id);
      return true;
    }
    const lost = { accounting_id: taken.id, since: facts.since };
    await transaction(db, (tx) => assignOtherNumberInBooks(tx, document, lost));
    // If they do not respond now, numbers continue when the accounts are read, or at the next taken number.
    await continueAboveBooks(deps, workspace_id, facts.since).catch(ignoreFailedCall);
    return true;
  };
}

function ignoreFailedCall(error: unknown): void {
  if (!(error instanceof ApplicationFailure)) throw error;
}
