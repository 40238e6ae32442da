import test from 'ava';
import fc from 'fast-check';
import { toAmount } from '../../../activities/gateways/xero/shapes.js';
import {
  negated,
  remainingParts,
  splitOverTaxCodes,
  type TaxPart,
} from '../../../domain/invoices/credited-tax.js';
import { priceLines, taxPerRate, sumTotals } from '../../../domain/invoices/invoice.js';
import { smallestUnit, toProcessorAmount } from '../../../domain/processor/amounts.js';
import { spreadTax, taxOn, withTax } from '../../../domain/invoices/tax.js';

/** With 0, 2 and 3 decimals, and one that has two but is charged in whole units. */
const CURRENCIES = ['JPY', 'GBP', 'KWD', 'MGA'];
const CODES = [
  { code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' },
  { code: 'CITY', rate_bps: 825, accounting_tax_type: 'CITY' },
  { code: 'REDUCED', rate_bps: 500, accounting_tax_type: 'RROUTPUT' },
  { code: 'ZERO', rate_bps: 0, accounting_tax_type: 'ZERORATEDOUTPUT' },
];

const invoices = fc.record({
  currency: fc.constantFrom(...CURRENCIES),
  lines: fc.array(
    fc.record({
      tax_code: fc.constantFrom(...CODES.map(({ code }) => code)),
      unit_amount_minor: fc.integer({ min: 0, max: 90_000 }),
      quantity: fc.constantFrom(1, 2, 0.5, 1.25),
      /** Part of it is taken off by a separate line, like hour credits. */
      taken_percent: fc.constantFrom(0, 0, 30, 100),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  /** Shares of what is left, for refunds in this order, some of which fail later. */
  refunds: fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), fails: fc.boolean() }), {
    maxLength: 8,
  }),
});

type Drawn = typeof invoices extends fc.Arbitrary<infer T> ? T : never;

const toLines = ({ currency, lines }: Drawn) =>
  priceLines(
    lines.flatMap(({ tax_code, unit_amount_minor, quantity, taken_percent }) => {
      const unit = smallestUnit(currency);
      const line = { description: 'x', tax_code, quantity, unit_amount_minor: unit_amount_minor * unit };
      const taken = Math.trunc((unit_amount_minor * taken_percent) / 100) * unit;
      return taken === 0 ? [line] : [line, { ...line, unit_amount_minor: -taken }];
    }),
    CODES,
    currency,
  );

const perCode = (parts: TaxPart[]): Record<string, [number, number]> => {
  const sums: Record<string, [number, number]> = {};
  for (const { tax_code, net_minor, tax_minor } of parts) {
    const [net, tax] = sums[tax_code] ?? [0, 0];
    sums[tax_code] = [net + net_minor, tax + tax_minor];
  }
  return Object.fromEntries(Object.entries(sums).filter(([, [net, tax]]) => net !== 0 || tax !== 0));
};

/** Amounts in the books, in hundredths of a hundredth so that sums are exact. */
const inBooks = (parts: TaxPart[], currency: string): number =>
  parts.reduce(
    (sum, { net_minor, tax_minor }) =>
      sum + Math.round((toAmount(net_minor, currency) + toAmount(tax_minor, currency)) * 10_000),
    0,
  );

