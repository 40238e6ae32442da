import { Decimal } from 'decimal.js';

/** An amount in hundredths, rounded half away from zero. Xero uses two decimals for every currency. */
export function toCents(amount: Decimal.Value): number {
  return new Decimal(amount).mul(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
}

/** An amount in Xero's JSON. */
export function fromCents(cents: number): number {
  return cents / 100;
}

/** Rounds half away from zero. */
export function roundTo(decimals: number, amount: Decimal.Value): number {
  return new Decimal(amount).toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP).toNumber();
}
