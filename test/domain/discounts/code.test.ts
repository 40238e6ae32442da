import test from 'ava';
import fc from 'fast-check';
import { refundedPercents } from '../../../domain/bookings/cancellation.js';
import { priceBooking, type PriceTerms } from '../../../domain/rates/booking-price.js';
import {
  CODE_PATTERN,
  whyNotDiscount,
  type DiscountFacts,
  type DiscountTerms,
} from '../../../domain/discounts/code.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { refundOfCancellation } from '../../../domain/bookings/refund-shares.js';
import type { BookedExtra } from '../../../domain/extras/extras.js';
import { taxPerRate, sumTotals } from '../../../domain/invoices/invoice.js';
import { toInvoiceLines } from '../../../domain/rates/price-lines.js';
import { smallestUnit } from '../../../domain/processor/amounts.js';
import { taxOn } from '../../../domain/invoices/tax.js';
import { someRate } from '../../support/some-rate.js';

const START = Date.parse('2027-03-10T09:00Z');
const hours = (n: number) => ({ start: START, end: START + n * HOUR_MS });
const TERMS: PriceTerms = {
  room_id: 'room',
  room_name: 'Blue room',
  time_zone: 'UTC',
  audience: { tier: null, company_id: null },
  price_per_hour_minor: 2_500,
  discount_percent: 0,
  tax_code: 'STANDARD',
  tax_rate_bps: 2_000,
  currency: 'GBP',
  table: null,
};
const terms = (of: Partial<DiscountTerms>): DiscountTerms => ({
  discount_id: 'discount',
  code: 'SPRING',
  percent: null,
  amount_minor: null,
  room_ids: null,
  ...of,
});
const extra = (of: Partial<BookedExtra>): BookedExtra => ({
  extra_id: 'lunch',
  quantity: 1,
  name: 'Lunch',
  unit: 'piece',
  unit_amount_minor: 1_000,
  tax_code: 'REDUCED',
  tax_rate_bps: 500,
  account: '220',
  refund_steps: null,
  ...of,
});

test('a percentage is taken off each tax code and account, before tax', (t) => {
  const lunches = [extra({ quantity: 3 }), extra({ extra_id: 'tea', name: 'Tea', unit_amount_minor: 333 })];
  const { price, lines, pricing } = priceBooking(TERMS, hours(2), 1, 0, lunches, terms({ percent: 10 }));
  // Two hours: 50.00. Lunches and tea: 33.33. 10 % of each: 5.00 and 3.33. A credit pays for half of the
  // time's remaining price.
  t.like(lines, [
    { kind: 'time', net_minor: 5_000 },
    { kind: 'extra', net_minor: 3_000 },
    { kind: 'extra', net_minor: 333 },
    {
      kind: 'discount',
      description: 'Code SPRING, 10%',
      quantity: 1,
      unit: 'booking',
      net_minor: -500,
      tax_code: 'STANDARD',
      account: null,
    },
    { kind: 'discount', net_minor: -333, tax_code: 'REDUCED', account: '220' },
    { kind: 'credit', quantity: 1, unit_amount_minor: -2_500, net_minor: -2_250, account: null },
  ]);
  // 20 % of 22.50 and 5 % of 30.00.
  t.deepEqual(price, { net_minor: 5_250, tax_minor: 600, total_minor: 5_850 });
  t.is(pricing!.discount!.code, 'SPRING');
});

test('an amount is taken off in proportion, and never more than the price', (t) => {
  const off = (amount_minor: number) =>
    priceBooking(TERMS, hours(1), 0, 0, [extra({})], terms({ amount_minor }));
  // 25.00 and 10.00 share 5.00.
  t.deepEqual(
    off(500)
      .lines.slice(2)
      .map(({ net_minor }) => net_minor),
    [-357, -143],
  );
  t.deepEqual(off(1_000_000).price, { net_minor: 0, tax_minor: 0, total_minor: 0 });
});

test('a code is taken off the lines of rates with their own account within that account', (t) => {
  const rates = [someRate({ from: '10:00', to: '11:00', amount_minor: 4_000, accounting_account: '260' })];
  const table = { room_id: 'room', version: 1, audience: TERMS.audience, rates };
  const { lines } = priceBooking({ ...TERMS, table }, hours(2), 0, 0, [], terms({ percent: 50 }));
  t.deepEqual(
    lines.map(({ kind, net_minor, account }) => [kind, net_minor, account]),
    [
      ['time', 2_500, null],
      ['time', 4_000, '260'],
      ['discount', -1_250, null],
      ['discount', -2_000, '260'],
    ],
  );
});

test('moving to a room that a code does not cover does not make a booking cheaper, and the code stays', (t) => {
  const only = terms({ percent: 100, room_ids: ['other'] });
  const { price, pricing } = priceBooking(TERMS, hours(1), 0, 0, [], only);
  t.is(price.total_minor, 3_000);
  t.deepEqual(pricing!.discount, only);
  const there = priceBooking({ ...TERMS, room_id: 'other' }, hours(1), 0, 0, [], only);
  t.is(there.price.total_minor, 0);
});

