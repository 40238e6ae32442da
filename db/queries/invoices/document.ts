import { many } from '../../query.js';
import { InvoiceDocument } from '../../entities/invoices.js';
import type { Tx } from '../../transaction.js';

/** Lists the documents of an invoice in the order in which they were issued. */
export function listDocuments(tx: Tx, invoiceId: string): Promise<InvoiceDocument[]> {
  return many<InvoiceDocument>(
    tx,
    `SELECT * FROM invoice_documents WHERE invoice_id = $1
      ORDER BY kind <> 'invoice', created_at, issued_at, number`,
    [invoiceId],
  );
}

/** Lists the documents of all invoices of a booking, in the order in which they were issued. */
export function listBookingDocuments(
  tx: Tx,
  booking: { id: string; workspace_id: string },
): Promise<InvoiceDocument[]> {
  return many<InvoiceDocument>(
    tx,
    `SELECT d.* FROM invoice_documents d JOIN invoices i ON i.id = d.invoice_id
     WHERE i.workspace_id = $2 AND (i.booking_id = $1 OR i.adjusts IN (SELECT b.id FROM invoices b
       WHERE b.booking_id = $1))
     ORDER BY d.created_at, d.issued_at, d.number`,
    [booking.id, booking.workspace_id],
  );
}
