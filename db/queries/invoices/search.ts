import { documentNumberIn } from '../../../domain/invoices/document.js';
import { invoiceNumberTyped } from '../../../domain/invoices/invoice.js';
import {
  bookingReferenceMatches,
  COMPANY_TEXT,
  containsWords,
  GUEST_TEXT,
  INVOICE_REFERENCE,
  MEMBER_TEXT,
  PAYMENT_REFERENCE,
  type Bind,
} from '../../search.js';

const arrayOf = (select: string): string => `ANY (ARRAY(${select}))`;

/** SQL for the invoice of a workspace that has a document with a number, on paper or in the books. */
export const idOfDocument = (workspaceId: string, number: string): string =>
  `coalesce((SELECT d.invoice_id FROM invoice_documents d
    WHERE d.workspace_id = ${workspaceId} AND d.number = ${number}),
    (SELECT n.id FROM invoices n WHERE n.workspace_id = ${workspaceId} AND n.document_number = ${number}
       AND n.document_ordinal = substring(${number} from '-([0-9]+)$')::integer),
    (SELECT a.invoice_id FROM accounting_documents a
      WHERE a.workspace_id = ${workspaceId} AND a.number = ${number}))`;

/**
 * The SQL condition for the number of an invoice `i` or of one of its documents, as somebody typed
 * it; null for any other text. A number alone is that of a document, otherwise that in the reference
 * of an invoice without one.
 */
export function numberMatches(typed: string, bind: Bind): string | null {
  const { number, of } = invoiceNumberTyped(typed) ?? {};
  if (of === 'reference') return `i.number = ${bind(number)}`;
  if (of === 'document') {
    const ordinal = bind(number);
    return `i.id = coalesce((SELECT n.id FROM invoices n
      WHERE n.workspace_id = $1 AND n.document_ordinal = ${ordinal}),
      (SELECT n.id FROM invoices n WHERE n.workspace_id = $1 AND n.number = ${ordinal}))`;
  }
  const document = documentNumberIn(typed);
  return document && `i.id = ${idOfDocument('$1', bind(document))}`;
}

/** A shorter text is in too many references. */
const SHORTEST_REFERENCE = 3;

/**
 * SQL that selects the invoices with words in their reference, such as a purchase order, or in that
 * of one of their payments.
 */
function byReference(q: string, bind: Bind): string[] {
  if (q.length < SHORTEST_REFERENCE) return [];
  const { text, where } = INVOICE_REFERENCE;
  return [
    `SELECT i.id FROM invoices i WHERE i.workspace_id = $1 AND ${where} AND ${containsWords(text, q, bind)}`,
    `SELECT p.invoice_id FROM payments p WHERE p.workspace_id = $1 AND ${PAYMENT_REFERENCE.where}
     AND ${containsWords(PAYMENT_REFERENCE.text, q, bind)}`,
  ];
}

/** SQL that selects the invoices of the bookings whose reference somebody typed, or the start of it. */
function byBooking(q: string, bind: Bind): string[] {
  const matches = bookingReferenceMatches(q, bind);
  return matches
    ? [
        `SELECT i.id FROM bookings b JOIN invoices i ON i.booking_id = b.id
          WHERE b.workspace_id = $1 AND ${matches}`,
      ]
    : [];
}

/** SQL that selects the invoices of who has words in their name or address. */
function byPayer(q: string, bind: Bind): string[] {
  return [
    `SELECT i.id FROM members m JOIN invoices i ON i.member_id = m.id
     WHERE m.workspace_id = $1 AND ${containsWords(MEMBER_TEXT, q, bind)}`,
    `SELECT i.id FROM companies c JOIN invoices i ON i.company_id = c.id
     WHERE c.workspace_id = $1 AND ${containsWords(COMPANY_TEXT, q, bind)}`,
    `SELECT i.id FROM bookings b JOIN invoices i ON i.booking_id = b.id
     WHERE b.workspace_id = $1 AND ${containsWords(GUEST_TEXT, q, bind)}`,
  ];
}

/**
 * SQL that is true for an invoice `i` that one of some statements selects. Each uses its own index, and what
 * they find is joined: a word that thousands of payers have costs no look through them for each invoice.
 */
const isAmong = (selects: string[]): string =>
  selects.length === 0 ? 'false' : `i.id IN (${selects.join(' UNION ALL ')})`;

/** The SQL condition for words of the reference of an invoice `i`, or of one of its payments. */
export const referenceMatches = (q: string, bind: Bind): string => isAmong(byReference(q, bind));

/**
 * The SQL condition for a `q` of invoices `i`: an id of an invoice, payment, payment intent, refund, booking
 * or member, or a number (`#12`, `Holdfast #12`, or that of a document, `HH-12-C1`), words of a reference, or
 * words of the payer's name or address.
 */
export function invoiceMatches(q: string, bind: Bind): string {
  const [, prefix] = /^([a-z]+)_\w+$/.exec(q) ?? [];
  switch (prefix) {
    case 'inv':
      return `i.id = ${bind(q)}`;
    case 'bk':
      return `i.booking_id = ${bind(q)}`;
    case 'mem':
      return `i.member_id = ${bind(q)}`;
    case 'pay':
      return `i.id = (SELECT p.invoice_id FROM payments p WHERE p.id = ${bind(q)})`;
    case 'pi':
      return (
        'i.id = ' +
        `${arrayOf(`SELECT p.invoice_id FROM payments p WHERE p.processor_payment_intent_id = ${bind(q)}`)}`
      );
    case 're':
      return `i.id = (SELECT p.invoice_id FROM payments p WHERE p.processor_refund_id = ${bind(q)})`;
  }
  const selects = [...byReference(q, bind), ...byBooking(q, bind)];
  const number = numberMatches(q, bind);
  if (number) selects.push(`SELECT i.id FROM invoices i WHERE i.workspace_id = $1 AND ${number}`);
  // Digits are in many addresses: they are a number, or of the reference of a booking.
  if (invoiceNumberTyped(q) === null) selects.push(...byPayer(q, bind));
  return isAmong(selects);
}

/**
 * The SQL condition for a `q` of payments `p`: it matches their invoice, or is the id of the payment itself.
 */
export function paymentMatches(q: string, bind: Bind): string {
  if (/^pay_\w+$/.test(q)) return `p.id = ${bind(q)}`;
  if (/^pi_\w+$/.test(q)) return `p.processor_payment_intent_id = ${bind(q)}`;
  if (/^re_\w+$/.test(q)) return `p.processor_refund_id = ${bind(q)}`;
  if (/^bk_\w+$/.test(q)) return `p.booking_id = ${bind(q)}`;
  return `p.invoice_id IN (SELECT i.id FROM invoices i
    WHERE i.workspace_id = $1 AND ${invoiceMatches(q, bind)})`;
}
