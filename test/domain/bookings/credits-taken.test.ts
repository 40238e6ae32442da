import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { planChange, type ChangeableBooking, type ChangeableRoom } from '../../../domain/bookings/change.js';
import { quoteCreate, type CreateRequest } from '../../../domain/bookings/create.js';
import {
  priceBooking,
  computeBookingPrice,
  buildPriceTerms,
  findRateTable,
  timeLeftToPay,
} from '../../../domain/rates/booking-price.js';
import { DEFAULT_DETAILS } from '../../../domain/bookings/details.js';
import type { DiscountFacts } from '../../../domain/discounts/code.js';
import { HOUR_MS } from '../../../domain/durations.js';
import type { BookableExtra } from '../../../domain/extras/extras.js';
import { taxPerRate, sumTotals } from '../../../domain/invoices/invoice.js';
import { discountIn, extrasIn, bookingLines, type PriceLine } from '../../../domain/rates/price-lines.js';
import { smallestUnit } from '../../../domain/processor/amounts.js';
import type { RoomRate } from '../../../domain/rates/rates.js';
import { elapsedMinutes } from '../../../domain/bookings/slots.js';
import { taxOn } from '../../../domain/invoices/tax.js';
import { amount, DAYS, drawnRate, someRate } from '../../support/some-rate.js';

