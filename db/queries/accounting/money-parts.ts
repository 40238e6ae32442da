import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Money that settled a document. Minor units. */
export interface DocumentMoney {
  document: string;
  amount_minor: number;
  at: Date;
}

/** Lists the money that settled the documents of invoices, oldest first. */
export function listMoneyOfDocuments(tx: Tx, invoiceIds: string[]): Promise<DocumentMoney[]> {
  return many<DocumentMoney>(
    tx,
    `SELECT coalesce(d.source_id, i.id) AS document, coalesce(m.amount_minor, d.total_minor) AS amount_minor,
            coalesce(m.at, d.issued_at) AS at
     FROM invoices i LEFT JOIN invoice_documents d ON d.invoice_id = i.id
     LEFT JOIN LATERAL money_of_document(i.id, d) m ON true
     WHERE i.id = ANY ($1) AND num_nonnulls(m.source_id, d.source_id) > 0 ORDER BY at, m.source_id`,
    [invoiceIds],
  );
}
