import { currencyExponent } from '../../domain/money.js';
import { currencyLocale } from '../../domain/display.js';
import { readStyles } from './document.js';

/** The styles of charts, and of the tables next to them, for the pages that have any. */
export const CHART_CSS = readStyles('ui/styles/charts');

/** Abbreviates an amount in minor units for the axis of a chart: `£1.2K`. */
export function shortAmount(currency: string): (amount_minor: number) => string {
  const format = new Intl.NumberFormat(currencyLocale({ currency }), {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  return (amount_minor) => format.format(amount_minor / 10 ** currencyExponent(currency));
}
