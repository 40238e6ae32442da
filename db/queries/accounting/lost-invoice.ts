import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** An invoice whose number belongs to a document of the accounting system that it does not know. */
export interface NumberingFacts {
  number: number;
  /** When the invoice before it was created: what has been lost was created later. */
  since: Date;
}

/** An invoice's number and when the one before it was created; null if the document of the accounting system is its own. */
export function findNumberingFacts(
  tx: Tx,
  invoiceId: string,
  accountingId: string,
): Promise<NumberingFacts | null> {
  return maybeOne<NumberingFacts>(
    tx,
    `SELECT i.number, coalesce((
         SELECT before.created_at FROM invoices before
         WHERE before.workspace_id = i.workspace_id AND before.number < i.number
         ORDER BY before.number DESC LIMIT 1), w.created_at) AS since
     FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
     WHERE i.id = $1 AND NOT EXISTS (
       SELECT FROM accounting_documents d WHERE d.invoice_id = i.id AND d.accounting_id = $2)`,
    [invoiceId, accountingId],
  );
}