test('refunds in any order and size take back exactly what was charged per tax code, in ledger, processor and books', (t) => {
  fc.assert(
    fc.property(invoices, (drawn) => {
      const { currency } = drawn;
      const charged = toLines(drawn);
      const { total_minor } = sumTotals(charged);
      const unit = smallestUnit(currency);
      let left: TaxPart[] = charged;
      const notes: TaxPart[][] = [];
      const credit = (amount_minor: number, fails: boolean): void => {
        const parts = splitOverTaxCodes({ amount_minor, currency }, left, charged);
        t.is(sumTotals(parts).total_minor, amount_minor);
        for (const { net_minor, tax_minor } of parts) t.true(net_minor >= 0 && tax_minor >= 0);
        if (fails) return;
        left = [...left, ...negated(parts)];
        notes.push(parts);
      };
      for (const { share, fails } of drawn.refunds)
        credit(Math.floor((sumTotals(left).total_minor * share) / unit) * unit, fails);
      credit(sumTotals(left).total_minor, false);
      t.deepEqual(perCode(notes.flat()), perCode(charged));
      const refunded = notes.reduce(
        (sum, note) => sum + toProcessorAmount({ amount_minor: sumTotals(note).total_minor, currency }),
        0,
      );
      t.is(refunded, toProcessorAmount({ amount_minor: total_minor, currency }));
      t.is(inBooks(notes.flat(), currency), inBooks(charged, currency));
    }),
    { numRuns: 500 },
  );
});

test('each part of a refund has the tax of its rate, to the smallest chargeable unit', (t) => {
  fc.assert(
    fc.property(invoices, fc.double({ min: 0, max: 1, noNaN: true }), (drawn, share) => {
      const charged = toLines(drawn);
      const unit = smallestUnit(drawn.currency);
      const amount_minor = Math.floor((sumTotals(charged).total_minor * share) / unit) * unit;
      for (const { net_minor, tax_minor, tax_rate_bps } of splitOverTaxCodes(
        { ...drawn, amount_minor },
        charged,
      ))
        t.true(Math.abs(tax_minor - (net_minor * tax_rate_bps) / 10_000) <= 2 * unit);
    }),
  );
});

test('what a bank takes beyond what is left is split like the invoice', (t) => {
  const [line] = withTax([{ tax_code: 'STANDARD', tax_rate_bps: 2_000, net_minor: 1_000 }], 'GBP');
  const refunded = [line!, ...negated([line!])];
  t.like(splitOverTaxCodes({ amount_minor: 600, currency: 'GBP' }, refunded, [line!]), [
    { net_minor: 500, tax_minor: 100 },
  ]);
});

test('the tax of a rate is rounded once and spread by largest remainder, so no line is off by a whole unit', (t) => {
  fc.assert(
    fc.property(invoices, (drawn) => {
      const { currency } = drawn;
      const unit = smallestUnit(currency);
      const lines = toLines(drawn);
      for (const { net_minor, tax_minor, tax_rate_bps } of lines)
        t.true(Math.abs(tax_minor - (net_minor * tax_rate_bps) / 10_000) < unit);
      for (const { tax_rate_bps, net_minor, tax_minor } of taxPerRate(lines))
        t.is(tax_minor, taxOn(net_minor, tax_rate_bps, currency));
    }),
  );
});

test('an amount of tax that differs from that of its lines is spread completely as well', (t) => {
  const lines = [1_000, -500].map((net_minor) => ({ net_minor, tax_rate_bps: 2_000 }));
  for (const tax_minor of [-7, 0, 100, 103, 250]) {
    const spread = spreadTax(lines, tax_minor, 'GBP');
    t.is(spread[0]!.tax_minor + spread[1]!.tax_minor, tax_minor);
  }
});

test('what charges leave does not depend on their order', (t) => {
  const part = (tax_code: string, net_minor: number, tax_minor: number) => {
    return { tax_code, tax_rate_bps: 0, account: null, net_minor, tax_minor };
  };
  const charge = { currency: 'GBP', amount_minor: 0 };
  const charges = [
    { ...charge, kind: 'invoice' as const, lines: [part('A', 5_000, 1_000), part('B', 6_000, 0)] },
    { ...charge, kind: 'credit_note' as const, lines: [part('A', 4_000, 800)] },
    { ...charge, kind: 'credit_note' as const, lines: null, amount_minor: 720 },
  ];
  const left = [part('A', 900, 180), part('B', 5_400, 0)];
  for (const order of [charges, charges.toReversed()])
    t.deepEqual(
      remainingParts(order).toSorted((a, b) => a.tax_code.localeCompare(b.tax_code)),
      left,
    );
});
