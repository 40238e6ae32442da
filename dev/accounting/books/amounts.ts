import { Decimal } from 'decimal.js';

/** Hundredths of an amount, rounded half away from zero; Xero counts in two decimals, whatever the currency. */
export function toCents(amount: Decimal.Value): number {
  return new Decimal(amount).mul(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
}

/** An amount as Xero's JSON has it. */
export function fromCents(cents: number): number {
  return cents / 100;
}

/** Rounds half away from zero to some decimals. */
export function roundTo(decimals: number, amount: Decimal.Value): number {
  return new Decimal(amount).toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP).toNumber();
}
