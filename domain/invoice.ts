import { Decimal } from 'decimal.js';
import { ApiError } from './errors.js';
import { roundToUnit } from './processor-amounts.js';
import { taxOn, type TaxCode } from './price.js';

/** A line as a client sends it. `quantity` has up to four decimals; the unit amount is in minor units, without tax. */
export interface LineRequest {
  description: string;
  quantity: number;
  unit_amount_minor: number;
  tax_code: string;
}

/** A line with its amounts, in minor units. */
export interface InvoiceLine extends LineRequest {
  tax_rate_bps: number;
  net_minor: number;
  tax_minor: number;
}

export interface Totals {
  net_minor: number;
  tax_minor: number;
  total_minor: number;
}

/** The maximum total of an invoice. Sums up to it are exact integers. */
export const MAX_INVOICE_MINOR = 999_999_999_999;

/**
 * Computes each line's amounts: net = round(quantity × unit amount), tax = round(net × rate)
 * (docs/rules/billing.md#totals-and-tax). Errors: 422 `validation_failed` for an unknown tax code.
 */
export function priceLines(lines: LineRequest[], taxCodes: TaxCode[], currency: string): InvoiceLine[] {
  return lines.map((line, index) => {
    const tax = taxCodes.find((known) => known.code === line.tax_code);
    if (!tax) {
      const message = `The workspace has no tax code ${line.tax_code}. Send one of its tax_codes or add this one.`;
      throw new ApiError('validation_failed', message, { param: `lines.${index}.tax_code` });
    }
    const net_minor = roundToUnit(new Decimal(line.quantity).mul(line.unit_amount_minor), currency);
    const tax_minor = taxOn(net_minor, tax.rate_bps, currency);
    return { ...line, tax_rate_bps: tax.rate_bps, net_minor, tax_minor };
  });
}

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The sums of an invoice's lines. */
export function totalsOf(lines: Pick<InvoiceLine, 'net_minor' | 'tax_minor'>[]): Totals {
  const net_minor = sum(lines.map((line) => line.net_minor));
  const tax_minor = sum(lines.map((line) => line.tax_minor));
  return { net_minor, tax_minor, total_minor: net_minor + tax_minor };
}

/** `Holdfast #12` or `Holdfast #12 — Order 7` (docs/rules/accounting.md#references). */
export function accountingReference(number: number, reference: string | null): string {
  return `Holdfast #${number}${reference ? ` — ${reference}` : ''}`;
}
