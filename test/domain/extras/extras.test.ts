import test from 'ava';
import fc from 'fast-check';
import { priceBooking, type PriceTerms } from '../../../domain/rates/booking-price.js';
import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { keptLines, refundedPercents } from '../../../domain/bookings/cancellation.js';
import {
  EXTRA_UNITS,
  resolveExtras,
  sameExtras,
  type BookableExtra,
  type BookedExtra,
  type ExtrasContext,
} from '../../../domain/extras/extras.js';
import { taxPerRate, sumTotals } from '../../../domain/invoices/invoice.js';
import { owedLines, toInvoiceLines, type Pricing } from '../../../domain/rates/price-lines.js';
import type { Quote } from '../../../domain/rates/price.js';
import {
  capsAfter,
  limitedRefund,
  refundOfCancellation,
  refundOfDifference,
} from '../../../domain/bookings/refund-shares.js';
import { taxOn } from '../../../domain/invoices/tax.js';

const START = Date.parse('2027-03-10T09:00Z');
const hours = (n: number) => ({ start: START, end: START + n * HOUR_MS });
const TERMS: PriceTerms = {
  room_id: 'room',
  room_name: 'Blue room',
  time_zone: 'Europe/London',
  audience: { tier: null, company_id: null },
  price_per_hour_minor: 2_500,
  discount_percent: 0,
  tax_code: 'STANDARD',
  tax_rate_bps: 2_000,
  currency: 'GBP',
  table: null,
};
/** A booking whose price was never changed by a move. */
const refundable = (price: Quote, pricing: Pricing | null) => ({
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
});
const LUNCH: BookableExtra = {
  id: 'lunch',
  name: 'Lunch',
  unit: 'attendee',
  currency: 'GBP',
  price_minor: 1_800,
  tax_code: 'REDUCED',
  room_ids: null,
  cutoff_hours: 48,
  refund_steps: null,
  internal: false,
  archived: false,
  accounting_account: '220',
};
const CODES = [
  { code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'X' },
  { code: 'REDUCED', rate_bps: 500, accounting_tax_type: 'Y' },
];
const CONTEXT: ExtrasContext = {
  room: { id: 'room', currency: 'GBP' },
  attendees: 12,
  start: START,
  now: START - 72 * HOUR_MS,
  by_staff: false,
  moves: false,
};
const booked = (
  extra: Partial<BookableExtra>,
  quantity = 1,
  more: Partial<BookedExtra> = {},
): BookedExtra => {
  const known = { ...LUNCH, ...extra };
  const request = [{ extra_id: known.id, quantity }];
  const context = { ...CONTEXT, by_staff: true, now: 0, attendees: 10_000 };
  return { ...resolveExtras(request, { known: [known], booked: [], taxCodes: CODES }, context)[0]!, ...more };
};

/** The error of choosing one extra: its field and the end of its message. */
function extraError(
  extra: Partial<BookableExtra>,
  quantity: number,
  context: Partial<ExtrasContext> = {},
  was: BookedExtra[] = [],
): string | null {
  const known = { ...LUNCH, ...extra };
  const requests = quantity === 0 ? [] : [{ extra_id: known.id, quantity }];
  try {
    resolveExtras(requests, { known: [known], booked: was, taxCodes: CODES }, { ...CONTEXT, ...context });
    return null;
  } catch (error) {
    const { context: of, message } = error as ApiError;
    return `${of.param}: ${message}`;
  }
}

test('twelve lunches and a projector by the hour are priced with the tax of each rate', (t) => {
  const projector = booked(
    { id: 'projector', name: 'Projector', unit: 'hour', price_minor: 1_001, tax_code: 'STANDARD' },
    2,
  );
  const { price, lines, pricing } = priceBooking(TERMS, { start: START, end: START + 80 * MINUTE_MS }, 0, 0, [
    booked({}, 12),
    projector,
  ]);
  // 80 minutes of £25: £33.33. 2 × 1.3333 hours of £10.01: £26.69. 20 % of £60.02:
  // £12.00. 5 % of £216.00: £10.80.
  t.like(lines, [
    { kind: 'time', net_minor: 3_333, tax_minor: 666 },
    {
      kind: 'extra',
      description: 'Lunch',
      quantity: 12,
      unit: 'attendee',
      net_minor: 21_600,
      tax_minor: 1_080,
      account: '220',
    },
    {
      kind: 'extra',
      description: 'Projector',
      quantity: 2.6667,
      unit: 'hour',
      net_minor: 2_669,
      tax_minor: 534,
    },
  ]);
  t.deepEqual(price, { net_minor: 27_602, tax_minor: 2_280, total_minor: 29_882 });
  t.is(pricing!.version, null);
  t.like(toInvoiceLines(lines)[1], {
    quantity: 12,
    unit_amount_minor: 1_800,
    net_minor: 21_600,
    account: '220',
  });
});

