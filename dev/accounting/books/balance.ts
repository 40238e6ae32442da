import type { Document, Payment, Allocation, Status } from '../state/records.js';
import type { Store } from '../state/store.js';
import { today } from '../dates.js';

/** Statuses of a document that does not count any more. */
const GONE: Status[] = ['VOIDED', 'DELETED'];

export interface Balance {
  sub_total: number;
  total_tax: number;
  total: number;
  /** Payments of an invoice, or refunds of a credit note. */
  paid: number;
  /** What credit notes took off an invoice, or what of a credit note was set against invoices. */
  allocated: number;
  /** An invoice's amount due, a credit note's remaining credit. */
  left: number;
}

/** What a document comes to, and what is left of it; in hundredths. */
export function balanceOf(store: Store, document: Document): Balance {
  const { lines, line_amount_types, status } = document;
  const sum = (amounts: number[]) => amounts.reduce((total, each) => total + each, 0);
  const total_tax = sum(lines.map(({ tax_cents }) => tax_cents));
  const included = line_amount_types === 'Inclusive' ? total_tax : 0;
  const sub_total = sum(lines.map(({ line_cents }) => line_cents)) - included;
  const total = sub_total + total_tax;
  const paid = sum(paymentsOf(store, document).map(({ cents }) => cents));
  const allocated = sum(allocationsOf(store, document).map(({ cents }) => cents));
  const left = GONE.includes(status) ? 0 : total - paid - allocated;
  return { sub_total, total_tax, total, paid, allocated, left };
}

/** The payments that stand. */
export function paymentsOf(store: Store, { id }: Document): Payment[] {
  return store.paymentsOf(id).filter(({ status }) => status !== 'DELETED');
}

/** What of a credit note is set against invoices, or what credit notes are set against an invoice. */
export function allocationsOf(store: Store, { id }: Document): Allocation[] {
  return store.allocationsOf(id);
}

/** True once money or credit is on it. */
export function isSettledInPart(store: Store, document: Document): boolean {
  return paymentsOf(store, document).length > 0 || allocationsOf(store, document).length > 0;
}

/** Keeps a document whose payments or lines have changed: nobody says PAID, it is what an approved one with nothing left becomes. */
export function keep(store: Store, document: Document): Document {
  const approved = document.status === 'AUTHORISED' || document.status === 'PAID';
  const settled = approved && balanceOf(store, document).left === 0;
  const kept: Document = {
    ...document,
    status: settled ? 'PAID' : approved ? 'AUTHORISED' : document.status,
    fully_paid_on: settled ? (document.fully_paid_on ?? today()) : null,
    updated_at: Date.now(),
  };
  tableOf(store, document).set(document.id, kept);
  return kept;
}

/** Invoices and credit notes live apart. */
export function tableOf({ invoices, credit_notes }: Store, { type }: Pick<Document, 'type'>) {
  return type === 'ACCREC' ? invoices : credit_notes;
}
