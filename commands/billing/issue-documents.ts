import { groupBy } from '../../domain/group-by.js';
import { negated, splitOverTaxCodes, type TaxPart } from '../../domain/credited-tax.js';
import { documentNumberOf, nextDocumentNumber, type DocumentKind } from '../../domain/invoice-document.js';
import { totalsOf, type InvoiceLine } from '../../domain/invoice.js';
import { InvoiceDocument } from '../../db/entities/invoices.js';
import {
  listDueDocuments,
  type DocumentBasis,
  type DueDocument,
} from '../../db/queries/billing/due-document.js';
import { insertAll } from '../../db/insert.js';
import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueAccountingUpdate } from '../accounting/pending-updates.js';

/** Follows a change of the ledger of a locked invoice: with its documents, and in the accounting system. */
export async function followLedger(tx: Tx, invoiceId: string): Promise<void> {
  await issueDocuments(tx, [invoiceId]);
  await enqueueAccountingUpdate(tx, invoiceId);
}

/**
 * Issues the documents of locked invoices that their ledger requires and that they do not have, and voids those whose
 * reason has gone: a refund that failed after all, an invoice that was voided (docs/rules/billing.md#documents). What was
 * issued is never changed. `reason`: of an invoice whose adjustment is not stored yet.
 */
export async function issueDocuments(tx: Tx, invoiceIds: string[], reason?: string): Promise<void> {
  const due = await listDueDocuments(tx, invoiceIds);
  const changed = due
    .filter(({ kind, number, is_void }) => number !== null && is_void !== (kind === null))
    .map(({ source_id }) => source_id);
  if (changed.length > 0) await toggleVoid(tx, changed);
  const byInvoice = groupBy(due, ({ invoice_id }) => invoice_id);
  const bases = [...new Map(due.flatMap(({ basis }) => (basis ? [[basis.invoice_id, basis]] : []))).values()];
  if (bases.length === 0) return;
  await nameUnnamed(tx, bases);
  const documents = bases.flatMap((basis) =>
    missingDocuments(basis, byInvoice.get(basis.invoice_id)!, reason),
  );
  await insertAll(tx, InvoiceDocument, documents);
}

/** Stores the document numbers of invoices from before they were stored. */
async function nameUnnamed(tx: Tx, bases: DocumentBasis[]): Promise<void> {
  const unnamed = bases.filter(({ document_number }) => document_number === null);
  if (unnamed.length === 0) return;
  await execute(
    tx,
    `UPDATE invoices i SET document_number = n.document_number
     FROM unnest($1::text[], $2::text[]) n (id, document_number) WHERE i.id = n.id`,
    [unnamed.map(({ invoice_id }) => invoice_id), unnamed.map(documentNumberOf)],
  );
}

/** The documents that an invoice does not have, of those that are due. */
function missingDocuments(basis: DocumentBasis, due: DueDocument[], reason: string | undefined) {
  const invoiceNumber = documentNumberOf(basis);
  const taken = new Set(basis.taken);
  // Those that are not due are void by now, and the others valid.
  const valid = new Set(due.filter(({ kind }) => kind !== null).map(({ source_id }) => source_id));
  const issued = new Map(
    basis.issued
      .filter(({ source_id }) => valid.has(source_id))
      .map(({ source_id, kind, lines }) => [source_id, chargedBy(kind, lines)]),
  );
  const documents: Omit<InvoiceDocument, 'voided_at' | 'created_at'>[] = [];
  for (const document of due.filter(({ number }) => number === null)) {
    const lines = linesOf(document, due, basis, issued);
    const totals = totalsOf(lines);
    if (totals.total_minor === 0) continue;
    const kind = document.kind!;
    const number = kind === 'invoice' ? invoiceNumber : nextDocumentNumber(invoiceNumber, kind, taken);
    taken.add(number);
    issued.set(document.source_id, chargedBy(kind, lines));
    document.issued_minor = totals.total_minor;
    documents.push({
      ...totals,
      source_id: document.source_id,
      workspace_id: basis.workspace_id,
      invoice_id: basis.invoice_id,
      kind,
      number,
      issued_at: document.at,
      payment_id: document.payment_id,
      lines,
      terms: { ...basis.terms, reason: document.reason ?? reason ?? null },
    });
  }
  return documents;
}

/** Voids documents, or makes them valid again. */
async function toggleVoid(tx: Tx, sourceIds: string[]): Promise<void> {
  await execute(
    tx,
    `UPDATE invoice_documents SET voided_at = CASE WHEN voided_at IS NULL THEN now() END WHERE source_id = ANY ($1)`,
    [sourceIds],
  );
}

/** What a document charges, by source; a credit note charges less than nothing. */
type Issued = Map<string, TaxPart[]>;

const chargedBy = (kind: DocumentKind, lines: InvoiceLine[]): TaxPart[] =>
  kind === 'credit_note' ? negated(lines) : lines;

/** The lines of a document: its own, or its share of what the documents of its invoice have left. */
function linesOf(
  document: DueDocument,
  due: DueDocument[],
  basis: DocumentBasis,
  issued: Issued,
): InvoiceLine[] {
  const { lines, kind, is_dispute } = document;
  if (lines && kind !== 'credit_note') return lines;
  if (lines) return negated(lines).map((line) => ({ ...line, unit_amount_minor: -line.unit_amount_minor }));
  const { currency } = basis.terms;
  const number = documentNumberOf(basis);
  const description =
    kind === 'supplement'
      ? `Returned after a dispute of a payment of ${number}`
      : `${is_dispute ? 'Dispute of a payment' : 'Refund'} of ${number}`;
  const amount = { amount_minor: creditedBy(document, due), currency };
  const left = kind === 'supplement' ? takenInDisputes(document, due, issued) : [...issued.values()].flat();
  return splitOverTaxCodes(amount, left, basis.lines).map((part) => ({
    ...part,
    description,
    quantity: 1,
    unit_amount_minor: part.net_minor,
  }));
}

/** What a bank has taken of the payment of a document and not returned: a return charges the same again. */
const takenInDisputes = ({ payment_id }: DueDocument, due: DueDocument[], issued: Issued): TaxPart[] =>
  negated(
    due
      .filter((document) => document.is_dispute && document.payment_id === payment_id)
      .flatMap(({ source_id }) => issued.get(source_id) ?? []),
  );

/**
 * What a document credits. Refunds of a payment can succeed in another order than they were made, so it is at most what
 * the credit notes of that payment lack: together they are always what was refunded of it, without the excess.
 */
function creditedBy({ of_payment, amount_minor }: DueDocument, due: DueDocument[]): number {
  if (of_payment === null) return amount_minor;
  const siblings = due.filter((document) => document.of_payment === of_payment);
  const total = siblings.reduce((sum, document) => sum + document.amount_minor, 0);
  const issued = siblings.reduce((sum, { issued_minor }) => sum + (issued_minor ?? 0), 0);
  return Math.max(0, total - issued);
}
