import { describedIn } from '../bookings/words.js';
import type { PriceLine } from './price-lines.js';
import type { Words } from '../words/words.js';

/** The part of a line that is shown. Amounts in minor units. */
export type ShownLine = Pick<
  PriceLine,
  'description' | 'quantity' | 'unit' | 'unit_amount_minor' | 'net_minor'
>;

/** Lines with their sums, as in bookings and quotes. */
export interface ShownPrice {
  lines: ShownLine[];
  net_minor: number;
  tax_minor: number;
}

type Amount = (amount_minor: number) => string;
type Fact = readonly [term: string, value: string];

/** Writes a quantity: `2.5 h`, `2 days`, `3`. */
function formatQuantity(words: Words, { quantity, unit }: ShownLine): string {
  if (unit === 'hour') return words.say('terms.hours_quantity', { quantity: words.number(quantity) });
  return unit === 'day' ? words.say('terms.days', { days: quantity }) : words.number(quantity);
}

/** Whether the net is quantity × unit amount. It is not if it includes a limit, a minimum or a discount. */
const isProduct = ({ quantity, unit_amount_minor, net_minor }: ShownLine): boolean =>
  Math.abs(quantity * unit_amount_minor - net_minor) < 1;

/**
 * A line in words: its description, with `(3 h at £40.00)`, `(3 h)` or nothing for a quantity of one, and
 * its amount.
 */
export function formatLine(words: Words, line: ShownLine, amount: Amount): Fact {
  const description = describedIn(words, line.description);
  const quantity = quantityAtPrice(words, line, amount);
  return [quantity ? `${description} (${quantity})` : description, amount(line.net_minor)];
}

/** The only line of a price, where its description is shown elsewhere: `1 h at £25.00`. */
export const formatOnlyLine = (words: Words, line: ShownLine, amount: Amount): Fact => [
  quantityAtPrice(words, line, amount) ?? describedIn(words, line.description),
  amount(line.net_minor),
];

/** The quantity and unit price; null for a quantity of one. */
function quantityAtPrice(words: Words, line: ShownLine, amount: Amount): string | null {
  const { quantity, unit, unit_amount_minor, net_minor } = line;
  if (quantity === 1 && unit !== 'hour' && unit !== 'day') return null;
  const many = formatQuantity(words, line);
  if (!isProduct(line) || net_minor <= 0) return many;
  return words.say('terms.at_price', { quantity: many, price: amount(unit_amount_minor) });
}

/**
 * The lines of a price with their net and tax, shown before the price on pages and in mail. Empty for a
 * single line, which says no more than the price.
 */
export function factsOfPrice(
  words: Words,
  { lines, net_minor, tax_minor }: ShownPrice,
  amount: Amount,
): Fact[] {
  if (lines.length < 2) return [];
  return [
    ...lines.map((line) => formatLine(words, line, amount)),
    [words.say('terms.net'), amount(net_minor)],
    ...(tax_minor === 0 ? [] : [[words.say('terms.tax'), amount(tax_minor)] as const]),
  ];
}
