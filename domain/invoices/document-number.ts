import { isGone, type AccountingStatus } from '../accounting/documents.js';
import { accountingReference, invoiceNumberIn } from './invoice.js';
import type { BookingStatus, InvoiceStatus } from '../states.js';

/**
 * An invoice with its number on documents, in mail and in the books: null until it is issued, or sent
 * to the books before that.
 */
export interface NumberedInvoice {
  number: number;
  document_number: string | null;
}

/**
 * What staff call an invoice: `HH-35`, or `Holdfast #40` without a document number
 * (docs/rules/billing.md#numbers-and-references).
 */
export const nameOfInvoice = ({ number, document_number }: NumberedInvoice): string =>
  document_number ?? accountingReference(number, null);

/**
 * What the payer of an invoice reads at the processor: `Invoice HH-12`, or `Invoice HH-12 — Order 7`
 * with the user's reference.
 */
export const describeInvoice = ({
  reference,
  ...invoice
}: NumberedInvoice & { reference: string | null }): string =>
  `Invoice ${nameOfInvoice(invoice)}${reference ? ` — ${reference}` : ''}`;

/**
 * The count of a workspace's documents in the number of one: 35 in `HH-35`, `HH-35-C1` and
 * `HH-35-2`; null in any other text.
 */
export function parseOrdinal(documentNumber: string): number | null {
  const ordinal = /^[A-Z0-9]{1,8}-(\d{1,9})(?:-|$)/.exec(documentNumber)?.[1];
  return ordinal ? Number(ordinal) : null;
}

/** A document of ours that the books have, or an invoice that the processor has. */
export interface SeenDocument {
  /** The id of its invoice, where that is known. */
  id?: string;
  /** The number in its reference, which is that of its invoice. */
  number: number;
  /** Its own number; null if that is not ours. */
  document: string | null;
  /** In minor units; missing if it is void there or has no such total. */
  total_minor?: number;
}

/** A document of the books; null if it is not ours. */
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
 * The invoice that a charge pays, by what `describeInvoice` wrote; null for any other charge,
 * such as the operator's own.
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

/** The highest numbers of some documents, in their references and their own; 0 without any. */
export function highestNumbers(seen: SeenDocument[]): { number: number; ordinal: number } {
  const highest = { number: 0, ordinal: 0 };
  for (const { number, document } of seen) {
    highest.number = Math.max(highest.number, number);
    highest.ordinal = Math.max(highest.ordinal, (document && parseOrdinal(document)) || 0);
  }
  return highest;
}

/** Why an invoice that ended has no document: its number, if it has one, is void. */
export type NoDocumentReason =
  | 'hold_expired'
  | 'cancelled_unpaid'
  | 'draft_cancelled'
  | 'nothing_charged'
  | 'voided';

/**
 * Why an invoice has no document and gets none; null while it can get one. `booking`: the status of its
 * booking. Amounts in minor units.
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

/** The same, as staff read it. */
export const NO_DOCUMENT_REASONS: Record<NoDocumentReason, string> = {
  hold_expired: 'The hold expired before it was paid',
  cancelled_unpaid: 'Cancelled before payment',
  draft_cancelled: 'The draft was cancelled',
  nothing_charged: 'Nothing was charged',
  voided: 'Voided',
};
