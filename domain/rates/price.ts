import { Decimal } from 'decimal.js';
import { roundToUnit } from '../processor/amounts.js';
import { taxOn } from '../invoices/tax.js';

export const TIERS = ['basic', 'plus', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

export interface TaxCode {
  code: string;
  /** Hundredths of a percent: 2000 is 20%. */
  rate_bps: number;
  /** The name of the code in the accounting system. */
  accounting_tax_type: string;
}

/** The tax codes of a new workspace (docs/rules/workspace.md#tax-codes). */
export const DEFAULT_TAX_CODES: TaxCode[] = [
  { code: 'STANDARD', rate_bps: 2000, accounting_tax_type: 'OUTPUT2' },
  { code: 'REDUCED', rate_bps: 500, accounting_tax_type: 'RROUTPUT' },
  { code: 'ZERO', rate_bps: 0, accounting_tax_type: 'ZERORATEDOUTPUT' },
  { code: 'EXEMPT', rate_bps: 0, accounting_tax_type: 'EXEMPTOUTPUT' },
];

/**
 * True if the tax codes of a workspace are still the defaults, which are those of the United Kingdom,
 * although its currency is another country's.
 */
export const hasForeignTaxes = (workspace: { currency: string; tax_codes: TaxCode[] }): boolean =>
  workspace.currency !== 'GBP' &&
  workspace.tax_codes.length === DEFAULT_TAX_CODES.length &&
  DEFAULT_TAX_CODES.every(({ code, rate_bps }) =>
    workspace.tax_codes.some((each) => each.code === code && each.rate_bps === rate_bps),
  );

export interface Rate {
  /** Minor units per hour, without tax. */
  price_per_hour_minor: number;
  /** The discount of the booker's tier in percent, 0 to 100. */
  discount_percent: number;
  /** Hundredths of a percent. */
  tax_rate_bps: number;
  currency: string;
}

export interface Quote {
  net_minor: number;
  tax_minor: number;
  /** The amount that the payer pays: net and tax. */
  total_minor: number;
}

/**
 * Returns the price of `minutes` elapsed minutes: rate × minutes minus the discount, rounded once, plus tax
 * (docs/rules/bookings.md#price).
 */
export function quote(rate: Rate, minutes: number): Quote {
  const paidPercent = new Decimal(100).minus(rate.discount_percent);
  const net_minor = roundToUnit(
    new Decimal(rate.price_per_hour_minor).mul(minutes).mul(paidPercent).div(6_000),
    rate.currency,
  );
  const tax_minor = taxOn(net_minor, rate.tax_rate_bps, rate.currency);
  return { net_minor, tax_minor, total_minor: net_minor + tax_minor };
}
