import { describeBooking } from './booking-words.js';
import { totalsOf, type InvoiceLine } from './invoice.js';
import { linesOf, type PricedBooking, type PriceLine } from './price-lines.js';

/** What the books keep apart. */
const keyOf = ({ tax_code, tax_rate_bps, account }: PriceLine): string =>
  JSON.stringify([tax_code, tax_rate_bps, account]);

/**
 * The invoice lines of a paid difference: one for each tax code and account of which the price has changed. What the
 * booking no longer has any of is taken off, what it had none of is added. What only extras have is by their names.
 */
export function differenceLines(before: PricedBooking, after: PricedBooking): InvoiceLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const keys = [...new Set([...old, ...now].map(keyOf))];
  return keys.flatMap((key) => {
    const [had, has] = [old, now].map((lines) => lines.filter((line) => keyOf(line) === key));
    const { tax_code, tax_rate_bps, account } = [...had!, ...has!][0]!;
    const [was, is] = [totalsOf(had!), totalsOf(has!)];
    const net_minor = is.net_minor - was.net_minor;
    const tax_minor = is.tax_minor - was.tax_minor;
    if (net_minor === 0 && tax_minor === 0) return [];
    const extras = [...had!, ...has!].filter(({ kind }) => kind === 'extra');
    const isOfExtras = extras.length === had!.length + has!.length;
    const names = [...new Set(extras.map(({ description }) => description))];
    const description = isOfExtras
      ? `Difference for ${names.join(', ')}`
      : has!.length === 0
        ? `Instead of ${describeBooking(before)}`
        : `${had!.length === 0 ? 'Changed' : 'Difference for the change'} to ${describeBooking(after)}`;
    const amounts = { quantity: 1, unit_amount_minor: net_minor, net_minor, tax_minor };
    return [{ description, ...amounts, tax_code, tax_rate_bps, account }];
  });
}
