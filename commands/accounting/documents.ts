import { isDeepStrictEqual } from 'node:util';
import type { KnownDocument } from '../../domain/accounting/documents.js';
import type { InvoiceStatus } from '../../domain/states.js';
import { maybeOne } from '../../db/query.js';
import { AccountingDocument } from '../../db/entities/accounting.js';
import type { Tx } from '../../db/transaction.js';

const START_ATTEMPT = {
  name: 'start_accounting_attempt',
  text: `WITH invoice AS (
       SELECT i.id, i.workspace_id, i.document_number, w.invoice_prefix
       FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
       WHERE i.id = $2 AND i.status = $5 FOR NO KEY UPDATE OF i
     ), numbered AS MATERIALIZED (
       SELECT id, invoice_prefix, next_document_ordinal(workspace_id) AS ordinal
       FROM invoice WHERE $4::text IS NULL AND document_number IS NULL
     ), named AS (
       UPDATE invoices i SET document_number = n.invoice_prefix || '-' || n.ordinal,
         document_ordinal = n.ordinal
       FROM numbered n WHERE i.id = n.id RETURNING i.id, i.document_number
     )
     INSERT INTO accounting_documents AS d (source_id, workspace_id, invoice_id, kind, number, attempts)
     SELECT $1, i.workspace_id, i.id, $3, coalesce($4, n.document_number, i.document_number), 1
     FROM invoice i LEFT JOIN named n ON n.id = i.id
     ON CONFLICT (source_id) DO UPDATE SET attempts = d.attempts + 1
     RETURNING number, attempts`,
};

/**
 * Stores a document before it is requested, and counts the attempts. A document that is already stored keeps
 * its number. An invoice that is sent before it is issued has no document number yet and gets it now
 * (`number` is then null). Returns the number of this attempt, from 1. Returns null if the invoice no longer
 * has this status, because whoever changed it could not know about the document.
 */
export function startDocumentAttempt(
  tx: Tx,
  document: Pick<AccountingDocument, 'source_id' | 'invoice_id' | 'kind'> & { number: string | null },
  status: InvoiceStatus,
): Promise<Pick<AccountingDocument, 'number' | 'attempts'> | null> {
  const { source_id, invoice_id, kind, number } = document;
  return maybeOne(tx, START_ATTEMPT, [source_id, invoice_id, kind, number, status]);
}

/**
 * Removes an attempt from the count: the accounting system has limited the calls, so nothing was sent. The
 * next attempt must be counted again. `attempt`: its number. Does nothing if there were later attempts.
 */
export async function uncountDocumentAttempt(tx: Tx, source_id: string, attempt: number): Promise<void> {
  await tx.update(AccountingDocument, { source_id, attempts: attempt }, { attempts: attempt - 1 });
}

/** A document as the accounting system reports it. */
export interface DocumentUpdate {
  accounting_id: string;
  status: Exclude<KnownDocument['status'], 'unknown'>;
  reference: string;
  total_minor: number;
  /** The amount still to be paid or refunded. */
  outstanding_minor: number;
  /** The amount that was offset there. */
  credited_minor: number;
}

const RECORD_DOCUMENT = {
  name: 'record_accounting_document',
  text: `WITH document AS (
       UPDATE accounting_documents
       SET accounting_id = $2, status = $3, reference = $4, total_minor = $5, outstanding_minor = $6,
         credited_minor = $7
       WHERE source_id = $1 RETURNING invoice_id
     ), invoice AS (
       UPDATE invoices SET accounting_id = $2 WHERE id = $1 AND accounting_id IS DISTINCT FROM $2
     ), adjustment AS (
       UPDATE adjustments SET accounting_id = $2 WHERE id = $1
     )
     SELECT version FROM document JOIN accounting_due USING (invoice_id)`,
};

/**
 * Records what the accounting system reports about a document, and the document's id there on the invoice or
 * adjustment. Returns the version of the invoice's pending update; null if none is pending.
 */
export async function recordDocument(
  tx: Tx,
  sourceId: string,
  reported: DocumentUpdate,
): Promise<number | null> {
  const { accounting_id, status, reference, total_minor, outstanding_minor, credited_minor } = reported;
  const update = await maybeOne<{ version: number }>(tx, RECORD_DOCUMENT, [
    sourceId,
    accounting_id,
    status,
    reference,
    total_minor,
    outstanding_minor,
    credited_minor,
  ]);
  return update && update.version;
}

/** Locks a document until the transaction ends. Returns false if it has changed since it was read. */
export async function lockUnchangedDocument(tx: Tx, read: AccountingDocument): Promise<boolean> {
  const sql = `SELECT * FROM accounting_documents WHERE source_id = $1 FOR NO KEY UPDATE`;
  return isDeepStrictEqual(await maybeOne<AccountingDocument>(tx, sql, [read.source_id]), read);
}

/** Deletes a document that turned out not to exist in the accounting system. */
export async function deleteDocument(tx: Tx, sourceId: string): Promise<void> {
  await tx.delete(AccountingDocument, { source_id: sourceId });
}
