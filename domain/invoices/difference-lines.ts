import { describeBooking } from '../bookings/words.js';
import { priceDifference, type TaxPart } from './credited-tax.js';
import type { InvoiceLine } from './invoice.js';
import { bookingLines, type PricedBooking } from '../rates/price-lines.js';
import { listTaxParts } from '../bookings/refund-shares.js';
import { taxKey } from './tax.js';

type Priced = PricedBooking & { price_minor: number };

/** Returns parts as lines of a document. */
export const asLines = <Part extends TaxPart & { description: string }>(parts: Part[]): InvoiceLine[] =>
  parts.map((part) => ({ ...part, quantity: 1, unit_amount_minor: part.net_minor }));

/**
 * Returns what a change takes off the price of a booking and what it adds, with descriptions: one part for
 * each tax code and account whose net or tax has changed. A part that only contains extras is described by
 * their names.
 */
export function describedDifference(before: Priced, after: Priced) {
  const [old, now] = [bookingLines(before), bookingLines(after)];
  const describe = (part: TaxPart): string => {
    const [had, has] = [old, now].map((lines) => lines.filter((line) => taxKey(line) === taxKey(part)));
    const extras = [...had!, ...has!].filter(({ kind }) => kind === 'extra');
    const isOfExtras = extras.length === had!.length + has!.length;
    const names = [...new Set(extras.map(({ description }) => description))];
    if (isOfExtras) return `Difference for ${names.join(', ')}`;
    if (has!.length === 0) return `Instead of ${describeBooking(before)}`;
    return `${had!.length === 0 ? 'Changed' : 'Difference for the change'} to ${describeBooking(after)}`;
  };
  const described = (parts: TaxPart[]) => parts.map((part) => ({ ...part, description: describe(part) }));
  const { taken, added } = priceDifference(listTaxParts(before), listTaxParts(after));
  return { taken: described(taken), added: described(added) };
}
