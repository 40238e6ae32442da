import test from 'ava';
import fc from 'fast-check';
import { accountingReference, priceLines, taxPerRate, sumTotals } from '../../../domain/invoices/invoice.js';
import { line } from '../../support/invoice-calls.js';

test('the tax of three lines at 15 % is rounded once: 11.45, not 11.44', (t) => {
  const lines = [2_506, 2_561, 2_563].map((unit_amount_minor) => line({ unit_amount_minor, tax_code: 'X' }));
  const priced = priceLines(
    lines as never,
    [{ code: 'X', rate_bps: 1_500, accounting_tax_type: 'X' }],
    'GBP',
  );
  t.is(sumTotals(priced).tax_minor, 1_145);
  // 3.759, 3.8415 and 3.8445: rounded down they lack two hundredths, which go to the largest remainders.
  t.deepEqual(
    priced.map(({ tax_minor }) => tax_minor),
    [376, 384, 385],
  );
});

test('for any lines, each net and the tax of each rate are rounded once, half away from zero', (t) => {
  const lines = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 99_999_999 }).map((ten_thousandths) => ten_thousandths / 10_000),
      unit_amount_minor: fc.integer({ min: -999_999, max: 999_999 }),
      rate_bps: fc.constantFrom(0, 500, 825, 1_500, 2_000),
    }),
    { minLength: 1, maxLength: 20 },
  );
  const round = (numerator: bigint, denominator: bigint): bigint => {
    const sign = numerator < 0n ? -1n : 1n;
    return (sign * (2n * sign * numerator + denominator)) / (2n * denominator);
  };
  fc.assert(
    fc.property(lines, (given) => {
      const codes = given.map(({ rate_bps }, i) => ({ code: `T${i}`, rate_bps, accounting_tax_type: 'T' }));
      const priced = priceLines(
        given.map((item, i) => ({ ...item, description: 'x', tax_code: `T${i}` })),
        codes,
        'GBP',
      );
      for (const [i, { quantity, unit_amount_minor, rate_bps }] of given.entries()) {
        const exact = BigInt(Math.round(quantity * 10_000)) * BigInt(unit_amount_minor);
        const net = round(exact, 10_000n);
        const { net_minor } = priced[i]!;
        if (BigInt(net_minor) !== net) return false;
        const exactTax = (net_minor * rate_bps) / 10_000;
        if (Math.abs(priced[i]!.tax_minor - exactTax) >= 1) return false;
      }
      for (const { tax_rate_bps, net_minor, tax_minor } of taxPerRate(priced)) {
        if (BigInt(tax_minor) !== round(BigInt(net_minor) * BigInt(tax_rate_bps), 10_000n)) return false;
      }
      const { net_minor, tax_minor, total_minor } = sumTotals(priced);
      const sum = (pick: 'net_minor' | 'tax_minor') => priced.reduce((total, item) => total + item[pick], 0);
      return (
        net_minor === sum('net_minor') &&
        tax_minor === sum('tax_minor') &&
        total_minor === net_minor + tax_minor
      );
    }),
  );
  t.is(accountingReference(3, null), 'Holdfast #3');
});
