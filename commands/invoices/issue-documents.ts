import { groupBy } from '../../domain/group-by.js';
import {
  creditLines,
  negated,
  splitOverTaxCodes,
  sumByTax,
  type TaxPart,
} from '../../domain/invoices/credited-tax.js';
import { asLines } from '../../domain/invoices/difference-lines.js';
import { CANCELLED, nextDocumentNumber, type DocumentKind } from '../../domain/invoices/document.js';
import { sumTotals, type InvoiceLine } from '../../domain/invoices/invoice.js';
import { InvoiceDocument } from '../../db/entities/invoices.js';
import {
  listDueDocuments,
  type DocumentBasis,
  type DueDocument,
} from '../../db/queries/invoices/due-document.js';
import { insertAll } from '../../db/insert.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueAccountingUpdate } from '../accounting/pending-updates.js';
import { assignDocumentNumbers } from './numbers.js';

/**
 * Updates what follows from a change of a locked invoice's ledger: its documents, and the accounting system.
 */
export async function followLedger(tx: Tx, invoiceId: string): Promise<void> {
  await issueDocuments(tx, [invoiceId]);
  await enqueueAccountingUpdate(tx, invoiceId);
}

/**
 * Issues the documents of locked invoices that the ledger requires and that do not exist yet. Documents whose
 * reason no longer holds, such as a refund that failed or an invoice that was voided, are cancelled by
 * another document (docs/rules/billing.md#documents). An issued document is never changed. `reason`: of an
 * invoice whose adjustment is not stored yet. Errors: 503 while numbers may have been assigned that the
 * database does not know (docs/internals/recovery.md#paused-payments).
 */
export async function issueDocuments(tx: Tx, invoiceIds: string[], reason?: string): Promise<void> {
  const due = await listDueDocuments(tx, invoiceIds);
  const byInvoice = groupBy(due, ({ invoice_id }) => invoice_id);
  const bases = [...new Map(due.flatMap(({ basis }) => (basis ? [[basis.invoice_id, basis]] : []))).values()];
  if (bases.length === 0) return;
  await assignMissingNumbers(tx, bases);
  const documents = bases.flatMap((basis) =>
    missingDocuments(basis, byInvoice.get(basis.invoice_id)!, reason),
  );
  await insertAll(tx, InvoiceDocument, documents);
}

/** Assigns document numbers to the invoices that have none yet. */
async function assignMissingNumbers(tx: Tx, bases: DocumentBasis[]): Promise<void> {
  const unnumbered = bases.filter(({ document_number }) => document_number === null);
  if (unnumbered.length === 0) return;
  const given = await assignDocumentNumbers(
    tx,
    unnumbered.map(({ invoice_id }) => invoice_id),
  );
  for (const basis of unnumbered) basis.document_number = given.get(basis.invoice_id)!;
}

/** A document to be stored. The database adds the people it names. */
type NewDocument = Omit<InvoiceDocument, 'created_at' | 'payer' | 'member_names'>;

/** Returns the documents that an invoice lacks: those that cancel others, and those that are due. */
function missingDocuments(
  basis: DocumentBasis,
  due: DueDocument[],
  reason: string | undefined,
): NewDocument[] {
  const invoiceNumber = basis.document_number!;
  const taken = new Set(basis.taken);
  const issued: Issued = new Map(
    basis.issued.map(({ source_id, kind, lines }) => [source_id, chargedBy(kind, lines)]),
  );
  const documents: NewDocument[] = [];
  const issue = (
    document: Pick<NewDocument, 'source_id' | 'kind' | 'issued_at' | 'payment_id' | 'lines' | 'cancels'>,
    why: string | null,
  ): number => {
    const { source_id, kind, lines } = document;
    const totals = sumTotals(lines);
    if (totals.total_minor === 0) return 0;
    const { total_minor } = totals;
    const number =
      kind === 'invoice'
        ? invoiceNumber
        : nextDocumentNumber(invoiceNumber, { kind, total_minor }, taken, basis.lost);
    taken.add(number);
    issued.set(source_id, chargedBy(kind, lines));
    const { workspace_id, invoice_id, terms } = basis;
    documents.push({
      ...document,
      ...totals,
      workspace_id,
      invoice_id,
      number,
      terms: { ...terms, reason: why },
    });
    return totals.total_minor;
  };
  for (const obsolete of due.filter((document) => document.kind === null && !document.is_cancelled))
    issue(buildCancellation(obsolete, basis, issued), null);
  for (const document of due.filter(({ number, kind }) => number === null && kind !== null)) {
    const { source_id, payment_id } = document;
    const lines = computeDocumentLines(document, due, basis, issued);
    const made = {
      source_id,
      kind: document.kind!,
      issued_at: document.at,
      payment_id,
      lines,
      cancels: null,
    };
    document.issued_minor = issue(made, document.reason ?? reason ?? null);
  }
  return documents;
}

