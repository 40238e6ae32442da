import { column, many } from '../../query.js';
import { repository, type Row } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A document that is, or may be, in the accounting system. */
export type StoredDocument = Row<'accounting_documents'>;

/** A document by its source. */
export function findDocument(tx: Tx, sourceId: string): Promise<StoredDocument | null> {
  return repository(tx, 'accounting_documents').findOneBy({ source_id: sourceId });
}

/** The documents of invoices and their top-ups that are known to be in the accounting system. */
export function findDocumentsOf(tx: Tx, invoiceIds: string[]): Promise<StoredDocument[]> {
  return many<StoredDocument>(
    tx,
    `SELECT * FROM accounting_documents
     WHERE invoice_id = ANY ($1) AND kind = 'invoice' AND accounting_id IS NOT NULL`,
    [invoiceIds],
  );
}

/** A page of the credit notes of invoices that are known to be in the accounting system. */
export function findCreditNotesOf(
  tx: Tx,
  invoiceIds: string[],
  after: string,
  limit: number,
): Promise<StoredDocument[]> {
  return many<StoredDocument>(
    tx,
    `SELECT * FROM accounting_documents
     WHERE invoice_id = ANY ($1) AND kind = 'credit_note' AND accounting_id IS NOT NULL AND source_id > $2
     ORDER BY source_id LIMIT $3`,
    [invoiceIds, after, limit],
  );
}

/** A page of a workspace's payable invoices. `known`: the accounting system is known to have it. */
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

/** A page of the invoices that a workspace's accounting system is known to have, in any status but voided. */
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
