import type { GuestBilling } from '../bookings/origin.js';
import type { Totals } from './invoice.js';
import type { InvoiceParties } from './parties.js';
import type { InvoiceStatus } from '../states.js';
import type { Language } from '../words/languages.js';

export const DOCUMENT_KINDS = ['invoice', 'supplement', 'credit_note'] as const;
/** What the source of a document that cancels another has after the source of that one. */
export const CANCELLED = '-cancelled';

/** What the source of the supplement of a change has after the change. */
export const ADDED = '-added';

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/**
 * What a document says beside its lines, as it was when the document was issued. Times are ISO
 * 8601, amounts minor units.
 */
export interface DocumentTerms {
  currency: string;
  time_zone: string;
  /** The accounting reference of its invoice. */
  reference: string;
  /** The reference of its booking. */
  booking: string | null;
  parties: InvoiceParties;
  /** Of its payer. */
  locale: Language;
  due_at: string;
  /** When what it charges is supplied, as far as that is known. */
  supplied: { from: string; to: string } | null;
  /** What had been paid when it was issued. */
  paid: { method: string; amount_minor: number; at: string }[];
  reason: string | null;
  /** How it can be paid; null for one that was paid. */
  payment_instructions: string | null;
}

/** The member or guest who pays, as a document names them (docs/rules/billing.md#parties). */
export interface NamedPayer {
  name: string;
  /** For whom a guest books. */
  billing: GuestBilling | null;
}

/** The payer of a document in one line. `payer`: null for a company, and for a person who was erased. */
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
  /** The payment of a supplement, the refund of a credit note. */
  payment_id: string | null;
  /** In the accounting system. */
  accounting_id: string | null;
  /** When the document was issued that cancels it. */
  cancelled_at: string | null;
}

/** What a document charges: a credit note less than nothing. Minor units. */
export function chargedTotals({
  kind,
  net_minor,
  tax_minor,
  total_minor,
}: Totals & { kind: DocumentKind }): Totals {
  if (kind !== 'credit_note') return { net_minor, tax_minor, total_minor };
  return { net_minor: 0 - net_minor, tax_minor: 0 - tax_minor, total_minor: 0 - total_minor };
}

/** What the documents of an invoice charge together; of one without documents what it would. Minor units. */
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

/** The prefix of a new workspace: the initials of its name, `HH` for Harbour House. */
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
 * The number of a document that somebody has typed, in any case and with or without its hyphens, or with
 * spaces for them, in its spelling; null for any other text. Without the first hyphen, the prefix ends with
 * its last letter. The hyphen before the end of a number in the books (`HH-35-2`) cannot be left out.
 */
export function documentNumberIn(typed: string): string | null {
  const [, prefix, bare, number, inBooks, part] =
    /^(?:([A-Z0-9]{1,8})[- ]|([A-Z0-9]{0,7}?[A-Z]))(\d{1,9})(?:[- ](\d{1,4}))?(?:[- ]?([TC]\d{1,4}))?$/.exec(
      typed.toUpperCase(),
    ) ?? [];
  return number ? [prefix ?? bare, number, inBooks, part].filter(Boolean).join('-') : null;
}

const SUFFIXES = { supplement: 'T', credit_note: 'C' } as const;

/** A supplement or credit note of an invoice that the books have, and that a restore has lost here. */
export interface LostDocumentFacts {
  /** The end of its number: `T1`, `C2`. */
  suffix: string;
  /**
   * In minor units; null if no document can be this one, since it is void there or may be another invoice's.
   */
  total_minor: number | null;
}

/**
 * `HH-35-T1`, `HH-35-C2`: the number of the next supplement or credit note of an invoice, above all numbers
 * so far, `taken` here and lost ones. One with the kind and total of a lost document is that document: it
 * gets its number back (docs/internals/recovery.md#numbers-that-the-books-have).
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

/** `HH-35` of `HH-35-C1`: the number of the invoice that a supplement or credit note belongs to. */
export const toInvoiceNumber = (documentNumber: string): string => documentNumber.replace(/-[TC]\d+$/, '');

/** `C1` of `HH-35-C1`: the end of the number of a supplement or credit note; null in any other text. */
export const documentSuffix = (documentNumber: string): string | null =>
  /-([TC]\d{1,4})$/.exec(documentNumber)?.[1] ?? null;

/**
 * `HH-35-2` after `HH-35`, `HH-35-3` after that: another number in the books for an invoice
 * whose own is taken there.
 */
export function nextNumberInBooks(number: string): string {
  const [, own, count] = /^([A-Z0-9]+-\d+)-(\d+)$/.exec(number) ?? [];
  return own ? `${own}-${Number(count) + 1}` : `${number}-2`;
}

/** The number in the books of a document whose invoice has another one there: `HH-35-2-C1` for `HH-35-C1`. */
export const numberInBooks = (number: string, invoice: { number: string; inBooks: string }): string =>
  number.startsWith(`${invoice.number}-`) ? invoice.inBooks + number.slice(invoice.number.length) : number;

const TITLES = { invoice: 'Invoice', supplement: 'Supplement', credit_note: 'Credit note' } as const;

/** `Credit note HH-35-C1` */
export const documentTitle = ({ kind, number }: Pick<ListedDocument, 'kind' | 'number'>): string =>
  `${TITLES[kind]} ${number}`;
