import { formatMoney } from './display.js';
import { documentNumberOf } from './invoice-document.js';
import { lineInWords } from './price-words.js';
import type { InvoiceFacts } from './presenters/invoice.js';

/** Mail programs cut off long mail. What is beyond is in the total and on the PDF. */
const LISTED = 20;

/** What an invoice is called: its number, and the reference that its payer knows it by. */
export type Numbered = Parameters<typeof documentNumberOf>[0] & { reference: string | null };

/** `HH-5 — “PO 77”`: in mail, what the operator wrote is a quotation. */
export const quotedNumber = (invoice: Numbered): string =>
  documentNumberOf(invoice) + (invoice.reference ? ` — “${invoice.reference}”` : '');

/** `card ending in 4242`, `bank transfer`. */
export const meansOf = ({ method, last4 }: { method: string; last4: string | null }): string =>
  last4 ? `${method.replaceAll('_', ' ')} ending in ${last4}` : method.replaceAll('_', ' ');

/** What an invoice is for, as terms with values: its lines, who booked, its tax and its total. */
export function factsOfInvoice(
  {
    lines,
    currency,
    tax_minor,
    total_minor,
  }: Pick<InvoiceFacts, 'lines' | 'currency' | 'tax_minor' | 'total_minor'>,
  bookedBy: string | null,
): (readonly [term: string, value: string])[] {
  const money = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const more = lines.length - LISTED;
  return [
    ...lines.slice(0, LISTED).map(({ description, quantity, unit_amount_minor, net_minor }) =>
      lineInWords(
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
    ...(more > 0 ? [['More', `${more} lines`] as const] : []),
    ...(bookedBy ? [['Booked by', bookedBy] as const] : []),
    ...(tax_minor !== 0 ? [['Tax', money(tax_minor)] as const] : []),
    ['Total', money(total_minor)] as const,
  ];
}
