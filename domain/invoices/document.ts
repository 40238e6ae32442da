import type { GuestBilling } from '../bookings/origin.js';
import type { Totals } from './invoice.js';
import type { InvoiceParties } from './parties.js';
import type { InvoiceStatus } from '../states.js';
import type { Language } from '../words/languages.js';

export const DOCUMENT_KINDS = ['invoice', 'supplement', 'credit_note'] as const;
/** The source of a document that cancels another one is the other's source with this suffix. */
export const CANCELLED = '-cancelled';

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The content of a document besides its lines, as of its issue. Times are ISO 8601, amounts minor units. */
export interface DocumentTerms {
  currency: string;
  time_zone: string;
  /** The accounting reference of its invoice. */
  reference: string;
  /** The reference of its booking. */
  booking: string | null;
  parties: InvoiceParties;
  /** The payer's language. */
  locale: Language;
  due_at: string;
  /** When the charged service is supplied, if known. */
  supplied: { from: string; to: string } | null;
  /** What had been paid when the document was issued. */
  paid: { method: string; amount_minor: number; at: string }[];
  reason: string | null;
  /** How it can be paid; null if it was paid. */
  payment_instructions: string | null;
}

/** The member or guest who pays, as printed on documents (docs/rules/billing.md#parties). */
export interface NamedPayer {
  name: string;
  /** Whom a guest books for. */
  billing: GuestBilling | null;
}

/**
 * Returns the payer of a document in one line. `payer`: null for a company, and for a person who was erased.
 */
export const formatPayerName = ({
  terms,
  payer,
}: {
  terms: Pick<DocumentTerms, 'parties'>;
  payer: NamedPayer | null;
}): string => terms.parties.payer?.name ?? payer?.name ?? 'A former customer';

/** A document as lists show it. Times are ISO 8601, amounts minor units. */
export interface ListedDocument {
  source_id: string;
  kind: DocumentKind;
  number: string;
  issued_at: string;
  net_minor: number;
  tax_minor: number;
  total_minor: number;
  /** The payment of a supplement, or the refund of a credit note. */
  payment_id: string | null;
  /** Its id in the accounting system. */
  accounting_id: string | null;
  /** When the document that cancels it was issued. */
  cancelled_at: string | null;
}

/** Returns what a document charges; negative for a credit note. Minor units. */
export function chargedTotals({
  kind,
  net_minor,
  tax_minor,
  total_minor,
}: Totals & { kind: DocumentKind }): Totals {
  if (kind !== 'credit_note') return { net_minor, tax_minor, total_minor };
  return { net_minor: 0 - net_minor, tax_minor: 0 - tax_minor, total_minor: 0 - total_minor };
}

/**
 * Returns what the documents of an invoice charge together; for an invoice without documents, what it would
 * charge. Minor units.
 */
export function chargedByDocuments(
  invoice: Totals & { status: InvoiceStatus; documents: ListedDocument[] },
): Totals {
  const { documents, status, net_minor, tax_minor, total_minor } = invoice;
  const sums: Totals = { net_minor: 0, tax_minor: 0, total_minor: 0 };
  if (status === 'void' || status === 'cancelled') return sums;
  if (documents.length === 0) return { net_minor, tax_minor, total_minor };
  for (const charge of documents.map(chargedTotals)) {
    sums.net_minor += charge.net_minor;
    sums.tax_minor += charge.tax_minor;
    sums.total_minor += charge.total_minor;
  }
  return sums;
}

export const INVOICE_PREFIX = /^[A-Z0-9]{1,8}$/;

/** Returns the prefix of a new workspace: the initials of its name, `HH` for Harbour House. */
export function nameInitials(name: string): string {
  const words =
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toUpperCase()
      .match(/[A-Z0-9]+/g) ?? [];
  const letters = words
    .map(([first]) => first)
    .join('')
    .slice(0, 4);
  return letters || 'INV';
}

