import { Decimal } from 'decimal.js';
import type { InvoiceLine } from './invoice.js';
import type { Money } from './money.js';
import { roundToUnit } from './processor-amounts.js';

/** A part of an amount under one tax code, and one account of the books; minor units. */
export type TaxPart = Pick<InvoiceLine, 'tax_code' | 'tax_rate_bps' | 'net_minor' | 'tax_minor' | 'account'>;

const grossOf = ({ net_minor, tax_minor }: TaxPart): number => net_minor + tax_minor;
const totalOf = (parts: TaxPart[]): number => parts.reduce((sum, part) => sum + grossOf(part), 0);

/** Parts with the opposite sign. */
export const negated = <Part extends TaxPart>(parts: Part[]): Part[] =>
  parts.map((part) => ({ ...part, net_minor: -part.net_minor, tax_minor: -part.tax_minor }));

/** The sums of parts by tax code, rate and account, of those that are above zero. */
function sumsOf(parts: TaxPart[]): TaxPart[] {
  const sums = new Map<string, TaxPart>();
  for (const { tax_code, tax_rate_bps, account = null, net_minor, tax_minor } of parts) {
    const key = JSON.stringify([tax_code, tax_rate_bps, account]);
    const sum = sums.get(key) ?? { tax_code, tax_rate_bps, account, net_minor: 0, tax_minor: 0 };
    sums.set(key, {
      ...sum,
      net_minor: sum.net_minor + net_minor,
      tax_minor: sum.tax_minor + tax_minor,
    });
  }
  return [...sums.values()].filter((sum) => grossOf(sum) > 0);
}

/**
 * Splits an amount, tax included, over the tax codes of what is left of an invoice: its documents, with credit notes
 * negated. Each part takes its share of the net and tax that are left, so all parts that are ever taken are together
 * exactly what was charged, and the last one takes what is left (docs/rules/billing.md#documents). More than is left, as
 * when a bank takes what was refunded before, is split as `charged` is.
 */
export function splitOverTaxCodes(
  { amount_minor, currency }: Money,
  left: TaxPart[],
  charged = left,
): TaxPart[] {
  const remaining = sumsOf(left);
  const sums = totalOf(remaining) >= amount_minor ? remaining : sumsOf(charged);
  const parts: TaxPart[] = [];
  let [rest, restGross] = [amount_minor, totalOf(sums)];
  for (const sum of sums) {
    const gross = grossOf(sum);
    const amount = roundToUnit(new Decimal(rest).mul(gross).div(restGross), currency);
    rest -= amount;
    restGross -= gross;
    if (amount === 0) continue;
    const tax_minor = roundToUnit(new Decimal(amount).mul(sum.tax_minor).div(gross), currency);
    parts.push({ ...sum, net_minor: amount - tax_minor, tax_minor });
  }
  return parts;
}