/**
 * Returns the document that cancels another one. For a void invoice, it is a credit note for everything that
 * is left of it; for a credit note whose refund has failed, a supplement with the same lines.
 */
function buildCancellation({ source_id, payment_id, at }: DueDocument, basis: DocumentBasis, issued: Issued) {
  const { kind, number, lines } = basis.issued.find((document) => document.source_id === source_id)!;
  const opposite = kind === 'credit_note' ? ('supplement' as const) : ('credit_note' as const);
  const left = kind === 'invoice' ? sumByTax([...issued.values()].flat()) : lines;
  return {
    source_id: `${source_id}${CANCELLED}`,
    kind: opposite,
    issued_at: at,
    payment_id,
    lines: linesFor(left, `Cancels ${number}`),
    cancels: source_id,
  };
}

const linesFor = (parts: TaxPart[], description: string): InvoiceLine[] =>
  asLines(
    parts.map(({ tax_code, tax_rate_bps, account, net_minor, tax_minor }) => ({
      description,
      tax_code,
      tax_rate_bps,
      account,
      net_minor,
      tax_minor,
    })),
  );

/** What each document charges, by source; negative for credit notes. */
type Issued = Map<string, TaxPart[]>;

const chargedBy = (kind: DocumentKind, lines: InvoiceLine[]): TaxPart[] =>
  kind === 'credit_note' ? negated(lines) : lines;

/** Returns the lines of a document: its own, or its share of what is left of its invoice's documents. */
function computeDocumentLines(
  document: DueDocument,
  due: DueDocument[],
  basis: DocumentBasis,
  issued: Issued,
): InvoiceLine[] {
  const { lines, kind, is_dispute } = document;
  if (lines && kind !== 'credit_note') return lines;
  if (lines) return negated(lines).map((line) => ({ ...line, unit_amount_minor: -line.unit_amount_minor }));
  const { currency } = basis.terms;
  const number = basis.document_number;
  const description =
    kind === 'supplement'
      ? `Returned after a dispute of a payment of ${number}`
      : `${is_dispute ? 'Dispute of a payment' : 'Refund'} of ${number}`;
  const amount = { amount_minor: creditedBy(document, due), currency };
  if (kind === 'supplement')
    return linesFor(
      splitOverTaxCodes(amount, takenInDisputes(document, due, issued), basis.lines),
      description,
    );
  const left = [...issued.values()].flat();
  if (document.credit) return linesFor(creditLines(amount, document.credit, left, basis.lines), description);
  const free = sumByTax([...left, ...negated(basis.reserved)]);
  const isEnough = sumTotals(free).total_minor >= amount.amount_minor;
  return linesFor(splitOverTaxCodes(amount, isEnough ? free : left, basis.lines), description);
}

/**
 * Returns what a bank withdrew for disputes of a document's payment and has not returned. When the bank
 * returns it, the same is charged again.
 */
const takenInDisputes = ({ payment_id }: DueDocument, due: DueDocument[], issued: Issued): TaxPart[] =>
  negated(
    due
      .filter((document) => document.is_dispute && document.payment_id === payment_id)
      .flatMap(({ source_id }) => issued.get(source_id) ?? []),
  );

/**
 * Returns what a document credits. Refunds of a payment can succeed in another order than they were made. So
 * it is at most what the payment's credit notes lack, and together they always equal what was refunded of the
 * payment, without the excess.
 */
function creditedBy({ of_payment, amount_minor }: DueDocument, due: DueDocument[]): number {
  if (of_payment === null) return amount_minor;
  const siblings = due.filter((document) => document.of_payment === of_payment);
  const total = siblings.reduce((sum, document) => sum + document.amount_minor, 0);
  const issued = siblings.reduce((sum, { issued_minor }) => sum + (issued_minor ?? 0), 0);
  return Math.max(0, total - issued);
}
