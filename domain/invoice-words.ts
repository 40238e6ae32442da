import { formatMoney } from './display.js';
import type { InvoiceFacts } from './presenters/invoice.js';

/** Mail programs cut off long mail. What is beyond is in the total and on the PDF. */
const LISTED = 20;

/** `Holdfast #5`: the invoice's number without the payer's reference. */
export const shortReference = ({
  accounting_reference,
}: Pick<InvoiceFacts, 'accounting_reference'>): string => accounting_reference.split(' — ')[0]!;

/** `Holdfast #5 — “PO 77”`: in mail, what the operator wrote is a quotation. */
export function quotedReference(accountingReference: string): string {
  const [number, ...reference] = accountingReference.split(' — ');
  return reference.length > 0 ? `${number} — “${reference.join(' — ')}”` : accountingReference;
}

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
    ...lines
      .slice(0, LISTED)
      .map(
        ({ description, net_minor }) =>
          [description.replace(/\s+/g, ' ').slice(0, 200), money(net_minor)] as const,
      ),
    ...(more > 0 ? [['More', `${more} lines`] as const] : []),
    ...(bookedBy ? [['Booked by', bookedBy] as const] : []),
    ...(tax_minor !== 0 ? [['Tax', money(tax_minor)] as const] : []),
    ['Total', money(total_minor)] as const,
  ];
}
