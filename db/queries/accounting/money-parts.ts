import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { movedAt } from '../payments/money-time.js';

/**
 * SQL of the rows (source_id, amount_minor, at) of the money that settled a document `d` of an invoice `i`,
 * which may not have been issued: the payments that paid the invoice, without what went back; the refunds of
 * a credit; otherwise the payment or the refund that the document is about, or what a bank moved.
 */
export const MONEY_OF_DOCUMENT = `(
    SELECT p.id AS source_id, p.amount_minor - p.excess_minor AS amount_minor, ${movedAt('p')} AS at
    FROM payments p
    WHERE coalesce(d.kind, 'invoice') = 'invoice' AND p.invoice_id = i.id AND p.kind <> 'refund'
      AND p.status <> 'failed'
      AND p.amount_minor > p.excess_minor
      AND NOT EXISTS (SELECT FROM invoice_lines l WHERE l.invoice_id = i.id AND l.payment_id = p.id)
    UNION ALL
    SELECT r.id, r.amount_minor, r.settled_at FROM payments r
    WHERE d.kind = 'credit_note' AND r.adjustment_id = d.source_id AND r.status = 'succeeded'
    UNION ALL
    SELECT p.id, d.total_minor, coalesce(p.succeeded_at, ${movedAt('p')}) FROM payments p
    WHERE d.kind <> 'invoice' AND p.id = d.source_id
    UNION ALL
    SELECT m.id, d.total_minor, m.created_at FROM dispute_movements m
    WHERE d.kind <> 'invoice' AND m.id = d.source_id)`;

/** Money that settled a document. Minor units. */
export interface DocumentMoney {
  /** What the document is about. */
  document: string;
  amount_minor: number;
  at: Date;
}

/** The money that settled the documents of invoices, oldest first. */
export function listMoneyOfDocuments(tx: Tx, invoiceIds: string[]): Promise<DocumentMoney[]> {
  return many<DocumentMoney>(
    tx,
    `SELECT coalesce(d.source_id, i.id) AS document, m.amount_minor, m.at
     FROM invoices i LEFT JOIN invoice_documents d ON d.invoice_id = i.id
     CROSS JOIN LATERAL ${MONEY_OF_DOCUMENT} m
     WHERE i.id = ANY ($1) ORDER BY m.at, m.source_id`,
    [invoiceIds],
  );
}
