import type { DocumentKind, DocumentTerms, LostDocumentFacts } from '../../../domain/invoices/document.js';
import type { TaxPart } from '../../../domain/invoices/credited-tax.js';
import type { InvoiceLine } from '../../../domain/invoices/invoice.js';
import { manyByIds } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A document that an invoice has, or must have according to its ledger. Amounts in minor units. */
export interface DueDocument {
  source_id: string;
  invoice_id: string;
  /** Null for a document that was issued and is no longer due. */
  kind: DocumentKind | null;
  /** What the document of a refund or a dispute credits or returns, without what was paid in excess. */
  amount_minor: number;
  /** The payment to which that amount belongs. */
  of_payment: string | null;
  /** The refund or payment itself. */
  payment_id: string | null;
  /** When it is issued (docs/rules/billing.md#dates-of-money). */
  at: Date;
  /** The lines of an invoice, a supplement or an adjustment; null for a share of the invoice's. */
  lines: InvoiceLine[] | null;
  /** What a refund credits; null for a share of the invoice's. */
  credit: TaxPart[] | null;
  is_dispute: boolean;
  reason: string | null;
  /** Its number and total, if it was issued and not cancelled. */
  number: string | null;
  issued_minor: number | null;
  /** True if another document has cancelled it. */
  is_cancelled: boolean;
  /** What is needed to issue or cancel it; null if neither is to be done. */
  basis: DocumentBasis | null;
}

/** What is needed to issue documents of an invoice. */
export interface DocumentBasis {
  invoice_id: string;
  workspace_id: string;
  document_number: string | null;
  terms: Omit<DocumentTerms, 'reason'>;
  /** The lines of the invoice and its supplements. */
  lines: InvoiceLine[];
  issued: { source_id: string; kind: DocumentKind; number: string; lines: InvoiceLine[] }[];
  /** What its pending refunds will credit. */
  reserved: TaxPart[];
  /** The numbers of its documents so far, here and in the accounting system. */
  taken: string[];
  /** The documents that the accounting system has and that are lost here, in the order of their numbers. */
  lost: LostDocumentFacts[];
}

const DUE_DOCUMENTS = {
  one: { name: 'due_documents', text: `SELECT * FROM due_documents($1)` },
  list: {
    name: 'due_documents_list',
    text: `SELECT d.* FROM unnest($1::text[]) WITH ORDINALITY AS i (id, place),
        LATERAL due_documents(i.id) WITH ORDINALITY AS d
      ORDER BY i.place, d.ordinality`,
  },
};

/**
 * Returns the documents that invoices must have according to their ledger, in the order of each invoice's
 * numbers, and those that they have (docs/rules/billing.md#documents). Errors: as `numbers_known`, for
 * supplements and credit notes that must be issued.
 */
export function listDueDocuments(tx: Tx, invoiceIds: string[]): Promise<DueDocument[]> {
  return manyByIds<DueDocument>(tx, DUE_DOCUMENTS, invoiceIds);
}
