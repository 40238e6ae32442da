import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { Line, LineAmountTypes, Organisation } from '../state/records.js';
import { fromCents, roundTo, toCents } from './amounts.js';
import { findAccount, findTaxRate } from './organisation.js';

/** The fields of a line in a request. */
export interface LineInput {
  LineItemID?: string;
  Description?: string;
  Quantity?: number;
  UnitAmount?: number;
  LineAmount?: number;
  TaxType?: string;
  TaxAmount?: number;
  AccountCode?: string;
}

interface Terms {
  organisation: Organisation;
  lineAmountTypes: LineAmountTypes;
  /** Whether tax is on income or, for a bill, on expenses. */
  use: 'on_income' | 'on_expenses';
  /** Decimals of the unit amount, which is rounded before it is multiplied: 2, or 4 with `unitdp=4`. */
  unitDecimals: number;
}

/**
 * Computes a line: the amount, rounded to hundredths, then the tax, rounded, unless the request gives a tax
 * amount. Validation errors are added to `problems`.
 */
export function priceLine(input: LineInput, terms: Terms, problems: string[]): Line {
  const { organisation, lineAmountTypes, unitDecimals, use } = terms;
  const quantity = roundTo(4, input.Quantity ?? 1);
  const unit_amount = roundTo(unitDecimals, input.UnitAmount ?? (input.LineAmount ?? 0) / (quantity || 1));
  const expected = toCents(new Decimal(quantity).mul(unit_amount));
  const given = input.LineAmount === undefined ? expected : toCents(input.LineAmount);
  if (input.UnitAmount !== undefined && given !== expected) {
    const [was, should] = [given, expected].map((cents) => fromCents(cents).toFixed(2));
    problems.push(`The line total ${was} does not match the expected line total ${should}`);
  }
  const account = findAccount(organisation, { code: input.AccountCode ?? '' });
  if (input.AccountCode && (!account || account.system || account.type === 'BANK'))
    problems.push(`Account code '${input.AccountCode}' is not a valid code for this document.`);
  const tax_type = input.TaxType ?? account?.tax_type ?? 'NONE';
  const rate = findTaxRate(organisation, tax_type, use);
  if (!rate)
    problems.push(
      `The TaxType code '${tax_type}' does not exist or cannot be used for this type of transaction.`,
    );
  const tax = taxOn(given, rate?.rate ?? 0, lineAmountTypes);
  return {
    id: input.LineItemID ?? randomUUID(),
    description: input.Description ?? null,
    quantity,
    unit_amount,
    line_cents: given,
    tax_cents: input.TaxAmount === undefined || lineAmountTypes === 'NoTax' ? tax : toCents(input.TaxAmount),
    tax_type,
    account_code: input.AccountCode ?? null,
  };
}

/**
 * The lines after an update: lines with an id are updated, lines without one are added, and missing lines are
 * deleted.
 */
export function mergeLines(before: Line[], sent: LineInput[]): LineInput[] {
  return sent.map((input) => {
    const line = before.find(({ id }) => id === input.LineItemID);
    if (!line) return { ...input, LineItemID: undefined };
    const { id, description, quantity, unit_amount, tax_type, account_code } = line;
    return {
      LineItemID: id,
      Description: description ?? undefined,
      Quantity: quantity,
      UnitAmount: unit_amount,
      TaxType: tax_type,
      AccountCode: account_code ?? undefined,
      ...input,
    };
  });
}

function taxOn(cents: number, rate: number, lineAmountTypes: LineAmountTypes): number {
  if (lineAmountTypes === 'NoTax') return 0;
  const base = lineAmountTypes === 'Exclusive' ? 100 : 100 + rate;
  return new Decimal(cents).mul(rate).div(base).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
}
