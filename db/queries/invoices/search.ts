import { referencesIn } from '../../../domain/bookings/reference.js';
import { documentNumberIn } from '../../../domain/invoices/document.js';
import { invoiceNumberTyped } from '../../../domain/invoices/invoice.js';
import { searchWords } from '../../search.js';

/** The number of an invoice or of one of its documents, for the SQL function `invoices_numbered`. */
export interface NumberTyped {
  /** The number in the reference of an invoice without a document. */
  number?: number;
  /** The running number of a document; otherwise the number in such a reference. */
  ordinal?: number;
  /** The complete number of a document. */
  document?: string;
}

/** Parses a number that somebody typed; null for any other text. */
export function numberTyped(typed: string): NumberTyped | null {
  const { number, of } = invoiceNumberTyped(typed) ?? {};
  if (of === 'reference') return { number };
  if (of === 'document') return { ordinal: number };
  const document = documentNumberIn(typed);
  return document === null ? null : { document };
}

/** A shorter text would be in too many references. */
const SHORTEST_REFERENCE = 3;

/**
 * Returns the words for a search in the references of invoices and their payments; empty if the text is too
 * short.
 */
export const wordsOfReference = (q: string): (string | null)[] =>
  (q.length < SHORTEST_REFERENCE ? null : searchWords(q)) ?? [];

/**
 * What a `q` of invoices searches for, for the SQL function `invoices_found`. An invoice is found if any of
 * these matches.
 */
export interface InvoiceSearch {
  invoice_id?: string;
  booking_id?: string;
  member_id?: string;
  payment_id?: string;
  intent_id?: string;
  refund_id?: string;
  reference_words?: (string | null)[];
  payer_words?: (string | null)[];
  typed?: NumberTyped | null;
  /** The first and last booking reference that begin with it. */
  first_reference?: string;
  last_reference?: string;
}

/** What an id belongs to, by its prefix. */
const IDS: Record<string, keyof InvoiceSearch> = {
  inv: 'invoice_id',
  bk: 'booking_id',
  mem: 'member_id',
  pay: 'payment_id',
  pi: 'intent_id',
  re: 'refund_id',
};

/**
 * Parses a `q` of invoices: an id of an invoice, payment, payment intent, refund, booking or member; a number
 * (`#12`, `Holdfast #12`, or that of a document, `HH-12-C1`); words of a reference; or words of the payer's
 * name or address. Null without any word, in which case all invoices are found.
 */
export function parseInvoiceSearch(q: string): InvoiceSearch | null {
  const [, prefix = ''] = /^([a-z]+)_\w+$/.exec(q) ?? [];
  const id = IDS[prefix];
  if (id) return { [id]: q };
  const words = searchWords(q);
  if (!words) return null;
  const range = referencesIn(q);
  return {
    reference_words: wordsOfReference(q),
    typed: numberTyped(q),
    // Digits are in many addresses, so they only count as a number, or as part of a booking's reference.
    ...(invoiceNumberTyped(q) === null && { payer_words: words }),
    ...(range && { first_reference: range.first, last_reference: range.last }),
  };
}

/** What a `q` of payments searches for: the id of the payment itself, or what finds its invoice. */
export interface PaymentSearch {
  id: string | null;
  intent_id: string | null;
  refund_id: string | null;
  booking_id: string | null;
  invoice: InvoiceSearch | null;
}

export function parsePaymentSearch(q: string): PaymentSearch {
  const [, prefix] = /^(pay|pi|re|bk)_\w+$/.exec(q) ?? [];
  const getId = (of: string): string | null => (prefix === of ? q : null);
  return {
    id: getId('pay'),
    intent_id: getId('pi'),
    refund_id: getId('re'),
    booking_id: getId('bk'),
    invoice: prefix ? null : parseInvoiceSearch(q),
  };
}
