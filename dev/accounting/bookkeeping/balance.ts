import type { Document, Payment, Allocation, Status } from '../state/records.js';
import type { Store } from '../state/store.js';
import { today } from '../dates.js';

/** Final statuses of documents. */
const GONE: Status[] = ['VOIDED', 'DELETED'];

export interface Balance {
  sub_total: number;
  total_tax: number;
  total: number;
  /** Payments of an invoice, or refunds of a credit note. */
  paid: number;
  /** The amount that credit notes allocate to an invoice, or that a credit note allocates to invoices. */
  allocated: number;
  /** The amount due of an invoice, or the remaining credit of a credit note. */
  left: number;
}

/** The totals of a document and its remaining amount, in hundredths. */
export function computeBalance(store: Store, document: Document): Balance {
  const { lines, line_amount_types, status } = document;
  const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0);
  const total_tax = sum(lines.map(({ tax_cents }) => tax_cents));
  const included = line_amount_types === 'Inclusive' ? total_tax : 0;
  const sub_total = sum(lines.map(({ line_cents }) => line_cents)) - included;
  const total = sub_total + total_tax;
  const paid = sum(listPayments(store, document).map(({ cents }) => cents));
  const allocated = sum(listAllocations(store, document).map(({ cents }) => cents));
  const left = GONE.includes(status) ? 0 : total - paid - allocated;
  return { sub_total, total_tax, total, paid, allocated, left };
}

/** The payments of a document that are not deleted. */
export function listPayments(store: Store, { id }: Document): Payment[] {
  return store.paymentsByDocument(id).filter(({ status }) => status !== 'DELETED');
}

/** The allocations of a credit note, or to an invoice. */
export function listAllocations(store: Store, { id }: Document): Allocation[] {
  return store.allocationsByDocument(id);
}

/** True if the document has payments or allocations. */
export function isSettledInPart(store: Store, document: Document): boolean {
  return listPayments(store, document).length > 0 || listAllocations(store, document).length > 0;
}

/**
 * Stores a document after its payments or lines changed. An approved document with nothing left becomes PAID.
 */
export function keep(store: Store, document: Document): Document {
  const approved = document.status === 'AUTHORISED' || document.status === 'PAID';
  const settled = approved && computeBalance(store, document).left === 0;
  const kept: Document = {
    ...document,
    status: settled ? 'PAID' : approved ? 'AUTHORISED' : document.status,
    fully_paid_on: settled ? (document.fully_paid_on ?? today()) : null,
    updated_at: Date.now(),
  };
  documentTable(store, document).set(document.id, kept);
  return kept;
}

/** The table of a document. */
export function documentTable({ invoices, credit_notes }: Store, { type }: Pick<Document, 'type'>) {
  return type.endsWith('CREDIT') ? credit_notes : invoices;
}
