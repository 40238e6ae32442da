import { highestNumbers, parseOrdinal, type SeenDocument } from '../../domain/invoices/document-number.js';
import { toInvoiceNumber, documentSuffix } from '../../domain/invoices/document.js';
import { DocumentNumberGap, InvoiceCounter, InvoiceNumberGap } from '../../db/entities/invoices.js';
import { insertIfAbsent } from '../../db/insert.js';
import { execute, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

const GIVE_DOCUMENT_NUMBERS = `WITH numbered AS MATERIALIZED (
    SELECT u.id, u.invoice_prefix, next_document_ordinal(u.workspace_id) AS ordinal
    FROM (
      SELECT i.id, i.workspace_id, w.invoice_prefix FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
      WHERE i.id = ANY ($1) AND i.document_number IS NULL ORDER BY i.workspace_id, i.number
    ) u
  )
  UPDATE invoices i SET document_number = n.invoice_prefix || '-' || n.ordinal, document_ordinal = n.ordinal
  FROM numbered n WHERE i.id = n.id RETURNING i.id, i.document_number`;

/**
 * Assigns document numbers to locked invoices without one, in the order of their numbers. Returns the
 * document numbers by invoice id.
 */
export async function assignDocumentNumbers(tx: Tx, invoiceIds: string[]): Promise<Map<string, string>> {
  const given = await many<{ id: string; document_number: string }>(tx, GIVE_DOCUMENT_NUMBERS, [invoiceIds]);
  return new Map(given.map(({ id, document_number }) => [id, document_number]));
}

/**
 * Continues a workspace's numbers, of invoices and of documents, above those that were seen elsewhere, so
 * that no number that a restore has lost is assigned again (docs/rules/billing.md#numbers-and-references).
 * The gaps are recorded.
 */
export async function continueNumbersAbove(
  tx: Tx,
  workspace_id: string,
  seen: SeenDocument[],
  seen_by: InvoiceNumberGap['seen_by'],
): Promise<void> {
  const highest = highestNumbers(seen);
  await insertIfAbsent(tx, InvoiceCounter, { workspace_id });
  const lock = { mode: 'pessimistic_write' } as const;
  const last = await tx.findOneOrFail(InvoiceCounter, { where: { workspace_id }, lock });
  if (highest.number > last.last_number) {
    const gap = { first_number: last.last_number + 1, last_number: highest.number };
    await tx.insert(InvoiceNumberGap, { workspace_id, ...gap, seen_by });
    await tx.update(InvoiceCounter, { workspace_id }, { last_number: highest.number });
  }
  if (highest.ordinal > last.last_document_number) {
    const gap = { first_number: last.last_document_number + 1, last_number: highest.ordinal };
    await tx.insert(DocumentNumberGap, { workspace_id, ...gap, seen_by });
    await tx.update(InvoiceCounter, { workspace_id }, { last_document_number: highest.ordinal });
  }
}

/**
 * Restores document numbers that were lost since a time: invoices created before that time get the number
 * that the accounting system or the processor has for them
 * (docs/internals/recovery.md#numbers-that-the-books-have). The workspace's numbers must have been continued
 * above these first, so that nobody else gets one of them.
 */
export async function restoreDocumentNumbers(
  tx: Tx,
  workspaceId: string,
  seen: SeenDocument[],
  before: Date,
): Promise<void> {
  // An invoice with another number in the accounting system, such as `HH-35-2`, gets its own.
  const numbers = seen.flatMap(({ id, number, document }) =>
    document && /^\w+-\d+$/.test(document)
      ? [{ id, number, document_number: document, document_ordinal: parseOrdinal(document) }]
      : [],
  );
  await execute(
    tx,
    `WITH seen AS (
       SELECT DISTINCT ON (document_ordinal) * FROM jsonb_to_recordset($2)
         AS s (id text, number integer, document_number text, document_ordinal integer)
       ORDER BY document_ordinal, id NULLS LAST
     ), lost AS (
       SELECT DISTINCT ON (i.id) i.id, s.document_number, s.document_ordinal FROM seen s
       JOIN invoices i ON i.workspace_id = $1 AND (i.id = s.id OR s.id IS NULL AND i.number = s.number)
       WHERE i.document_number IS NULL AND i.created_at < $3
         AND NOT EXISTS (SELECT FROM invoices o WHERE o.workspace_id = $1
           AND (o.document_ordinal = s.document_ordinal
           OR o.document_ordinal IS NULL AND o.document_number IS NOT NULL AND o.number = s.document_ordinal))
       ORDER BY i.id, s.document_ordinal
     )
     UPDATE invoices i SET document_number = lost.document_number, document_ordinal = lost.document_ordinal
     FROM lost WHERE i.id = lost.id AND i.document_number IS NULL`,
    [workspaceId, JSON.stringify(numbers), before],
  );
}

/**
 * Records supplements and credit notes that the accounting system has, that are lost here, and whose invoices
 * exist here. Other documents of these invoices get higher numbers, and a document that is created again gets
 * its number back (docs/internals/recovery.md#numbers-that-the-books-have). The numbers of invoices must have
 * been restored first.
 */
export async function recordLostDocuments(tx: Tx, workspaceId: string, seen: SeenDocument[]): Promise<void> {
  const documents = seen.flatMap(({ number, document, total_minor }) => {
    const suffix = document && documentSuffix(document);
    return suffix ? [{ number, of_invoice: toInvoiceNumber(document), suffix, total_minor }] : [];
  });
  if (documents.length === 0) return;
  await execute(
    tx,
    // In the accounting system, the invoice may have another number than here. Without its reference, the
    // document may belong to another invoice.
    `INSERT INTO lost_documents (workspace_id, invoice_id, suffix, total_minor)
     SELECT DISTINCT ON (i.id, s.suffix) $1, i.id, s.suffix, CASE WHEN i.number = s.number
       THEN s.total_minor END AS total
     FROM jsonb_to_recordset($2) AS s (number integer, of_invoice text, suffix text, total_minor bigint)
     JOIN invoices i ON i.workspace_id = $1 AND (i.number = s.number OR i.document_number = s.of_invoice)
     WHERE NOT EXISTS (
       SELECT FROM invoice_documents d WHERE d.invoice_id = i.id
         AND d.number = i.document_number || '-' || s.suffix)
     ORDER BY i.id, s.suffix, total NULLS LAST
     ON CONFLICT (invoice_id, suffix) DO UPDATE SET total_minor = excluded.total_minor`,
    [workspaceId, JSON.stringify(documents)],
  );
}
