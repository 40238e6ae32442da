import test from 'ava';
import fc from 'fast-check';
import { keptLines, waivedMinor } from '../../../domain/bookings/cancellation.js';
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
