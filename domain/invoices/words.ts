import { nameOfInvoice, type NumberedInvoice } from './document-number.js';
import { formatLine } from '../rates/price-words.js';
import type { InvoiceFacts } from './invoice-presenter.js';
import { toPaymentMethod } from '../payments/methods.js';
import type { Words } from '../words/words.js';

/** Mail programs cut off long mail. The total and the PDF include the other lines. */
const LISTED = 20;

/** The number of an invoice, and its reference, which the payer may use instead. */
export type Numbered = NumberedInvoice & { reference: string | null };

/** `HH-5 — “PO 77”`: in mail, text that the operator wrote is in quotation marks. */
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
  // Methods that are new here have the processor's name.
  const isNamed = known !== 'other' || method === 'other';
  const means = isNamed ? words.say(`terms.by_${known}` as 'terms.by_card') : method.replaceAll('_', ' ');
  return last4 ? words.say('terms.ending_in', { means, last4 }) : means;
}

/** The content of an invoice as terms with values: its lines, who booked, its tax and its total. */
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
