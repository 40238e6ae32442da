import { PROCESSOR_CURRENCIES } from '../../../domain/processor/amounts.js';

const NAMES = new Intl.DisplayNames('en', { type: 'currency' });

/** The currencies that the processor accepts: `GBP – British Pound`. */
export const CURRENCY_OPTIONS = [...PROCESSOR_CURRENCIES].map(
  (code) => [code, `${code} – ${NAMES.of(code)}`] as const,
);