const drawn = fc.record({
  currency: fc.constantFrom('GBP', 'JPY', 'KWD'),
  price_per_hour_minor: fc.integer({ min: 0, max: 100_000 }).map((n) => n * 10),
  halves: fc.integer({ min: 1, max: 20 }),
  hoursPaid: fc.integer({ min: 0, max: 3 }),
  extras: fc.array(
    fc.record({
      unit_amount_minor: fc.integer({ min: 0, max: 5_000 }).map((n) => n * 10),
      quantity: fc.integer({ min: 1, max: 30 }),
      tax: fc.constantFrom([0, 'ZERO'] as const, [500, 'REDUCED'] as const, [2_000, 'STANDARD'] as const),
      account: fc.constantFrom(null, '220'),
    }),
    { maxLength: 4 },
  ),
  off: fc.oneof(
    fc.record({
      percent: fc.integer({ min: 1, max: 10_000 }).map((n) => n / 100),
      amount_minor: fc.constant(null),
    }),
    fc.record({ percent: fc.constant(null), amount_minor: fc.integer({ min: 1, max: 500_000 }) }),
  ),
});

test('with any code on any booking lines sum up, nothing is below zero, and tax matches each rate', (t) => {
  fc.assert(
    fc.property(drawn, ({ currency, price_per_hour_minor, halves, hoursPaid, extras, off }) => {
      const booked = extras.map(({ tax: [tax_rate_bps, tax_code], ...rest }, n) =>
        extra({ ...rest, extra_id: `extra ${n}`, tax_rate_bps, tax_code }),
      );
      const of = { ...TERMS, currency, price_per_hour_minor };
      const range = hours(halves / 2);
      const paid = Math.min(hoursPaid, Math.ceil(halves / 2));
      const full = priceBooking(of, range, 0, 0, booked);
      const { price, lines } = priceBooking(of, range, paid, 0, booked, terms(off));
      t.deepEqual(price, sumTotals(lines));
      t.deepEqual(sumTotals(toInvoiceLines(lines)), price);
      t.true(price.net_minor >= 0 && price.tax_minor >= 0 && price.net_minor <= full.price.net_minor);
      const codes = lines.filter(({ kind }) => kind === 'discount');
      const taken = Math.abs(sumTotals(codes).net_minor);
      const unit = smallestUnit(currency);
      if (off.amount_minor !== null)
        t.is(taken, Math.floor(Math.min(off.amount_minor, full.price.net_minor) / unit) * unit);
      else t.true(Math.abs(taken - (full.price.net_minor * off.percent) / 100) <= unit * (booked.length + 1));
      for (const { tax_rate_bps, net_minor, tax_minor } of taxPerRate(lines))
        t.is(tax_minor, taxOn(net_minor, tax_rate_bps, currency));
    }),
    { numRuns: 300 },
  );
});

test('the refund of extras with their own steps is reduced by what the code took off', (t) => {
  const lunch = extra({ quantity: 4, refund_steps: [{ hours_before: 0, percent: 100 }] });
  const { price, pricing } = priceBooking(TERMS, hours(2), 0, 0, [lunch], terms({ percent: 25 }));
  const booking = {
    status: 'confirmed' as const,
    start_at: new Date(START),
    currency: 'GBP',
    price_minor: price.total_minor,
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    tax_code: 'STANDARD',
    tax_rate_bps: 2_000,
    pricing,
    refund_caps: null,
    refund_percent_cap: 100,
  };
  // 40.00 less 10.00, and 5 % tax on 30.00. The room refunds nothing.
  t.is(refundOfCancellation(booking, [], START - HOUR_MS).amount_minor, 3_150);
  const percents = refundedPercents(
    booking,
    { lines: pricing!.lines },
    [],
    'standard',
    new Date(START - HOUR_MS),
  );
  t.deepEqual(percents, [0, 100, 0, 100], 'the code is refunded as what it is taken off');
});

const FACTS: DiscountFacts = {
  id: 'discount',
  code: 'SPRING',
  percent: 10,
  amount_minor: null,
  currency: null,
  room_ids: null,
  audience: { kind: 'everyone', tiers: null, company_ids: null },
  valid_from: null,
  valid_until: null,
  max_uses: null,
  max_uses_per_payer: null,
  archived: false,
  used: 0,
  used_by_payer: 0,
};

test('a code is refused for one reason', (t) => {
  const why = (of: Partial<DiscountFacts> | null) =>
    whyNotDiscount(of && { ...FACTS, ...of }, {
      room: { id: 'room', currency: 'GBP' },
      audience: { tier: null, company_id: null },
      now: Date.parse('2027-01-01T00:00:00Z'),
    });
  t.is(why({}), null);
  t.is(why(null), 'unknown');
  t.is(why({ archived: true }), 'archived');
  t.is(why({ valid_from: '2027-01-01T00:00:00Z' }), null);
  t.is(why({ valid_from: '2027-01-01T00:00:01Z' }), 'not_yet_valid');
  t.is(why({ valid_until: '2027-01-01T00:00:00Z' }), 'expired');
  t.is(why({ room_ids: ['other'] }), 'other_room');
  t.is(why({ audience: { kind: 'members', tiers: null, company_ids: null } }), 'other_audience');
  t.is(why({ amount_minor: 5, percent: null, currency: 'EUR' }), 'other_currency');
  t.is(why({ max_uses: 2, used: 1 }), null);
  t.is(why({ max_uses: 2, used: 2 }), 'used_up');
  t.is(why({ max_uses_per_payer: 1, used_by_payer: 1 }), 'used_up_by_payer');
});

test('codes are letters, digits, hyphens and underscores', (t) => {
  for (const code of ['AB', 'spring-10', '10_OFF', 'A'.repeat(40)]) t.regex(code, CODE_PATTERN);
  for (const code of ['A', '-AB', 'A B', 'Ä10', 'A'.repeat(41), 'AB\n', '']) t.notRegex(code, CODE_PATTERN);
});
