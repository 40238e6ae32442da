import test from 'ava';
import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { formatMoney } from '../../../domain/display.js';
import { currencyExponent, MAX_AMOUNT_MINOR, roundHalfUp } from '../../../domain/money.js';
import { quote } from '../../../domain/rates/price.js';

const rate = (price_per_hour_minor: number, discount_percent = 0, tax_rate_bps = 0) => ({
  price_per_hour_minor,
  discount_percent,
  tax_rate_bps,
  currency: 'GBP',
});

test('halves are rounded away from zero', (t) => {
  for (const [value, rounded] of [
    ['0.5', 1],
    ['1.5', 2],
    ['2.5', 3],
    ['2.4999999', 2],
    ['-0.5', -1],
    ['-2.5', -3],
    ['1.005e2', 101],
  ] as const)
    t.is(roundHalfUp(new Decimal(value)), rounded, value);
});

test('a price is rate × minutes minus the discount, rounded once, plus tax', (t) => {
  t.deepEqual(quote(rate(2_500, 0, 2_000), 60), { net_minor: 2_500, tax_minor: 500, total_minor: 3_000 });
  t.deepEqual(quote(rate(2_500, 20, 2_000), 90), { net_minor: 3_000, tax_minor: 600, total_minor: 3_600 });
  // 1000 for an hour, 50 minutes: 833.33
  t.is(quote(rate(1_000), 50).net_minor, 833);
  // 2506 / 4 = 626.5, exact in floating point; 67 × 15 % = 10.05 is not
  t.is(quote(rate(2_506), 15).net_minor, 627);
  t.is(quote(rate(201, 50), 60).net_minor, 101); // 100.5
  t.deepEqual(quote(rate(1_250, 0, 2_000), 15), { net_minor: 313, tax_minor: 63, total_minor: 376 }); // yen
  t.deepEqual(quote(rate(2_500, 100, 2_000), 60), { net_minor: 0, tax_minor: 0, total_minor: 0 });
});

test('currencies have 0, 2 or 3 decimals', (t) => {
  t.is(currencyExponent('JPY'), 0);
  t.is(currencyExponent('GBP'), 2);
  t.is(currencyExponent('KWD'), 3);
  t.is(formatMoney({ amount_minor: 1_250, currency: 'GBP' }), '£12.50');
  t.is(formatMoney({ amount_minor: 1_250, currency: 'JPY' }), 'JP¥1,250');
  t.is(formatMoney({ amount_minor: 1_250, currency: 'KWD' }), 'KWD\u00a01.250');
  t.is(formatMoney({ amount_minor: 5, currency: 'GBP' }), '£0.05');
  t.is(formatMoney({ amount_minor: -5, currency: 'GBP' }), '−£0.05');
});

test('prices are rounded to chargeable amounts: the last digit of dinars is 0, and ariary are whole', (t) => {
  const dinars = { ...rate(5_125, 0, 2_000), currency: 'KWD' };
  // 5125 → 5130, and its tax 1026 → 1030.
  t.deepEqual(quote(dinars, 60), { net_minor: 5_130, tax_minor: 1_030, total_minor: 6_160 });
  const ariary = { ...rate(12_345, 0, 2_000), currency: 'MGA' };
  t.deepEqual(quote(ariary, 60), { net_minor: 12_300, tax_minor: 2_500, total_minor: 14_800 });
  const kronur = { ...rate(1_234, 0, 2_400), currency: 'ISK' };
  t.deepEqual(quote(kronur, 60), { net_minor: 1_234, tax_minor: 296, total_minor: 1_530 });
});

test('a price is an integer within half a unit of the exact value, and its parts sum to the total', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: MAX_AMOUNT_MINOR }),
      fc.integer({ min: 1, max: 525_600 }),
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 10_000 }),
      (perHour, minutes, discountHundredths, tax_rate_bps) => {
        const { net_minor, tax_minor, total_minor } = quote(
          rate(perHour, discountHundredths / 100, tax_rate_bps),
          minutes,
        );
        // Exact, in integers: perHour × minutes × (10000 − discount) / 600000.
        const exact = BigInt(perHour) * BigInt(minutes) * BigInt(10_000 - discountHundredths);
        const net = (2n * exact + 600_000n) / 1_200_000n;
        const tax = (2n * net * BigInt(tax_rate_bps) + 10_000n) / 20_000n;
        return (
          BigInt(net_minor) === net && BigInt(tax_minor) === tax && total_minor === net_minor + tax_minor
        );
      },
    ),
    { numRuns: 2_000 },
  );
  t.pass();
});
