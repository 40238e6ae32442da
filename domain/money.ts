import { Decimal } from 'decimal.js';

/**
 * An amount in the currency's minor units (pence, cents; yen has none), with its ISO 4217 code in upper case.
 */
export interface Money {
  currency: string;
  amount_minor: number;
}

/** The maximum price that people can enter. `processor/amounts.ts` has the limits of a single payment. */
export const MAX_AMOUNT_MINOR = 99_999_999;

const ZERO_DECIMAL = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
const THREE_DECIMAL = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** Returns the number of decimals of a currency: 0 (JPY), 2 (GBP) or 3 (KWD). */
export function currencyExponent(currency: string): 0 | 2 | 3 {
  if (ZERO_DECIMAL.has(currency)) return 0;
  return THREE_DECIMAL.has(currency) ? 3 : 2;
}

/** Rounds to whole minor units, half away from zero (docs/rules/api.md#money). */
export function roundHalfUp(value: Decimal): number {
  return value.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
}
