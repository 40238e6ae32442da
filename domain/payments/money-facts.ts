import { REFUND_PURPOSES, type RefundPurpose } from './refund.js';

/**
 * The metadata that the service writes to objects at the processor. After a restored backup, the ids of our
 * rows in it may be unknown here, but their meaning is not lost.
 */

type Metadata = Partial<Record<string, string>>;

/** An attempt to pay an invoice, on the hosted page or with its payer's card. */
export interface InvoiceAttempt {
  invoice_id: string;
  kind: 'checkout' | 'charge';
  ordinal: number;
}

/** Returns the attempt to pay an invoice in the metadata, or null. */
export function readInvoiceAttempt({ invoice_id, purpose, ordinal }: Metadata): InvoiceAttempt | null {
  if (!invoice_id || !ordinal || (purpose !== 'checkout' && purpose !== 'charge')) return null;
  return { invoice_id, kind: purpose, ordinal: Number(ordinal) };
}

/**
 * How the difference of a change is paid: by its payer on the hosted page, or with the card that paid for the
 * booking.
 */
export type ChangeAttempt = 'checkout' | 'charge';

/**
 * Returns which attempt to pay a change the metadata belongs to. Every hosted page has the id of its row, a
 * charge never does.
 */
export const readChangeAttempt = ({ checkout_id }: Metadata): ChangeAttempt =>
  checkout_id ? 'checkout' : 'charge';

/** Returns the id of the booking, or of the checkout of an invoice, in the metadata. */
export const readOwnerId = ({ booking_id, checkout_id }: Metadata): string | null =>
  booking_id ?? checkout_id ?? null;

/** True if the row of a checkout belongs to an attempt. */
export const isAttempt = (
  row: { invoice_id: string | null; payment_method_id: string | null; ordinal: number },
  { invoice_id, kind, ordinal }: InvoiceAttempt,
): boolean =>
  row.invoice_id === invoice_id &&
  row.ordinal === ordinal &&
  (row.payment_method_id !== null) === (kind === 'charge');

/** A refund as described by its metadata. */
export interface RefundMetadata {
  /** The id of our row; null for a refund that is not ours. */
  created_for: string | null;
  /** Null if it is not ours. */
  purpose: RefundPurpose | null;
  ordinal: number | null;
  /** The hash of its request in hex; null if it was requested without a key. */
  request: string | null;
}

/** Returns the refund described by the metadata. */
export function readRefundMetadata({ refund_id, purpose, ordinal, request }: Metadata): RefundMetadata {
  const known = REFUND_PURPOSES.find((each) => each === purpose) ?? null;
  return {
    created_for: refund_id ?? null,
    purpose: known,
    ordinal: known && ordinal ? Number(ordinal) : null,
    request: known && request && /^[0-9a-f]{64}$/.test(request) ? request : null,
  };
}
