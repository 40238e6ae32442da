import test from 'ava';
import { formatMoney } from '../../../domain/display.js';
import { factsOfPrice, type ShownLine } from '../../../domain/rates/price-words.js';
import { ENGLISH } from '../../../domain/words/words.js';

const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency: 'GBP' });
const line = (overrides: Partial<ShownLine>): ShownLine => ({
  description: 'Blue room',
  quantity: 1,
  unit: 'hour',
  unit_amount_minor: 0,
  net_minor: 0,
  ...overrides,
});

test('several lines have their quantities, amounts and sums', (t) => {
  const lines = [
    line({ description: 'Evening', quantity: 2.5, unit_amount_minor: 4_000, net_minor: 10_000 }),
    // Includes a tier discount.
    line({ description: 'Day', quantity: 2, unit: 'day', unit_amount_minor: 10_000, net_minor: 16_000 }),
    line({ description: 'Coffee', quantity: 12, unit: 'attendee', unit_amount_minor: 400, net_minor: 4_800 }),
    line({ description: 'Half day', unit: 'flat', unit_amount_minor: 7_000, net_minor: 7_000 }),
    line({ description: '1 hour credit', quantity: 1, unit_amount_minor: -4_000, net_minor: -4_000 }),
  ];
  t.deepEqual(factsOfPrice(ENGLISH, { lines, net_minor: 33_800, tax_minor: 6_760 }, amount), [
    ['Evening (2.5 h at £40.00)', '£100.00'],
    ['Day (2 days)', '£160.00'],
    ['Coffee (12 at £4.00)', '£48.00'],
    ['Half day', '£70.00'],
    ['1 hour credit (1 h)', '−£40.00'],
    ['Net', '£338.00'],
    ['Tax', '£67.60'],
  ]);
});

test('a single line says no more than the price, and lines without tax have no tax line', (t) => {
  const hour = line({ unit_amount_minor: 2_500, net_minor: 2_500 });
  t.deepEqual(factsOfPrice(ENGLISH, { lines: [hour], net_minor: 2_500, tax_minor: 500 }, amount), []);
  const facts = factsOfPrice(ENGLISH, { lines: [hour, hour], net_minor: 5_000, tax_minor: 0 }, amount);
  t.deepEqual(facts.at(-1), ['Net', '£50.00']);
});
