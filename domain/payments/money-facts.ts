import { REFUND_PURPOSES, type RefundPurpose } from './refund.js';

/**
 * What money at the processor is for, as our metadata there says it. The ids of our own rows in it may be
 * unknown here, after a restored backup; what they stand for is not.
 */

type Metadata = Partial<Record<string, string>>;

/** An attempt to pay an invoice, on the hosted page or by its payer's card. */
export interface InvoiceAttempt {
  invoice_id: string;
  kind: 'checkout' | 'charge';
  ordinal: number;
}

/** The attempt to pay an invoice that metadata names, or null. */
export function readInvoiceAttempt({ invoice_id, purpose, ordinal }: Metadata): InvoiceAttempt | null {
  if (!invoice_id || !ordinal || (purpose !== 'checkout' && purpose !== 'charge')) return null;
  return { invoice_id, kind: purpose, ordinal: Number(ordinal) };
}

/**
 * How the difference of a change is paid: by its payer on the hosted page, or by the card
 * of the booking's payment.
 */
export type ChangeAttempt = 'checkout' | 'charge';

/** Which attempt to pay a change metadata names. Every hosted page names its row, a charge never does. */
export const readChangeAttempt = ({ checkout_id }: Metadata): ChangeAttempt =>
  checkout_id ? 'checkout' : 'charge';

/** The booking, or the checkout of an invoice, that metadata names. */
export const readOwnerId = ({ booking_id, checkout_id }: Metadata): string | null =>
  booking_id ?? checkout_id ?? null;

/** True if the row of a checkout is that of an attempt. */
export const isAttempt = (
  row: { invoice_id: string | null; payment_method_id: string | null; ordinal: number },
  { invoice_id, kind, ordinal }: InvoiceAttempt,
): boolean =>
  row.invoice_id === invoice_id &&
  row.ordinal === ordinal &&
  (row.payment_method_id !== null) === (kind === 'charge');

/** What metadata says of a refund. */
export interface RefundMetadata {
  /** Our row's id; null for a refund that is not ours. */
  created_for: string | null;
  /** Null if it is not ours. */
  purpose: RefundPurpose | null;
  ordinal: number | null;
  /** The hash of its request, hex; null if it was requested without a key. */
  request: string | null;
}

/** What the metadata of a refund says of it. */
export function readRefundMetadata({ refund_id, purpose, ordinal, request }: Metadata): RefundMetadata {
  const known = REFUND_PURPOSES.find((each) => each === purpose) ?? null;
  return {
    created_for: refund_id ?? null,
    purpose: known,
    ordinal: known && ordinal ? Number(ordinal) : null,
    request: known && request && /^[0-9a-f]{64}$/.test(request) ? request : null,
  };
}
