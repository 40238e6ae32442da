import test from 'ava';
import fc from 'fast-check';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { addTax, findNet } from '../../../domain/rates/entered-price.js';
import { quote } from '../../../domain/rates/price.js';

const gross = fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: MAX_AMOUNT_MINOR }));
const rate = fc.integer({ min: 0, max: 2_700 });
/** Currencies that round tax to 1, 10 and 100 minor units, and one without decimals. */
const currency = fc.constantFrom('GBP', 'KWD', 'MGA', 'JPY');

test('a price with tax is shown as it was entered, or its nearest possible neighbours are', (t) => {
  fc.assert(
    fc.property(gross, rate, currency, (entered, bps, currency) => {
      const found = findNet(entered, bps, currency);
      if ('net_minor' in found) return t.is(addTax(found.net_minor, bps, currency), entered);
      const { below_minor, above_minor } = found;
      t.true(below_minor < entered && entered < above_minor);
      for (const neighbour of [below_minor, above_minor])
        t.true('net_minor' in findNet(neighbour, bps, currency), `${neighbour} is accepted`);
      for (let between = below_minor + 1; between < above_minor; between++)
        t.false('net_minor' in findNet(between, bps, currency), `${between} is nearer`);
    }),
    { numRuns: 500 },
  );
});

test('an amount is refused only if no price has it with its tax', (t) => {
  for (const currency of ['GBP', 'KWD', 'MGA'])
    for (const bps of [0, 550, 700, 1_900, 2_000, 2_700]) {
      const possible = new Map(
        Array.from({ length: 1_500 }, (_, net) => [addTax(net, bps, currency), net] as const),
      );
      for (let entered = 0; entered < 1_500; entered++) {
        const found = findNet(entered, bps, currency);
        t.is(
          'net_minor' in found ? found.net_minor : undefined,
          possible.get(entered),
          `${entered} at ${bps}`,
        );
      }
    }
});

test('a price with tax is what an invoice of one hour says', (t) => {
  fc.assert(
    fc.property(fc.nat({ max: MAX_AMOUNT_MINOR }), rate, (price_per_hour_minor, tax_rate_bps) => {
      const terms = { price_per_hour_minor, tax_rate_bps, discount_percent: 0, currency: 'GBP' };
      t.is(addTax(price_per_hour_minor, tax_rate_bps, 'GBP'), quote(terms, 60).total_minor);
    }),
  );
  t.deepEqual(findNet(3_000, 2_000, 'GBP'), { net_minor: 2_500 });
  t.deepEqual(findNet(999, 1_900, 'GBP'), { below_minor: 998, above_minor: 1_000 });
});