test('with any extras the lines sum to the price, and each rate is taxed once on its sum', (t) => {
  const some = fc.array(
    fc.record({
      unit: fc.constantFrom(...EXTRA_UNITS),
      price_minor: fc.integer({ min: 0, max: 10_000 }),
      tax_code: fc.constantFrom('STANDARD', 'REDUCED'),
      quantity: fc.integer({ min: 1, max: 20 }),
    }),
    { maxLength: 5 },
  );
  const facts = fc.record({
    some,
    minutes: fc.integer({ min: 1, max: 600 }),
    currency: fc.constantFrom('JPY', 'GBP', 'KWD'),
  });
  fc.assert(
    fc.property(facts, ({ some, minutes, currency }) => {
      const extras = some.map(({ quantity, ...extra }, index) =>
        booked({ ...extra, id: `extra-${index}` }, extra.unit === 'booking' ? 1 : quantity),
      );
      const range = { start: START, end: START + minutes * MINUTE_MS };
      const { price, lines } = priceBooking({ ...TERMS, currency }, range, 0, 0, extras);
      t.deepEqual(sumTotals(lines), price);
      for (const { tax_rate_bps, net_minor, tax_minor } of taxPerRate(lines))
        t.is(tax_minor, taxOn(net_minor, tax_rate_bps, currency));
    }),
  );
});

test('an extra that cannot be booked is refused, and the error names the field', (t) => {
  t.is(extraError({}, 12), null);
  t.is(
    extraError({}, 13),
    'extras.0.quantity: extras.0.quantity of Lunch must be at most 12, the number of attendees.',
  );
  t.regex(extraError({ unit: 'booking' }, 2)!, /^extras\.0\.quantity: .* must be 1/);
  t.regex(extraError({ room_ids: ['other'] }, 1)!, /^extras\.0\.extra_id: .*cannot be booked with this room/);
  t.regex(extraError({ archived: true }, 1)!, /is archived/);
  t.regex(extraError({ currency: 'EUR' }, 1)!, /priced in EUR, not in GBP/);
  t.regex(extraError({ tax_code: 'GONE' }, 1)!, /^extras\.0\.extra_id: The workspace has no tax code GONE/);
  t.regex(extraError({}, 1, { now: START - 48 * HOUR_MS + 1 })!, /until 48 hours before the start/);
  t.is(extraError({}, 1, { now: START - 48 * HOUR_MS }), null);
  t.is(extraError({ cutoff_hours: 0 }, 1, { now: START }), null);
  t.regex(extraError({ internal: true }, 1)!, /is not an extra of the workspace/);
  t.is(extraError({ internal: true }, 1, { by_staff: true }), null);
  const twice = [1, 2].map((quantity) => ({ extra_id: 'lunch', quantity }));
  const known = { known: [LUNCH], booked: [], taxCodes: CODES };
  t.throws(() => resolveExtras(twice, known, CONTEXT), { message: /^extras\.1\.extra_id/ });
});

test('booked extras stay possible as they are, but more of them or another time must follow today’s rules', (t) => {
  const was = [booked({}, 4)];
  const late = { now: START - HOUR_MS };
  t.is(extraError({ archived: true, room_ids: ['other'] }, 4, late, was), null);
  t.is(extraError({}, 3, late, was), null);
  t.regex(extraError({}, 5, late, was)!, /until 48 hours/);
  t.regex(extraError({}, 4, { ...late, moves: true }, was)!, /until 48 hours/);
  t.regex(extraError({ room_ids: ['other'] }, 4, { moves: true }, was)!, /cannot be booked with this room/);
  // Guests and members neither change nor take off what staff booked.
  t.is(extraError({ internal: true }, 4, {}, was), null);
  t.regex(extraError({ internal: true }, 3, {}, was)!, /changed only by staff/);
  t.regex(extraError({ internal: true }, 0, {}, was)!, /^extras: .*must include Lunch/);
  t.is(extraError({ internal: true }, 0, { by_staff: true }, was), null);
  // The terms at the time of booking apply.
  const dearer = { known: [{ ...LUNCH, price_minor: 9_900 }], booked: was, taxCodes: CODES };
  t.like(resolveExtras([{ extra_id: 'lunch', quantity: 5 }], dearer, CONTEXT), [
    { unit_amount_minor: 1_800, quantity: 5 },
  ]);
  t.true(sameExtras(was, [{ extra_id: 'lunch', quantity: 4 }]));
  t.false(sameExtras(was, [{ extra_id: 'lunch', quantity: 5 }]));
});

