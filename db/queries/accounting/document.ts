import { column, exists, many, one } from '../../query.js';
import { AccountingDocument } from '../../entities/accounting.js';
import type { Tx } from '../../transaction.js';

/** A document that is, or may be, in the accounting system. */
export type StoredDocument = AccountingDocument;

/** Returns a document by its source. */
export function findDocument(tx: Tx, sourceId: string): Promise<StoredDocument | null> {
  return tx.findOneBy(AccountingDocument, { source_id: sourceId });
}

/** Returns the documents of invoices and their top-ups that are known to be in the accounting system. */
export function findInvoiceDocuments(tx: Tx, invoiceIds: string[]): Promise<StoredDocument[]> {
  return many<StoredDocument>(
    tx,
    `SELECT * FROM accounting_documents
     WHERE invoice_id = ANY ($1) AND kind = 'invoice' AND accounting_id IS NOT NULL`,
    [invoiceIds],
  );
}

/**
 * True if a contact of the accounting system may have been that of a document's payer when the document was
 * first sent: it is the contact of a guest, and the address of the booking's guest was corrected or erased
 * since then. The previous address is not stored, so it may also be the contact of another guest.
 */
export const mayBeFormerContact = (tx: Tx, sourceId: string, contactId: string): Promise<boolean> =>
  exists(
    tx,
    `SELECT FROM accounting_documents d JOIN invoices i ON i.id = d.invoice_id
     JOIN bookings b ON b.id = coalesce(i.booking_id, booking_of_invoice(i.adjusts))
     WHERE d.source_id = $1
       AND EXISTS (SELECT FROM accounting_contacts k WHERE k.workspace_id = d.workspace_id
         AND k.contact_id = $2 AND starts_with(k.payer, 'guest_'))
       AND (b.guest_erased_at >= d.created_at
         OR EXISTS (SELECT FROM audit_log a WHERE a.workspace_id = d.workspace_id
           AND a.action = 'booking.guest_corrected' AND a.at >= d.created_at AND a.object = b.id
           AND a.details -> 'fields' ? 'email'))`,
    [sourceId, contactId],
  );

/** Returns a workspace's credit notes that have one of these ids in the accounting system. */
export function findCreditNotes(
  tx: Tx,
  workspaceId: string,
  accountingIds: string[],
): Promise<StoredDocument[]> {
  return many<StoredDocument>(
    tx,
    `SELECT * FROM accounting_documents
     WHERE workspace_id = $1 AND kind = 'credit_note' AND accounting_id = ANY ($2)`,
    [workspaceId, accountingIds],
  );
}

/**
 * Returns a day that is not after any credit note that the workspace's accounting system has, of those issued
 * since `from`; null if there are none. Their dates are days in the workspace's time zone.
 */
export async function findFirstCreditNoteDay(
  tx: Tx,
  workspaceId: string,
  from: Date,
): Promise<string | null> {
  const { day } = await one<{ day: string | null }>(
    tx,
    `SELECT (min(n.issued_at) - interval '1 day')::date AS day
     FROM accounting_documents d JOIN invoice_documents n ON n.source_id = d.source_id
     WHERE d.workspace_id = $1 AND d.kind = 'credit_note' AND d.accounting_id IS NOT NULL
       AND n.issued_at >= $2`,
    [workspaceId, from],
  );
  return day;
}

/** Returns a page of a workspace's payable invoices. `known`: the accounting system is known to have it. */
export function listPayableInvoices(
  tx: Tx,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<{ id: string; known: boolean }[]> {
  return many<{ id: string; known: boolean }>(
    tx,
    `SELECT i.id, d.accounting_id IS NOT NULL AS known
     FROM invoices i LEFT JOIN accounting_documents d ON d.source_id = i.id
     WHERE i.workspace_id = $1 AND i.status IN ('open', 'authorised') AND i.total_minor > 0 AND i.id > $2
     ORDER BY i.id LIMIT $3`,
    [workspaceId, after, limit],
  );
}

/**
 * Returns a page of the invoices that a workspace's accounting system is known to have, in any status except
 * voided.
 */
export function listSyncedInvoices(
  tx: Tx,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT source_id FROM accounting_documents
     WHERE workspace_id = $1 AND kind = 'invoice' AND accounting_id IS NOT NULL
       AND status NOT IN ('voided', 'deleted') AND source_id > $2
     ORDER BY source_id LIMIT $3`,
    [workspaceId, after, limit],
  );
}
