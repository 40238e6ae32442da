import type { DataSource } from 'typeorm';
import type { InvoiceDocument } from '../../db/entities/invoices.js';
import type { PayerId } from '../../db/queries/billing/card.js';
import { listUndocumented } from '../../db/queries/billing/issued-document.js';
import { listDocuments, listInvoicesToDocument } from '../../db/queries/billing/invoice-document.js';
import { transaction } from '../../db/transaction.js';
import { lockInvoiceRows } from './invoices.js';
import { issueDocuments } from './issue-documents.js';

/**
 * The documents of an invoice, in the order in which they were issued (docs/rules/billing.md#documents). Those of an
 * invoice from before they were stored are issued now.
 */
export async function documentsOf(db: DataSource, invoiceId: string): Promise<InvoiceDocument[]> {
  await issueOldDocuments(db, [invoiceId]);
  return listDocuments(db.manager, invoiceId);
}

/** Issues the documents of those of a payer's invoices that an earlier version of the service has paid or opened. */
export async function issueOldDocumentsOf(
  db: DataSource,
  workspace_id: string,
  { company_id, member_id }: PayerId,
): Promise<void> {
  const payer = company_id ? { company_id } : { member_id: member_id! };
  await issueOldDocuments(db, await listUndocumented(db.manager, { workspace_id, ...payer }));
}

/** The most invoices that one transaction locks: a payment of one of them waits for these only. */
const PAGE = 50;

/** Issues the documents of invoices whose ledger an earlier version of the service has changed. */
export async function issueOldDocuments(db: DataSource, invoiceIds: string[]): Promise<void> {
  const ids = await listInvoicesToDocument(db.manager, invoiceIds);
  for (let start = 0; start < ids.length; start += PAGE) {
    const page = ids.slice(start, start + PAGE);
    await transaction(db, async (tx) => {
      await lockInvoiceRows(tx, page);
      await issueDocuments(tx, page);
    });
  }
}
