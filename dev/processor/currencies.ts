import { invalidRequest } from './http/errors.js';

/** The currencies that Stripe lists in its error for an unknown one, without those it has withdrawn. */
const SUPPORTED = new Set(
  `usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd
  bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp
  gel gip gmd gnf gtq gyd hkd hnl hrk htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf
  krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn
  nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr
  sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv
  wst xaf xcd xcg xof xpf yer zar zmw`.split(/\s+/),
);

const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '));
/** Currencies without decimals that are sent with two: the amount ends in 00. */
const WHOLE_UNITS = new Set(['isk', 'ugx']);

/**
 * Currencies by their minimum charge in Stripe's units. Others depend on the exchange
 * rate, which is not simulated.
 */
const MINIMUM: Record<number, string> = {
  30: 'gbp',
  50: 'usd eur aud brl cad chf inr nzd sgd jpy krw',
  200: 'aed myr pln ron',
  250: 'dkk',
  300: 'nok sek',
  400: 'hkd',
  1000: 'mxn thb',
  1500: 'czk',
  17500: 'huf',
};

/** Rejects a currency that Stripe does not accept. */
export function requireSupported(code: string, param: string): void {
  if (SUPPORTED.has(code)) return;
  const message =
    `Invalid currency: ${code}. Stripe currently supports these currencies: ` +
    `${[...SUPPORTED].join(', ')}`;
  throw invalidRequest(message, param);
}

/**
 * Rejects the total of a session or intent that Stripe would not charge, below the minimum or not divisible.
 */
export function requireChargeable(amount: number, currency: string, total: string, param?: string): void {
  const [least = 1] = Object.entries(MINIMUM).find(([, codes]) => codes.includes(currency)) ?? [];
  const minimum = Number(least);
  if (amount < minimum) {
    const message = `${total} must add up to at least ${formatAmount(minimum, currency)}.`;
    throw invalidRequest(message, { code: 'amount_too_small', param });
  }
  const step = THREE_DECIMAL.has(currency) ? 10 : WHOLE_UNITS.has(currency) ? 100 : 1;
  if (amount % step === 0) return;
  const message = `Invalid amount: amounts in ${currency} must be divisible by ${step}.`;
  throw invalidRequest(message, { code: 'parameter_invalid_integer', param });
}

/** Formats an amount in Stripe's units: `1250, 'gbp'` → `£12.50`. */
export function formatAmount(amount: number, currency: string): string {
  const decimals = ZERO_DECIMAL.has(currency) ? 0 : THREE_DECIMAL.has(currency) ? 3 : 2;
  const shown = WHOLE_UNITS.has(currency) ? 0 : decimals;
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(amount / 10 ** decimals);
}