const NOW = Date.parse('2027-01-05T12:00Z');
const TAX_CODES = [
  { code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' },
  { code: 'ODD', rate_bps: 825, accounting_tax_type: 'ODD' },
  { code: 'ZERO', rate_bps: 0, accounting_tax_type: 'ZERO' },
];
const AUDIENCE = { tier: 'pro' as const, company_id: null };
const ROOM: ChangeableRoom = {
  id: 'room',
  name: 'Blue room',
  time_zone: 'UTC',
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  tiers: null,
  archived: false,
  currency: 'GBP',
  price_per_hour_minor: 2_500,
  tax_code: 'STANDARD',
  tier_discounts: {},
  rates: [],
  rate_version: 0,
  edit_window_minutes: 0,
  turnaround_minutes: 0,
  refund_steps: [{ hours_before: 0, percent: 100 }],
};
const CODE: DiscountFacts = {
  id: 'discount',
  code: 'SPRING',
  percent: null,
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
const REQUEST: CreateRequest = {
  ...DEFAULT_DETAILS,
  room_id: 'room',
  start_at: new Date('2027-03-10T08:00Z'),
  end_at: new Date('2027-03-10T12:00Z'),
  member_id: 'mem_1',
  guest: null,
  use_tokens: true,
  // So that no amount is too small to be charged.
  settle: 'on_account',
  extras: [],
  metadata: {},
};
const rated = (...rates: RoomRate[]): ChangeableRoom => ({ ...ROOM, rates, rate_version: 1 });

/** The quote for a member with some credits. */
function quote(
  room: ChangeableRoom,
  credits: number,
  request: Partial<CreateRequest> = {},
  { code = null, extras = [] }: { code?: Partial<DiscountFacts> | null; extras?: BookableExtra[] } = {},
) {
  return quoteCreate(
    {
      workspace: {
        processor_status: 'active',
        processor_account_id: 'acct_1',
        recovering_since: null,
        checkout_hold_seconds: 900,
        tax_codes: TAX_CODES,
      },
      room,
      member: {
        ...AUDIENCE,
        status: 'active',
        hour_credit_balance: credits,
        payment_terms: 14,
      },
      booked: false,
      part_booked: false,
      blackout: false,
      extras: extras.map((extra) => ({ ...extra, stock: null, taken: 0 })),
      discount: code && { ...CODE, ...code },
    },
    { ...REQUEST, ...request, ...(code && { discount_code: CODE.code }) },
    NOW,
    { by_staff: true },
  );
}

/** The booking that a create stores from its quote. */
function stored(
  { room, price, pricing, discount_percent, tax_rate_bps, hour_credits_used }: ReturnType<typeof quote>,
  { start_at, end_at } = REQUEST,
): ChangeableBooking {
  return {
    ...DEFAULT_DETAILS,
    status: 'confirmed',
    no_show_at: null,
    room_id: room.id,
    start_at,
    end_at,
    occupied_until: end_at,
    currency: room.currency,
    refund_caps: null,
    price_minor: price.total_minor,
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    hour_credits_used,
    refund_percent_cap: 100,
    tax_code: room.tax_code,
    tax_rate_bps,
    price_per_hour_minor: room.price_per_hour_minor,
    discount_percent,
    company_id: null,
    pricing,
  };
}

const hours = (n: number) => ({ end_at: new Date(REQUEST.start_at.getTime() + n * HOUR_MS) });
const used = (
  room: ChangeableRoom,
  credits: number,
  n: number,
  code: Partial<DiscountFacts> | null = null,
) => {
  const { hour_credits_used, price } = quote(room, credits, hours(n), { code });
  return [hour_credits_used, price.net_minor];
};

test('hour credits pay for started hours as long as they lower the price', (t) => {
  t.deepEqual(used(ROOM, 2, 2.5), [2, 1_250]);
  t.deepEqual(used(ROOM, 5, 2.5), [3, 0]);
  const always = rated(someRate({ unit: 'day', amount_minor: 10_000, always: true }));
  t.deepEqual(used(always, 3, 8), [0, 10_000]);
  t.deepEqual(used(always, 8, 8), [8, 0]);
  // A day costs at most what its hours cost.
  const day = rated(someRate({ unit: 'day', amount_minor: 6_000 }));
  t.deepEqual(used(day, 1, 4), [0, 6_000]);
  t.deepEqual(used(day, 2, 4), [2, 5_000]);
  t.deepEqual(used(rated(someRate({ amount_minor: 2_500, cap_minor: 7_500 })), 2, 6), [0, 7_500]);
  t.deepEqual(used(rated(someRate({ amount_minor: 2_500, day_cap_minor: 7_500 })), 4, 6), [4, 5_000]);
  t.deepEqual(used(rated(someRate({ amount_minor: 2_500, minimum_minor: 7_500 })), 3, 4), [1, 7_500]);
  t.deepEqual(used(rated(someRate({ from: '08:00', to: '10:00', amount_minor: 0 })), 2, 4), [0, 5_000]);
});

test('a code is applied before hour credits, which lower what it leaves of each hour', (t) => {
  t.deepEqual(used(ROOM, 2, 2, { percent: 100 }), [0, 0]);
  t.deepEqual(used(ROOM, 2, 2, { percent: 50 }), [2, 0]);
  t.deepEqual(used(ROOM, 1, 2, { percent: 50 }), [1, 1_250]);
  t.deepEqual(used(ROOM, 1, 2, { amount_minor: 1_000, currency: 'GBP' }), [1, 2_000]);
  t.deepEqual(used(ROOM, 1, 2, { amount_minor: 9_000, currency: 'GBP' }), [0, 0]);
  const { lines } = quote(ROOM, 1, hours(2), { code: { percent: 50 } });
  t.like(lines, [
    { kind: 'time', net_minor: 5_000 },
    { kind: 'discount', net_minor: -2_500 },
    { kind: 'credit', quantity: 1, net_minor: -1_250, tax_minor: -250 },
  ]);
});

test('a code that takes nothing off is not used', (t) => {
  const free = { ...ROOM, price_per_hour_minor: 0 };
  t.is(quote(free, 0, {}, { code: { percent: 50 } }).pricing, null);
  t.is(
    quote({ ...ROOM, currency: 'KWD' }, 0, {}, { code: { amount_minor: 9, currency: 'KWD' } }).pricing,
    null,
  );
});

/** The booking after a change. */
function change(
  booking: ChangeableBooking,
  [from, to]: [ChangeableRoom, ChangeableRoom],
  place: { start: number; end: number },
  extras: BookableExtra[] = [],
) {
  const table = booking.pricing?.version == null || from.id !== to.id ? null : findRateTable(from, AUDIENCE);
  const request = { start_at: place.start, end_at: place.end };
  const { move } = planChange(booking, { from, to, table, extras }, AUDIENCE, TAX_CODES, request, NOW);
  if (!move) return { move, booking };
  const { price, rate, tax_code } = move;
  return {
    move,
    booking: {
      ...booking,
      ...rate,
      tax_code,
      room_id: to.id,
      start_at: new Date(move.start_at),
      end_at: new Date(move.end_at),
      occupied_until: new Date(move.occupied_until),
      price_minor: price.total_minor,
      net_minor: price.net_minor,
      tax_minor: price.tax_minor,
      hour_credits_used: move.hour_credits_used!,
      refund_percent_cap: Math.min(booking.refund_percent_cap, move.refund_percent),
      pricing: move.pricing!,
    },
  };
}

test('a change keeps the credits that still lower the price, and the terms return the others, unless the time costs more', (t) => {
  const day = { ...rated(someRate({ unit: 'day', amount_minor: 10_000, always: true })), id: 'day' };
  const start = REQUEST.start_at.getTime();
  const to = (percent: number, other: ChangeableRoom | null, n: number, cap = 100) => {
    const room = { ...ROOM, refund_steps: [{ hours_before: 0, percent }] };
    const booking = { ...stored(quote(room, 4)), refund_percent_cap: cap };
    t.is(booking.hour_credits_used, 4);
    const { move } = change(booking, [room, other ?? room], { start, end: start + n * HOUR_MS });
    return [move!.hour_credits_used, move!.price.net_minor];
  };
  t.deepEqual(to(100, null, 1.5), [2, 0]);
  t.deepEqual(to(50, null, 1.5), [4, 0], 'what is given up');
  t.deepEqual(to(100, null, 1.5, 50), [4, 0], 'an earlier move was made when less was returned');
  t.deepEqual(to(50, null, 5), [4, 2_500]);
  t.deepEqual(to(50, day, 4), [4, 0]);
  t.deepEqual(to(50, day, 5), [0, 10_000], 'never taken, and as dear');
});

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const account = fc.constantFrom(null, '260');
const taxCode = fc.constantFrom(...TAX_CODES.map(({ code }) => code));
const rates = fc.array(
  fc
    .record({
      rate: drawnRate,
      accounting_account: account,
      min_minutes: orNull(fc.integer({ min: 1, max: 600 })),
    })
    .map(({ rate, ...rest }) => ({ ...rate, ...rest })),
  { maxLength: 4 },
);
const place = fc
  .record({
    day: fc.constantFrom(...DAYS),
    from: fc.integer({ min: -10, max: 40 }),
    halves: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ day, from, halves }) => {
    const start = Date.parse(day) + from * (HOUR_MS / 2);
    return { start, end: start + halves * (HOUR_MS / 2) };
  });
const code = fc
  .record({
    worth: fc.oneof(
      fc.constantFrom(100, 50).map((percent) => ({ percent, amount_minor: null })),
      fc.integer({ min: 1, max: 10_000 }).map((n) => ({ percent: n / 100, amount_minor: null })),
      fc.integer({ min: 1, max: 40_000 }).map((amount_minor) => ({ percent: null, amount_minor })),
    ),
    room_ids: fc.constantFrom<string[] | null>(null, null, ['room']),
  })
  .map(({ worth: amountOff, ...rest }) => ({ ...amountOff, ...rest }));
const scenes = fc.record({
  currency: fc.constantFrom('GBP', 'JPY', 'KWD', 'MGA'),
  time_zone: fc.constantFrom('Europe/London', 'Australia/Lord_Howe', 'America/Santiago'),
  price_per_hour_minor: amount,
  discount: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
  tax_code: taxCode,
  rates,
  other_rates: rates,
  percent: fc.constantFrom(0, 50, 100),
  credits: fc.integer({ min: 0, max: 12 }),
  extras: fc.array(
    fc.record({
      unit: fc.constantFrom('booking' as const, 'hour' as const, 'piece' as const),
      price_minor: amount,
      tax_code: taxCode,
      accounting_account: account,
    }),
    { maxLength: 3 },
  ),
  code: orNull(code),
  at: place,
  to: place,
  moves_room: fc.boolean(),
});
type Scene = typeof scenes extends fc.Arbitrary<infer T> ? T : never;

function setUp({ extras: drawn, code, at, ...scene }: Scene) {
  const { currency, time_zone, price_per_hour_minor, tax_code, discount, percent } = scene;
  const room: ChangeableRoom = {
    ...rated(...scene.rates),
    currency,
    time_zone,
    price_per_hour_minor,
    tax_code,
    tier_discounts: { pro: discount },
    refund_steps: [{ hours_before: 0, percent }],
  };
  const other = { ...room, id: 'other', rates: scene.other_rates };
  const extras = drawn.map((extra, index): BookableExtra => ({
    ...extra,
    id: `extra ${index}`,
    name: 'Extra',
    currency,
    room_ids: null,
    cutoff_hours: 0,
    refund_steps: null,
    internal: false,
    archived: false,
  }));
  const request = {
    start_at: new Date(at.start),
    end_at: new Date(at.end),
    extras: extras.map(({ id, unit }) => ({ extra_id: id, quantity: unit === 'booking' ? 1 : 2 })),
  };
  const of = { code: code && { ...code, currency: code.amount_minor === null ? null : currency }, extras };
  const quoted = quote(room, scene.credits, request, of);
  return { room, other, extras, quoted, booking: stored(quoted, { ...REQUEST, ...request }), request, of };
}

/**
 * Checks that lines sum to a price with the tax of each rate, and that nothing is below zero or in fractions
 * of a unit.
 */
function assertLines(t: ExecutionContext, lines: PriceLine[], price: object, currency: string): void {
  t.deepEqual(sumTotals(lines), price);
  const unit = smallestUnit(currency);
  for (const { tax_rate_bps, net_minor, tax_minor } of taxPerRate(lines)) {
    t.is(tax_minor, taxOn(net_minor, tax_rate_bps, currency));
    t.true(net_minor >= 0 && tax_minor >= 0);
  }
  for (const { kind, net_minor, tax_minor } of lines) {
    t.true(kind === 'time' || kind === 'extra' ? net_minor >= 0 : net_minor < 0, `${kind} ${net_minor}`);
    t.is(Math.abs(net_minor % unit) + Math.abs(tax_minor % unit), 0);
  }
}

/** The price of a booking with each number of credits, by everything that decides it. */
const listPrices = ({ booking, room }: { booking: ChangeableBooking; room: ChangeableRoom }) => {
  const range = { start: booking.start_at.getTime(), end: booking.end_at.getTime() };
  const terms = buildPriceTerms(room, AUDIENCE, TAX_CODES);
  const priceWith = (credits: number) =>
    computeBookingPrice(terms, range, credits, NOW, extrasIn(booking), discountIn(booking));
  return { range, terms, priceWith };
};

test('a booking with any rates, extras and code uses as few credits as lower its price as far as all of them', (t) => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const { room, quoted, booking, request, of } = setUp(scene);
      const { price, lines, hour_credits_used } = quoted;
      assertLines(t, lines, price, room.currency);
      t.deepEqual(bookingLines({ ...booking, room_name: room.name, time_zone: room.time_zone }), lines);
      const { range, priceWith } = listPrices({ booking, room });
      const most = Math.min(scene.credits, Math.ceil(elapsedMinutes(range) / 60));
      const totals = Array.from({ length: most + 1 }, (_, n) => priceWith(n).price.total_minor);
      for (const [n, total] of totals.entries()) t.true(n === 0 || total <= totals[n - 1]!, 'never dearer');
      t.is(price.total_minor, totals[most]!);
      t.is(hour_credits_used, totals.indexOf(totals[most]!), 'no credit that lowers nothing');
      t.is(
        lines.some(({ kind }) => kind === 'credit'),
        hour_credits_used > 0,
      );
      const codes = (some: PriceLine[]) => some.filter(({ kind }) => kind === 'discount');
      t.is(codes(lines).length > 0, discountIn(booking) !== null, 'a code is used if it takes something off');
      const without = quote(room, 0, request, of);
      t.deepEqual(
        codes(lines).map(({ net_minor }) => net_minor),
        codes(without.lines).map(({ net_minor }) => net_minor),
        'a code comes before credits',
      );
      t.true(price.total_minor <= without.price.total_minor);
    }),
    { numRuns: 300 },
  );
});

