import { isGone, type AccountingStatus } from '../accounting/documents.js';
import { accountingReference, invoiceNumberIn } from './invoice.js';
import type { BookingStatus, InvoiceStatus } from '../states.js';

/**
 * An invoice and its number on documents, in mail and in the accounting system. The number is null until the
 * invoice is issued, or sent to the accounting system before that.
 */
export interface NumberedInvoice {
  number: number;
  document_number: string | null;
}

/**
 * Returns the name of an invoice for staff: `HH-35`, or `Holdfast #40` without a document number
 * (docs/rules/billing.md#numbers-and-references).
 */
export const nameOfInvoice = ({ number, document_number }: NumberedInvoice): string =>
  document_number ?? accountingReference(number, null);

/**
 * Returns the description of an invoice that its payer sees at the processor: `Invoice HH-12`, or `Invoice
 * HH-12 — Order 7` with the user's reference.
 */
export const describeInvoice = ({
  reference,
  ...invoice
}: NumberedInvoice & { reference: string | null }): string =>
  `Invoice ${nameOfInvoice(invoice)}${reference ? ` — ${reference}` : ''}`;

/**
 * Returns the workspace's running number in a document number: 35 for `HH-35`, `HH-35-C1` and `HH-35-2`; null
 * for any other text.
 */
export function parseOrdinal(documentNumber: string): number | null {
  const ordinal = /^[A-Z0-9]{1,8}-(\d{1,9})(?:-|$)/.exec(documentNumber)?.[1];
  return ordinal ? Number(ordinal) : null;
}

/** A document of ours in the accounting system, or an invoice at the processor. */
export interface SeenDocument {
  /** The id of its invoice, if known. */
  id?: string;
  /** The invoice number in its reference. */
  number: number;
  /** Its own document number; null if the service did not assign it. */
  document: string | null;
  /** In minor units; missing if the document is void there or has no such total. */
  total_minor?: number;
}

/** Returns a document found in the accounting system; null if it is not ours. */
export function documentInBooks(found: {
  number: string;
  reference: string;
  status: AccountingStatus;
  total_minor: number;
}): SeenDocument | null {
  const { reference, status, total_minor } = found;
  const number = invoiceNumberIn(reference);
  if (number === null) return null;
  const stands = !isGone(status) && Number.isInteger(total_minor);
  return {
    number,
    document: parseOrdinal(found.number) === null ? null : found.number,
    ...(stands && { total_minor }),
  };
}

/**
 * Returns the invoice that a charge pays, from the text of `describeInvoice`; null for any other charge, such
 * as the operator's own.
 */
export function documentInCharge(charge: {
  description: string | null;
  metadata: { invoice_id?: string };
}): SeenDocument | null {
  const description = charge.description ?? '';
  const { invoice_id: id } = charge.metadata;
  const [, document] = /^Invoice ([A-Z0-9]{1,8}-\d{1,9})(?: — |$)/.exec(description) ?? [];
  return document && id ? { id, number: parseOrdinal(document)!, document } : null;
}

/**
 * Returns the highest numbers of some documents, in their references and in their own numbers; 0 without any.
 */
export function highestNumbers(seen: SeenDocument[]): { number: number; ordinal: number } {
  const highest = { number: 0, ordinal: 0 };
  for (const { number, document } of seen) {
    highest.number = Math.max(highest.number, number);
    highest.ordinal = Math.max(highest.ordinal, (document && parseOrdinal(document)) || 0);
  }
  return highest;
}

/** Why an ended invoice has no document. Its number, if it has one, is void. */
export type NoDocumentReason =
  | 'hold_expired'
  | 'cancelled_unpaid'
  | 'draft_cancelled'
  | 'nothing_charged'
  | 'voided';

/**
 * Returns why an invoice has no document and will not get one; null while it can get one. `booking`: the
 * status of its booking. Amounts in minor units.
 */
export function whyNoDocument(
  { status, total_minor }: { status: InvoiceStatus; total_minor: number },
  booking: BookingStatus | null,
): NoDocumentReason | null {
  if (status === 'cancelled') return 'draft_cancelled';
  if (status === 'void' && booking === 'expired') return 'hold_expired';
  if (status === 'void') return booking ? 'cancelled_unpaid' : 'voided';
  return total_minor === 0 && status !== 'draft' && status !== 'open' ? 'nothing_charged' : null;
}

/** The same reasons as texts for staff. */
export const NO_DOCUMENT_REASONS: Record<NoDocumentReason, string> = {
  hold_expired: 'The hold expired before it was paid',
  cancelled_unpaid: 'Cancelled before payment',
  draft_cancelled: 'The draft was cancelled',
  nothing_charged: 'Nothing was charged',
  voided: 'Voided',
};
