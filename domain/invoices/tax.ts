import { Decimal } from 'decimal.js';
import { roundToUnit, smallestUnit } from '../processor/amounts.js';

/**
 * The fields of a line that decide its tax. The net is in minor units, the rate in hundredths of a percent.
 */
interface Taxable {
  net_minor: number;
  tax_rate_bps: number;
}

/** Returns the key by which documents and the accounting system group lines: tax code, rate and account. */
export const taxKey = ({
  tax_code,
  tax_rate_bps,
  account = null,
}: {
  tax_code: string;
  tax_rate_bps: number;
  account?: string | null;
}): string => JSON.stringify([tax_code, tax_rate_bps, account]);

const exactTax = ({ net_minor, tax_rate_bps }: Taxable): Decimal =>
  new Decimal(net_minor).mul(tax_rate_bps).div(10_000);

/** Returns the tax on a net amount, in minor units, rounded once. */
export const taxOn = (net_minor: number, tax_rate_bps: number, currency: string): number =>
  roundToUnit(exactTax({ net_minor, tax_rate_bps }), currency);

/** Returns the tax in an amount that includes it; minor units. */
export const taxWithin = (total_minor: number, tax_rate_bps: number, currency: string): number =>
  roundToUnit(new Decimal(total_minor).mul(tax_rate_bps).div(10_000 + tax_rate_bps), currency);

/**
 * Spreads an amount of tax over lines by largest remainder. Each line gets its exact tax, rounded down or up
 * to the smallest unit that can be charged, so that all lines add up to the amount. If remainders are equal,
 * earlier lines are rounded up.
 */
export function spreadTax<L extends Taxable>(
  lines: L[],
  tax_minor: number,
  currency: string,
): (L & { tax_minor: number })[] {
  const unit = smallestUnit(currency);
  const shares = lines.map((line, index) => {
    const exact = exactTax(line).div(unit);
    const floor = exact.floor();
    return { index, units: floor.toNumber(), remainder: exact.minus(floor) };
  });
  const missing = tax_minor / unit - shares.reduce((sum, { units }) => sum + units, 0);
  // More than one unit per line is missing only if the amount is not the tax of these lines.
  const each = Math.floor(missing / lines.length);
  const byRemainder = [...shares].sort((a, b) => b.remainder.cmp(a.remainder) || a.index - b.index);
  const raised = new Set(byRemainder.slice(0, missing - each * lines.length).map(({ index }) => index));
  return lines.map((line, index) => ({
    ...line,
    tax_minor: (shares[index]!.units + each + (raised.has(index) ? 1 : 0)) * unit,
  }));
}

/**
 * Returns lines with their tax (docs/rules/billing.md#totals-and-tax): the sum of the nets of a rate times
 * the rate, rounded once and spread over the lines of that rate.
 */
export function withTax<L extends Taxable>(lines: L[], currency: string): (L & { tax_minor: number })[] {
  const taxed = new Map<L, number>();
  for (const rate of new Set(lines.map(({ tax_rate_bps }) => tax_rate_bps))) {
    const ofRate = lines.filter(({ tax_rate_bps }) => tax_rate_bps === rate);
    const net = ofRate.reduce((sum, { net_minor }) => sum + net_minor, 0);
    const spread = spreadTax(ofRate, taxOn(net, rate, currency), currency);
    for (const [index, line] of ofRate.entries()) taxed.set(line, spread[index]!.tax_minor);
  }
  return lines.map((line) => ({ ...line, tax_minor: taxed.get(line)! }));
}