test('an extra with its own refund steps is refunded by them, and the rest by those of the room', (t) => {
  const steps = [{ hours_before: 0, percent: 50 }];
  const extras = [booked({}, 10, { refund_steps: steps }), booked({ id: 'coffee', price_minor: 100 }, 10)];
  const { price, pricing } = priceBooking(TERMS, hours(2), 0, 0, extras);
  // £60.00 of time, £189.00 of lunch, £10.50 of coffee.
  t.is(price.total_minor, 25_950);
  const booking = refundable(price, pricing);
  const now = START - HOUR_MS;
  const room = [{ hours_before: 0, percent: 100 }];
  // 100 % of £70.50, 50 % of £189.00.
  const all = refundOfCancellation(booking, room, now);
  t.is(all.amount_minor, 16_500);
  t.deepEqual(
    all.credit.map(({ tax_code, net_minor, tax_minor }) => [tax_code, net_minor + tax_minor]),
    [
      ['STANDARD', 6_000],
      ['REDUCED', 9_450 + 1_050],
    ],
  );
  // A cap on the room's part applies to that part only.
  const capped = { ...booking, refund_caps: [{ extra_id: null, amount_minor: 7_050, percent: 10 }] };
  t.is(refundOfCancellation(capped, room, now).amount_minor, 705 + 9_450);
  // Never more than is left.
  const payments = [{ id: 'pay_1', refundable_minor: 5_000 }];
  t.is(limitedRefund(all, { left: null, refundable: payments }, 'GBP').amount_minor, 5_000);

  // Removing lunch refunds it by its steps; with an additional hour, that is set off first.
  const differenceTo = (to: ReturnType<typeof priceBooking>) =>
    refundOfDifference(booking, refundable(to.price, to.pricing), room, now);
  t.is(differenceTo(priceBooking(TERMS, hours(2), 0, 0, extras.slice(1))).amount_minor, 9_450);
  const longer = priceBooking(TERMS, hours(3), 0, 0, [{ ...extras[0]!, quantity: 5 }, extras[1]!]);
  // £94.50 less for lunch, £30.00 more for time: half of £64.50.
  t.is(differenceTo(longer).amount_minor, 3_225);
});

test('moving a booking never improves the refund of its extras', (t) => {
  const refund_steps = [
    { hours_before: 48, percent: 100 },
    { hours_before: 0, percent: 20 },
  ];
  const extras = [booked({}, 1, { refund_steps }), booked({ id: 'b' })];
  const { price, pricing } = priceBooking(TERMS, hours(1), 0, 0, extras);
  const booking = refundable(price, pricing);
  const steps = [{ hours_before: 0, percent: 100 }];
  const caps = capsAfter(booking, booking, { steps, moved: true, now: START - HOUR_MS });
  t.deepEqual(caps, [{ extra_id: 'lunch', amount_minor: 1_890, percent: 20 }]);
  const later = { ...booking, start_at: new Date(START + 900 * HOUR_MS), refund_caps: caps };
  // £30.00 for time, £18.90 for the other lunch, 20 % of £18.90.
  t.is(refundOfCancellation(later, steps, START).amount_minor, 3_000 + 1_890 + 378);
});

test('each line of an unpaid invoice stays due by its own steps', (t) => {
  const own = [{ hours_before: 0, percent: 0 }];
  const extras = [booked({}, 10, { refund_steps: own }), booked({ id: 'coffee', price_minor: 100 }, 10)];
  const { price, lines, pricing } = priceBooking(TERMS, hours(2), 0, 0, extras);
  const booking = { ...refundable(price, pricing), status: 'confirmed' as const };
  const steps = [{ hours_before: 0, percent: 40 }];
  const invoice = { currency: 'GBP', lines: toInvoiceLines(lines) };
  const now = new Date(START - HOUR_MS);
  const percents = refundedPercents(booking, invoice, steps, 'standard', now);
  t.deepEqual(percents, [40, 0, 40]);
  t.deepEqual(
    keptLines(invoice, percents).map(({ net_minor }) => net_minor),
    [3_000, 18_000, 600],
  );
  t.deepEqual(refundedPercents(booking, invoice, steps, 'full', now), [100, 100, 100]);
  // A move to a time that two rates price the same.
  const [time, ...others] = lines;
  const half = { ...time!, net_minor: time!.net_minor / 2, tax_minor: time!.tax_minor / 2 };
  const moved = { ...booking, pricing: { ...pricing!, lines: [half, half, ...others] } };
  const place = { ...TERMS, end_at: new Date(START + 2 * HOUR_MS), hour_credits_used: 0 };
  const owed = { currency: 'GBP', lines: owedLines({ ...place, ...moved }, invoice) };
  const eachPercent = refundedPercents(moved, owed, steps, 'standard', now);
  t.deepEqual(eachPercent, [40, 40, 0, 40]);
  t.is(
    sumTotals(keptLines(owed, eachPercent)).total_minor,
    sumTotals(keptLines(invoice, percents)).total_minor,
  );
  // The lines of this invoice are not those of the price.
  const old = { lines: [{ net_minor: price.net_minor }] };
  t.deepEqual(refundedPercents(booking, old, steps, 'standard', now), [40]);
});
