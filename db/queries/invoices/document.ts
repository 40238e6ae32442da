import { many } from '../../query.js';
import { InvoiceDocument } from '../../entities/invoices.js';
import type { Tx } from '../../transaction.js';

/** SQL for the documents of an invoice `i` as lists show them. */
export const DOCUMENTS_OF_INVOICE = `(
  SELECT coalesce(json_agg(json_build_object(
           'source_id', d.source_id, 'kind', d.kind, 'number', d.number, 'issued_at', d.issued_at,
           'net_minor', d.net_minor,
           'tax_minor', d.tax_minor, 'total_minor', d.total_minor, 'payment_id', d.payment_id,
           'accounting_id', a.accounting_id, 'cancelled_at', c.issued_at)
         ORDER BY d.kind <> 'invoice', d.created_at, d.issued_at, d.number), '[]')
  FROM invoice_documents d LEFT JOIN accounting_documents a ON a.source_id = d.source_id
    LEFT JOIN invoice_documents c ON c.cancels = d.source_id AND c.invoice_id = i.id
    WHERE d.invoice_id = i.id)`;

/** The documents of an invoice in the order in which they were issued. */
export function listDocuments(tx: Tx, invoiceId: string): Promise<InvoiceDocument[]> {
  return many<InvoiceDocument>(
    tx,
    `SELECT * FROM invoice_documents WHERE invoice_id = $1 ORDER BY kind <> 'invoice', created_at,
      issued_at, number`,
    [invoiceId],
  );
}

/** The documents of all invoices of a booking, in the order in which they were issued. */
export function listBookingDocuments(
  tx: Tx,
  booking: { id: string; workspace_id: string },
): Promise<InvoiceDocument[]> {
  return many<InvoiceDocument>(
    tx,
    `SELECT d.* FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id
     WHERE i.workspace_id = $2
       AND (i.booking_id = $1 OR i.adjusts IN (SELECT b.id FROM invoices b WHERE b.booking_id = $1))
     ORDER BY d.created_at, d.issued_at, d.number`,
    [booking.id, booking.workspace_id],
  );
}

/**
 * SQL that is true if an invoice `i` is issued: it was paid, or its payer owes it, so that it is collected.
 */
export const IS_ISSUED = `(i.total_minor > 0 AND (i.status IN ('paid', 'refunded')
    OR i.status IN ('open', 'authorised') AND EXISTS (SELECT FROM collections WHERE invoice_id = i.id)))`;
