import { currencyExponent } from '../../domain/money.js';

/** Formats minor units: `1250, 'gbp'` → `£12.50`. */
export function formatAmount(amount: number, currency: string): string {
  const code = currency.toUpperCase();
  const digits = currencyExponent(code);
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: code,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}
