import { nameOfInvoice, type NumberedInvoice } from './document-number.js';
import { formatLine } from '../rates/price-words.js';
import type { InvoiceFacts } from './invoice-presenter.js';
import { toPaymentMethod } from '../payments/methods.js';
import type { Words } from '../words/words.js';

/** Mail programs cut off long mail. Lines after these are only in the total and on the PDF. */
const LISTED = 20;

/** An invoice's number, and the reference that its payer gave it. */
export type Numbered = NumberedInvoice & { reference: string | null };

/**
 * Writes an invoice's number with its reference in quotation marks, since mail quotes what the operator
 * wrote: `HH-5 — “PO 77”`.
 */
export function quotedNumber(words: Words, invoice: Numbered): string {
  const number = nameOfInvoice(invoice);
  const { reference } = invoice;
  return reference ? words.say('terms.number_with_reference', { number, reference }) : number;
}

/**
 * Describes a payment method: `card ending in 4242`, `bank transfer`, or `direct debit` for any kind of
 * debit.
 */
export function describeMethod(
  words: Words,
  { method, last4 }: { method: string; last4: string | null },
): string {
  const known = method.endsWith('_debit') ? 'direct_debit' : toPaymentMethod(method);
  // A method that only the processor has keeps the processor's name.
  const isNamed = known !== 'other' || method === 'other';
  const means = isNamed ? words.say(`terms.by_${known}` as 'terms.by_card') : method.replaceAll('_', ' ');
  return last4 ? words.say('terms.ending_in', { means, last4 }) : means;
}

/** Describes an invoice as pairs of term and value: its lines, the booker, its tax and its total. */
export function factsOfInvoice(
  words: Words,
  {
    lines,
    currency,
    tax_minor,
    total_minor,
  }: Pick<InvoiceFacts, 'lines' | 'currency' | 'tax_minor' | 'total_minor'>,
  bookedBy: string | null,
): (readonly [term: string, value: string])[] {
  const money = (amount_minor: number): string => words.amount(amount_minor, currency);
  const more = lines.length - LISTED;
  return [
    ...lines.slice(0, LISTED).map(({ description, quantity, unit_amount_minor, net_minor }) =>
      formatLine(
        words,
        {
          description: description.replace(/\s+/g, ' ').slice(0, 200),
          quantity: Number(quantity),
          unit: 'piece',
          unit_amount_minor,
          net_minor,
        },
        money,
      ),
    ),
    ...(more > 0 ? [[words.say('terms.more'), words.say('terms.more_lines', { lines: more })] as const] : []),
    ...(bookedBy ? [[words.say('terms.booked_by'), bookedBy] as const] : []),
    ...(tax_minor !== 0 ? [[words.say('terms.tax'), money(tax_minor)] as const] : []),
    [words.say('terms.total'), money(total_minor)] as const,
  ];
}
