import type { AccountingView, KnownDocument } from '../../../domain/accounting/documents.js';
import { manyByIds } from '../../query.js';
import type { AccountingDocument } from '../../entities/accounting.js';
import type { Invoice } from '../../entities/invoices.js';
import type { Tx } from '../../transaction.js';

/** An invoice with the documents that the accounting system must have for it. */
export type AccountingInvoice = Omit<AccountingView, 'known'> &
  Pick<Invoice, 'id' | 'workspace_id' | 'number' | 'accounting_error'> & {
    known: (KnownDocument & Pick<AccountingDocument, 'number' | 'accounting_id'>)[];
    /** The version of its pending update; null if none is pending. */
    due_version: number | null;
    /** True until a worker has made the first attempt: no run may write. */
    is_first_attempt: boolean;
    /** True if the workspace sends documents to a connected accounting system. */
    is_enabled: boolean;
  };

/** A single statement, because an invoice is read before each write. */
const INVOICE_VIEWS = {
  one: {
    name: 'accounting_invoice',
    text: `SELECT a.*, coalesce(c.enabled, false) AS is_enabled FROM accounting_invoice($1) a
     LEFT JOIN accounting_connections c ON c.workspace_id = a.workspace_id`,
  },
  list: {
    name: 'accounting_invoices',
    text: `SELECT a.*, coalesce(c.enabled, false) AS is_enabled
     FROM unnest($1::text[]) AS i (id) CROSS JOIN LATERAL accounting_invoice(i.id) a
     LEFT JOIN accounting_connections c ON c.workspace_id = a.workspace_id ORDER BY a.id`,
  },
};

/**
 * Returns an invoice with the documents that the accounting system must have and is known to have, or null.
 */
export async function findAccountingInvoice(tx: Tx, invoiceId: string): Promise<AccountingInvoice | null> {
  const [invoice] = await findAccountingInvoices(tx, [invoiceId]);
  return invoice ?? null;
}

/** Does the same for several invoices, by id. */
export function findAccountingInvoices(tx: Tx, invoiceIds: string[]): Promise<AccountingInvoice[]> {
  return manyByIds<AccountingInvoice>(tx, INVOICE_VIEWS, invoiceIds);
}
