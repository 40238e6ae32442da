/**
 * Amounts as the payment processor expects them (docs/rules/billing.md#currencies). Everywhere else, amounts
 * are in the minor units of ISO 4217, which have other numbers of digits for some currencies.
 */
import { Decimal } from 'decimal.js';
import { formatMoney } from '../display.js';
import { currencyExponent, roundHalfUp, type Money } from '../money.js';

/** The currencies in which the processor accepts charges. */
export const PROCESSOR_CURRENCIES: ReadonlySet<string> = new Set(
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD
  CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD
  GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT
  LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
  NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE
  SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG
  XOF XPF YER ZAR ZMW`.split(/\s+/),
);

/** Currencies that the processor handles in whole units. ISO 4217 gives MGA two digits. */
const ZERO_DECIMAL = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/** The processor's minimum charge, in minor units of ISO 4217. */
const MINIMUM: Record<string, number> = {
  ...Object.fromEntries(
    'ARS AUD BRL CAD CHF COP EUR IDR ILS INR NZD PHP RUB SGD USD ZAR'.split(' ').map((code) => [code, 50]),
  ),
  AED: 200,
  CZK: 1_500,
  DKK: 250,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  JPY: 50,
  KRW: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  PLN: 200,
  RON: 200,
  SEK: 300,
  THB: 1_000,
};

/** The maximum charge in the processor's units: it accepts at most eight digits. */
const MAX_PROCESSOR_AMOUNT = 99_999_999;

/**
 * Returns the number of digits of the processor's units. ISK and UGX are sent with two, although they have
 * none.
 */
function processorExponent(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0;
  return currencyExponent(currency) === 3 ? 3 : 2;
}

/**
 * Returns the smallest amount of a currency that can be charged, in minor units. Amounts are rounded to
 * multiples of it: in currencies with three digits the last one must be 0, and MGA is charged in whole units.
 */
export function smallestUnit(currency: string): 1 | 10 | 100 {
  const exponent = currencyExponent(currency);
  if (exponent === 3) return 10;
  return exponent === 2 && ZERO_DECIMAL.has(currency) ? 100 : 1;
}

/** Rounds to a multiple of the smallest unit, half away from zero (docs/rules/api.md#money). */
export function roundToUnit(value: Decimal, currency: string): number {
  const unit = smallestUnit(currency);
  return unit === 1 ? roundHalfUp(value) : roundHalfUp(value.div(unit)) * unit;
}

/**
 * Splits an amount in proportion to weights, in units that can be charged, by largest remainder. All zero if
 * all weights are zero.
 */
export function allocateAmount(amount_minor: number, weights: number[], currency: string): number[] {
  const unit = smallestUnit(currency);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
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

/**
 * Returns the processor's minimum charge in minor units; 0 if it depends on the exchange rate to the
 * account's currency.
 */
export const minimumCharge = (currency: string): number => MINIMUM[currency] ?? 0;

/** Returns the maximum charge in minor units. */
export function maximumCharge(currency: string): number {
  const largest = fromProcessorAmount(MAX_PROCESSOR_AMOUNT, currency);
  const unit = smallestUnit(currency);
  return Math.floor(largest / unit) * unit;
}

/**
 * Converts minor units to the processor's units. Throws a `RangeError` for an amount that is not a multiple
 * of the smallest unit.
 */
export function toProcessorAmount({ amount_minor, currency }: Money): number {
  if (amount_minor % smallestUnit(currency) !== 0)
    throw new RangeError(`${formatMoney({ amount_minor, currency })} cannot be charged exactly.`);
  return amount_minor * 10 ** (processorExponent(currency) - currencyExponent(currency));
}

/** Converts the processor's units to minor units. The processor writes currencies in lower case. */
export function fromProcessorAmount(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  return amount * 10 ** (currencyExponent(code) - processorExponent(code));
}
