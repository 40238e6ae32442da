import test from 'ava';
import fc from 'fast-check';
import { keptLines, refundedPercents, waivedMinor } from '../../../domain/bookings/cancellation.js';
import { priceLines, sumTotals } from '../../../domain/invoices/invoice.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { taxOn } from '../../../domain/invoices/tax.js';
import { smallestUnit, toProcessorAmount } from '../../../domain/processor/amounts.js';
import { refundNow } from '../../../domain/bookings/refund-policy.js';
import { refundOfCancellation } from '../../../domain/bookings/refund-shares.js';

/** With 0, 2 and 3 decimals, and one that has two but is charged in whole units. */
const CURRENCIES = ['JPY', 'GBP', 'KWD', 'MGA'];
const RATES = [0, 500, 825, 1_500, 2_000];

const bookings = fc.record({
  currency: fc.constantFrom(...CURRENCIES),
  net_minor: fc.integer({ min: 0, max: MAX_AMOUNT_MINOR }),
  rate_bps: fc.constantFrom(...RATES),
  percent: fc.integer({ min: 0, max: 100 }),
});

test('what a cancellation keeps and refunds can be charged, refunded and written to the books', (t) => {
  fc.assert(
    fc.property(bookings, ({ currency, net_minor, rate_bps, percent }) => {
      const code = { code: 'TAX', rate_bps, accounting_tax_type: 'TAX' };
      const line = { description: 'Room', quantity: 1, unit_amount_minor: net_minor, tax_code: 'TAX' };
      const lines = priceLines([line], [code], currency);
      const { total_minor } = sumTotals(lines);
      const kept = keptLines({ currency, lines }, [percent]);
      const amount_minor = sumTotals(kept).total_minor;
      toProcessorAmount({ amount_minor, currency });
      t.is(kept[0]!.tax_minor, taxOn(kept[0]!.net_minor, rate_bps, currency));
      t.is(waivedMinor({ currency, total_minor, lines }, [percent]), total_minor - amount_minor);
      // The tax is rounded once more.
      const exact = (total_minor * (100 - percent)) / 100;
      t.true(Math.abs(amount_minor - exact) <= 2 * smallestUnit(currency), `${amount_minor} of ${exact}`);
      const booking = {
        ...sumTotals(lines),
        price_minor: total_minor,
        currency,
        tax_code: 'TAX',
        tax_rate_bps: rate_bps,
        start_at: new Date(0),
        pricing: null,
        refund_caps: null,
        refund_percent_cap: 100,
      };
      const steps = [{ hours_before: 0, percent }];
      const { amount_minor: refunded, credit } = refundOfCancellation(booking, steps, 0);
      t.is(sumTotals(credit).total_minor, refunded);
      toProcessorAmount({ amount_minor: refunded, currency });
      t.true(refunded <= total_minor);
    }),
  );
});

/** Rounds to whole minor units, half away from zero, without floating-point numbers. */
const roundExactly = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator));

/** A price of two halves: of the first, at most `cap` hundredths of a percent are refunded. */
const refunds = fc.record({
  half: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 49_999_999 })),
  cap: fc.oneof(
    fc.integer({ min: 0, max: 100 }).map((percent) => percent * 100),
    fc.integer({ min: 0, max: 10_000 }),
  ),
  percent: fc.oneof(
    fc.integer({ min: 0, max: 100 }).map((percent) => percent * 100),
    fc.integer({ min: 0, max: 10_000 }),
  ),
});

test('what is refunded and what stays due is rounded exactly, half away from zero, at every percentage', (t) => {
  const check = ({ half, cap, percent }: { half: number; cap: number; percent: number }) => {
    const net_minor = 2 * half;
    const booking = {
      status: 'confirmed' as const,
      start_at: new Date(0),
      currency: 'GBP',
      price_minor: net_minor,
      net_minor,
      tax_minor: 0,
      tax_code: 'NONE',
      tax_rate_bps: 0,
      pricing: null,
      refund_caps: [{ extra_id: null, amount_minor: half, percent: cap / 100 }],
      refund_percent_cap: 100,
    };
    const lines = [{ net_minor, tax_minor: 0, tax_rate_bps: 0 }];
    const steps = [{ hours_before: 0, percent: percent / 100 }];
    const refunded = BigInt(half) * BigInt(Math.min(cap, percent) + percent);
    const says = `${half} twice, ${percent} and at most ${cap}`;
    t.is(refundOfCancellation(booking, steps, 0).amount_minor, roundExactly(refunded, 10_000n), says);
    const percents = refundedPercents(booking, { lines }, steps, 'standard', new Date(0));
    const [kept] = keptLines({ currency: 'GBP', lines }, percents);
    t.is(kept!.net_minor, roundExactly(BigInt(net_minor) * 10_000n - refunded, 10_000n), says);
  };
  // 45 % of 50 is 22.5.
  for (let percent = 0; percent <= 100; percent++) check({ half: 25, cap: 10_000, percent: percent * 100 });
  fc.assert(fc.property(refunds, check), { numRuns: 2_000 });
});

test('half of 10.010 KWD and its 5 % tax are rounded to chargeable amounts', (t) => {
  const line = { description: 'Room', quantity: 1, unit_amount_minor: 10_010, tax_code: 'VAT' };
  const lines = priceLines([line], [{ code: 'VAT', rate_bps: 500, accounting_tax_type: 'X' }], 'KWD');
  // 5.005 rounds to 5.010, and 5 % of it is 0.2505: 0.250.
  t.like(keptLines({ currency: 'KWD', lines }, [50]), [{ net_minor: 5_010, tax_minor: 250 }]);
});

test('refunds of a lost cancellation count, so only the rest is refunded', (t) => {
  const payment = (refundable_minor: number, lost_minor: number) => ({
    id: 'pay_1',
    refundable_minor,
    lost_minor,
  });
  t.is(refundNow([payment(3_000, 0)], 1_500), 1_500);
  t.is(refundNow([payment(1_500, 1_500)], 1_500), 0);
  t.is(refundNow([payment(1_500, 1_500)], 3_000), 1_500);
  // The rest was refunded for another reason.
  t.is(refundNow([payment(500, 1_500)], 1_500), 0);
  t.is(refundNow([payment(0, 3_000)], 3_000), 0);
});
