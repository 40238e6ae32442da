import { COMPANY_TEXT, containsWords, GUEST_TEXT, MEMBER_TEXT, type Bind } from '../../search.js';

const arrayOf = (select: string): string => `ANY (ARRAY(${select}))`;

/**
 * The SQL condition for a `q` of invoices `i`: a number (`#12`), an id of an invoice, payment, payment intent, booking or
 * member, or words of the payer's name or address. Payers are selected first, as arrays, so that each uses its own index.
 */
export function invoiceMatches(q: string, bind: Bind): string {
  const [, number] = /^#?(\d{1,9})$/.exec(q) ?? [];
  if (number) return `i.number = ${bind(Number(number))}`;
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
      return `i.id = ${arrayOf(`SELECT p.invoice_id FROM payments p WHERE p.processor_payment_intent_id = ${bind(q)}`)}`;
  }
  const of = (alias: string, text: string): string =>
    `${alias}.workspace_id = $1 AND ${containsWords(text, q, bind)}`;
  return `(i.member_id = ${arrayOf(`SELECT m.id FROM members m WHERE ${of('m', MEMBER_TEXT)}`)}
    OR i.company_id = ${arrayOf(`SELECT c.id FROM companies c WHERE ${of('c', COMPANY_TEXT)}`)}
    OR i.booking_id = ${arrayOf(`SELECT b.id FROM bookings b WHERE ${of('b', GUEST_TEXT)}`)})`;
}

/** The SQL condition for a `q` of payments `p`: it matches their invoice, or is the id of the payment itself. */
export function paymentMatches(q: string, bind: Bind): string {
  if (/^pay_\w+$/.test(q)) return `p.id = ${bind(q)}`;
  if (/^pi_\w+$/.test(q)) return `p.processor_payment_intent_id = ${bind(q)}`;
  if (/^bk_\w+$/.test(q)) return `p.booking_id = ${bind(q)}`;
  return `p.invoice_id = ${arrayOf(`SELECT i.id FROM invoices i WHERE i.workspace_id = $1 AND ${invoiceMatches(q, bind)}`)}`;
}
