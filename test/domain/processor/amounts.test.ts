import test from 'ava';
import { currencyExponent } from '../../../domain/money.js';
import {
  fromProcessorAmount,
  maximumCharge,
  PROCESSOR_CURRENCIES,
  smallestUnit,
  toProcessorAmount,
} from '../../../domain/processor/amounts.js';

/** The processor's amount of one major unit, such as 1.00 GBP. */
const sentForOne = (currency: string): number =>
  toProcessorAmount({ currency, amount_minor: 10 ** currencyExponent(currency) });

test("one unit of each currency is sent in the processor's digits", (t) => {
  const zero = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
  const three = 'BHD JOD KWD OMR TND'.split(' ');
  for (const currency of zero) t.is(sentForOne(currency), 1, currency);
  for (const currency of three) t.is(sentForOne(currency), 1_000, currency);
  const rest = [...PROCESSOR_CURRENCIES].filter((code) => !zero.includes(code) && !three.includes(code));
  // ISK and UGX have no decimals, but are sent with two. HUF and TWD have two for charges.
  for (const currency of ['ISK', 'UGX', 'HUF', 'TWD', 'GBP']) t.true(rest.includes(currency), currency);
  for (const currency of rest) t.is(sentForOne(currency), 100, currency);
  t.is(toProcessorAmount({ currency: 'ISK', amount_minor: 5 }), 500);
});

test('the API and the accounting system keep the digits of ISO 4217', (t) => {
  for (const [currency, digits] of [
    ['ISK', 0],
    ['UGX', 0],
    ['MGA', 2],
    ['KWD', 3],
    ['HUF', 2],
  ] as const)
    t.is(currencyExponent(currency), digits, currency);
});

test('amounts come back as they were sent, in every currency', (t) => {
  for (const currency of PROCESSOR_CURRENCIES) {
    for (const n of [1, 7, 1_234]) {
      const amount_minor = n * smallestUnit(currency);
      t.is(fromProcessorAmount(toProcessorAmount({ currency, amount_minor }), currency), amount_minor);
    }
    t.true(toProcessorAmount({ currency, amount_minor: maximumCharge(currency) }) <= 99_999_999, currency);
  }
});

test('an amount that cannot be charged exactly is not sent', (t) => {
  t.is(smallestUnit('KWD'), 10);
  t.is(smallestUnit('MGA'), 100);
  t.is(smallestUnit('ISK'), 1);
  t.throws(() => toProcessorAmount({ currency: 'KWD', amount_minor: 5_125 }), { instanceOf: RangeError });
  t.throws(() => toProcessorAmount({ currency: 'MGA', amount_minor: 1_250 }), { instanceOf: RangeError });
});

test('only currencies that the processor takes are accepted', (t) => {
  for (const currency of ['IQD', 'LYD', 'UYI', 'XAU', 'XXX'])
    t.false(PROCESSOR_CURRENCIES.has(currency), currency);
  t.true([...PROCESSOR_CURRENCIES].every((code) => /^[A-Z]{3}$/.test(code)));
});
