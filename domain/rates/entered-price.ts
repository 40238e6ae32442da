import { taxOn, taxWithin } from '../invoices/tax.js';
import type { TaxCode } from './price.js';

/** How people enter prices: without tax, or with it. Stored prices are without tax. */
export const PRICES_ENTERED = ['net', 'gross'] as const;
export type PricesEntered = (typeof PRICES_ENTERED)[number];

/** Returns the rate of a code in basis points; undefined if there is no such code. */
export const findTaxRate = (taxCodes: TaxCode[], code: string): number | undefined =>
  taxCodes.find((tax) => tax.code === code)?.rate_bps;

/** Returns a price with its tax, rounded as on an invoice. Minor units. */
export const addTax = (net_minor: number, tax_rate_bps: number, currency: string): number =>
  net_minor + taxOn(net_minor, tax_rate_bps, currency);

/**
 * Returns the price without tax of a price with tax, both in minor units. Because tax is rounded, some
 * amounts are the price with tax of no price: for them, the nearest possible prices with tax below and above.
 */
export function findNet(
  gross_minor: number,
  tax_rate_bps: number,
  currency: string,
): { net_minor: number } | { below_minor: number; above_minor: number } {
  const withTax = (net_minor: number): number => addTax(net_minor, tax_rate_bps, currency);
  // A higher net has a higher gross, and this guess is a few minor units off at most.
  let net_minor = gross_minor - taxWithin(gross_minor, tax_rate_bps, currency);
  while (withTax(net_minor) > gross_minor) net_minor--;
  while (withTax(net_minor + 1) <= gross_minor) net_minor++;
  const below_minor = withTax(net_minor);
  return below_minor === gross_minor ? { net_minor } : { below_minor, above_minor: withTax(net_minor + 1) };
}
