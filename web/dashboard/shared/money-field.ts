import { Decimal } from 'decimal.js';
import { currencyExponent, type Money } from '../../../domain/money.js';
import { ApiError } from '../../../domain/errors.js';

/** The value of a field with an amount: `3000 GBP` → `30.00`. */
export function amountInput({ amount_minor, currency }: Money): string {
  const exponent = currencyExponent(currency);
  return new Decimal(amount_minor).div(10 ** exponent).toFixed(exponent);
}

/**
 * The amount that a person entered, in minor units: `30`, `30.5`, `£1,250.00`, `1.250,00`; null for an empty
 * field. Errors: 422 on `field`.
 */
export function amountEntered(value: string | undefined, currency: string, field: string): number | null {
  const entered = (value ?? '').trim().replace(/^(\p{Sc}|[A-Z]{3})\s*/u, '');
  // A comma before the last one or two digits separates decimals; dots then separate thousands.
  const text = /^-?(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(entered)
    ? entered.replaceAll('.', '').replace(',', '.')
    : entered.replace(/,(?=\d{3}\b)/g, '');
  if (text === '') return null;
  const exponent = currencyExponent(currency);
  const pattern = exponent === 0 ? /^-?\d{1,16}$/ : new RegExp(`^-?\\d{1,16}(\\.\\d{1,${exponent}})?$`);
  if (!pattern.test(text)) {
    const example = amountInput({ amount_minor: 3000, currency });
    throw new ApiError('validation_failed', `Enter an amount in ${currency}, such as ${example}.`, {
      param: field,
    });
  }
  return new Decimal(text).mul(10 ** exponent).toNumber();
}
