import { Decimal } from 'decimal.js';
import type { DiscountTerms } from './discounts.js';
import type { PriceLine } from './price-lines.js';
import { roundToUnit, smallestUnit } from './processor-amounts.js';

/** Shares an amount in proportion to weights, in units that can be charged, by largest remainder. */
function sharesOf(amount_minor: number, weights: number[], currency: string): number[] {
  const unit = smallestUnit(currency);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const units = Math.floor(amount_minor / unit);
  const exact = weights.map((weight) => new Decimal(units).mul(weight).div(sum));
  const floors = exact.map((each) => each.floor().toNumber());
  const missing = units - floors.reduce((total, each) => total + each, 0);
  const byRemainder = exact
    .map((each, index) => ({ index, remainder: each.minus(floors[index]!) }))
    .sort((a, b) => b.remainder.cmp(a.remainder) || a.index - b.index);
  const raised = new Set(byRemainder.slice(0, missing).map(({ index }) => index));
  return floors.map((each, index) => (each + (raised.has(index) ? 1 : 0)) * unit);
}

type UntaxedLine = Omit<PriceLine, 'tax_minor'>;

const keyOf = ({ tax_code, tax_rate_bps, account }: UntaxedLine): string =>
  JSON.stringify([tax_code, tax_rate_bps, account]);

/** Whether a code has one line for two lines. */
export const isTakenOffTogether = (one: UntaxedLine, other: UntaxedLine): boolean =>
  keyOf(one) === keyOf(other);

/**
 * The lines below zero of a code: one for each tax code and account of what it is taken off. An amount is taken off in
 * proportion, and at most what there is (docs/rules/discounts.md#what-it-takes-off).
 */
export function discountLines(
  lines: UntaxedLine[],
  { code, percent, amount_minor }: DiscountTerms,
  currency: string,
): UntaxedLine[] {
  const groups = [...new Set(lines.map(keyOf))]
    .map((key) => lines.filter((line) => keyOf(line) === key))
    .map((of) => ({ first: of[0]!, net: of.reduce((sum, { net_minor }) => sum + net_minor, 0) }))
    .filter(({ net }) => net > 0);
  if (groups.length === 0) return [];
  const nets = groups.map(({ net }) => net);
  const total = nets.reduce((sum, net) => sum + net, 0);
  const off =
    percent === null
      ? sharesOf(Math.min(amount_minor!, total), nets, currency)
      : nets.map((net) => roundToUnit(new Decimal(net).mul(percent).div(100), currency));
  return groups.flatMap(({ first: { tax_code, tax_rate_bps, account } }, index) => {
    const net_minor = -off[index]!;
    if (net_minor === 0) return [];
    return [
      {
        kind: 'discount' as const,
        description: percent === null ? `Code ${code}` : `Code ${code}, ${percent}%`,
        quantity: 1,
        unit: 'booking' as const,
        unit_amount_minor: net_minor,
        net_minor,
        tax_code,
        tax_rate_bps,
        rate_id: null,
        extra_id: null,
        from: null,
        to: null,
        account,
      },
    ];
  });
}