/**
 * Returns the document number that somebody typed, in its official spelling; null for any other text. The
 * input can be in upper or lower case, with or without hyphens, or with spaces in their place. Without the
 * first hyphen, the prefix ends at its last letter. The hyphen before the end of a number in the accounting
 * system (`HH-35-2`) cannot be left out.
 */
export function documentNumberIn(typed: string): string | null {
  const [, prefix, bare, number, inBooks, part] =
    /^(?:([A-Z0-9]{1,8})[- ]|([A-Z0-9]{0,7}?[A-Z]))(\d{1,9})(?:[- ](\d{1,4}))?(?:[- ]?([TC]\d{1,4}))?$/.exec(
      typed.toUpperCase(),
    ) ?? [];
  return number ? [prefix ?? bare, number, inBooks, part].filter(Boolean).join('-') : null;
}

const SUFFIXES = { supplement: 'T', credit_note: 'C' } as const;

/**
 * A supplement or credit note that the accounting system has, and that a restore from backup has lost here.
 */
export interface LostDocumentFacts {
  /** The end of its number: `T1`, `C2`. */
  suffix: string;
  /**
   * In minor units; null if no new document can be matched with it, because it is void there or may belong to
   * another invoice.
   */
  total_minor: number | null;
}

/**
 * Returns the number of the next supplement or credit note of an invoice: `HH-35-T1`, `HH-35-C2`. It is above
 * all numbers so far, both those in `taken` and those of lost documents. A document with the kind and total
 * of a lost one is that document: it gets its number back
 * (docs/internals/recovery.md#numbers-that-the-books-have).
 */
export function nextDocumentNumber(
  invoiceNumber: string,
  { kind, total_minor }: { kind: Exclude<DocumentKind, 'invoice'>; total_minor: number },
  taken: ReadonlySet<string>,
  lost: LostDocumentFacts[],
): string {
  const prefix = `${invoiceNumber}-${SUFFIXES[kind]}`;
  const ofKind = lost
    .map((document) => ({ ...document, number: `${invoiceNumber}-${document.suffix}` }))
    .filter(({ number }) => number.startsWith(prefix));
  const same = ofKind.find((document) => document.total_minor === total_minor && !taken.has(document.number));
  if (same) return same.number;
  const indexes = [...taken, ...ofKind.map(({ number }) => number)].map((number) =>
    number.startsWith(prefix) ? Number(number.slice(prefix.length)) : 0,
  );
  return `${prefix}${Math.max(0, ...indexes) + 1}`;
}

/** Returns the number of the invoice that a supplement or credit note belongs to: `HH-35` for `HH-35-C1`. */
export const toInvoiceNumber = (documentNumber: string): string => documentNumber.replace(/-[TC]\d+$/, '');

/**
 * Returns the end of the number of a supplement or credit note: `C1` for `HH-35-C1`; null for any other text.
 */
export const documentSuffix = (documentNumber: string): string | null =>
  /-([TC]\d{1,4})$/.exec(documentNumber)?.[1] ?? null;

/**
 * Returns another number in the accounting system for an invoice whose own number is taken there: `HH-35-2`
 * for `HH-35`, then `HH-35-3`.
 */
export function nextNumberInBooks(number: string): string {
  const [, own, count] = /^([A-Z0-9]+-\d+)-(\d+)$/.exec(number) ?? [];
  return own ? `${own}-${Number(count) + 1}` : `${number}-2`;
}

/**
 * Returns the number in the accounting system of a document whose invoice has another number there:
 * `HH-35-2-C1` for `HH-35-C1`.
 */
export const numberInBooks = (number: string, invoice: { number: string; inBooks: string }): string =>
  number.startsWith(`${invoice.number}-`) ? invoice.inBooks + number.slice(invoice.number.length) : number;

const TITLES = { invoice: 'Invoice', supplement: 'Supplement', credit_note: 'Credit note' } as const;

/** Returns the title of a document: `Credit note HH-35-C1`. */
export const documentTitle = ({ kind, number }: Pick<ListedDocument, 'kind' | 'number'>): string =>
  `${TITLES[kind]} ${number}`;