test('a booking that moves and moves back has its old price and credits, less the credits that were returned', (t) => {
  const seen = { returned: 0, kept: 0, idle: 0 };
  fc.assert(
    fc.property(scenes, (scene) => {
      const { room, other, extras, booking } = setUp(scene);
      // Its room now has another currency, and the booking keeps its own.
      const there = scene.moves_room ? other : { ...room, currency: 'EUR' };
      const from = scene.moves_room ? room : there;
      const { move, booking: moved } = change(booking, [from, there], scene.to, extras);
      if (!move || move.waived) return;
      const lines = bookingLines({ ...moved, room_name: there.name, time_zone: there.time_zone });
      assertLines(
        t,
        lines.filter(({ net_minor }) => net_minor !== 0),
        move.price,
        booking.currency,
      );
      const [had, has] = [booking.hour_credits_used, moved.hour_credits_used];
      t.true(has <= had, 'a change takes no credits');
      const { range, terms, priceWith } = listPrices({
        booking: moved,
        room: { ...there, currency: room.currency },
      });
      t.deepEqual(priceWith(had).price, move.price);
      const lowers = priceBooking(terms, range, had, NOW, extrasIn(booking), discountIn(booking));
      const lowering = lowers.hour_credits_used;
      if (has !== lowering) {
        const before = bookingLines({ ...booking, room_name: room.name, time_zone: room.time_zone });
        t.is(has, had);
        t.true(scene.percent < 100);
        t.true(timeLeftToPay(lines, room.currency) <= timeLeftToPay(before, room.currency));
      }
      seen[has < had ? 'returned' : has > lowering ? 'idle' : 'kept'] += 1;

      const at = { start: booking.start_at.getTime(), end: booking.end_at.getTime() };
      const { move: back, booking: again } = change(moved, [there, from], at, extras);
      if (!back || back.waived) return;
      const home = listPrices({ booking: again, room });
      const left = priceBooking(home.terms, at, has, NOW, extrasIn(booking), discountIn(booking));
      t.deepEqual(back.price, left.price);
      if (has < had) return;
      t.is(back.price.total_minor, booking.price_minor);
      t.is(back.hour_credits_used, had);
    }),
    { numRuns: 500 },
  );
  t.log(seen);
  t.true(seen.returned > 10 && seen.kept > 10 && seen.idle > 10);
});
