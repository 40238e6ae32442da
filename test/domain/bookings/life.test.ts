import test from 'ava';
import fc from 'fast-check';
import { planRefund } from '../../../domain/bookings/cancellation.js';
import {
  planChange,
  type ChangeableBooking,
  type ChangeableRoom,
  type ChangeRequest,
} from '../../../domain/bookings/change.js';
import { priceBooking, buildPriceTerms, findRateTable } from '../../../domain/rates/booking-price.js';
import {
  creditLines,
  exchangedParts,
  grossMinor,
  negated,
  splitOverTaxCodes,
  sumByTax,
  type TaxPart,
} from '../../../domain/invoices/credited-tax.js';
import { describedDifference } from '../../../domain/invoices/difference-lines.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { ApiError } from '../../../domain/errors.js';
import { resolveExtras, type BookableExtra } from '../../../domain/extras/extras.js';
import { sumTotals } from '../../../domain/invoices/invoice.js';
import { bookingLines } from '../../../domain/rates/price-lines.js';
import { minimumCharge, smallestUnit } from '../../../domain/processor/amounts.js';
import { spreadRefund, type RefundStep } from '../../../domain/bookings/refund-policy.js';
import {
  limitedRefund,
  refundOfDifference,
  listTaxParts,
  type LineRefund,
} from '../../../domain/bookings/refund-shares.js';
import { taxKey } from '../../../domain/invoices/tax.js';
import { allowedRefunds, type Moment } from '../../support/allowed-refunds.js';

/**
 * The random life of a booking, as pure functions: after each step its documents show, for each tax code,
 * what the booking costs and what a step did not refund.
 */

const DAY = 24 * HOUR_MS;
const NOON = Date.parse('2027-03-10T12:00Z');
const CODES = [
  { code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'OUTPUT2' },
  { code: 'REDUCED', rate_bps: 500, accounting_tax_type: 'RROUTPUT' },
  { code: 'ZERO', rate_bps: 0, accounting_tax_type: 'ZERORATEDOUTPUT' },
  { code: 'EXEMPT', rate_bps: 0, accounting_tax_type: 'EXEMPTOUTPUT' },
];
const AUDIENCE = { tier: null, company_id: null };
const ROOM: ChangeableRoom = {
  id: 'room',
  name: 'Room',
  time_zone: 'UTC',
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  tiers: null,
  archived: false,
  currency: 'GBP',
  price_per_hour_minor: 10_000,
  tax_code: 'STANDARD',
  tier_discounts: {},
  rates: [],
  rate_version: 1,
  edit_window_minutes: 0,
  turnaround_minutes: 0,
  refund_steps: [],
};
const EXTRA: BookableExtra = {
  id: 'lunch',
  name: 'Lunch',
  unit: 'piece',
  currency: 'GBP',
  price_minor: 10_000,
  tax_code: 'ZERO',
  room_ids: null,
  cutoff_hours: 0,
  refund_steps: null,
  internal: false,
  archived: false,
  accounting_account: null,
};

interface Payment {
  id: string;
  refundable_minor: number;
}

interface Refused {
  refused: true;
}

/** A booking with its payments and documents, as the commands keep them. */
class Life {
  documents: TaxPart[] = [];
  payments: Payment[] = [];
  received = 0;
  refunded = 0;
  /** What has happened to it, and the refunds for that by tax code, including tax. */
  moments: Moment[] = [];
  refundedByLines = new Map<string, number>();
  booking: ChangeableBooking;

  constructor(
    readonly rooms: ChangeableRoom[],
    readonly extras: BookableExtra[],
    requests: { extra_id: string; quantity: number }[],
    readonly now: number,
    hours = 1,
  ) {
    const [room] = rooms as [ChangeableRoom];
    const start = now + 30 * DAY;
    const range = { start, end: start + hours * HOUR_MS };
    const context = { room, attendees: 1, start, now, by_staff: false, moves: false };
    const booked = resolveExtras(requests, { known: extras, booked: [], taxCodes: CODES }, context);
    const terms = buildPriceTerms(room, AUDIENCE, CODES);
    const { price, pricing } = priceBooking(terms, range, 0, now, booked);
    this.booking = {
      status: 'confirmed',
      no_show_at: null,
      room_id: room.id,
      start_at: new Date(range.start),
      end_at: new Date(range.end),
      occupied_until: new Date(range.end),
      currency: room.currency,
      price_minor: price.total_minor,
      net_minor: price.net_minor,
      tax_minor: price.tax_minor,
      hour_credits_used: 0,
      tax_code: room.tax_code,
      tax_rate_bps: terms.tax_rate_bps,
      price_per_hour_minor: room.price_per_hour_minor,
      discount_percent: 0,
      company_id: null,
      pricing,
      refund_caps: null,
      refund_percent_cap: 100,
      attendees: 1,
      notes: null,
    };
    this.documents.push(...listTaxParts(this.booking));
    this.pay(price.total_minor);
    this.happened('changed', now, []);
  }

  /** Records what has happened, and what was refunded for it. */
  happened(type: Moment['type'], now: number, credit: TaxPart[]): void {
    const { room_id, start_at, end_at } = this.booking;
    const lines = bookingLines({ ...this.booking, room_name: room_id, time_zone: 'UTC' });
    const booking = { room_id, start_at: start_at.toISOString(), end_at: end_at.toISOString(), lines };
    this.moments.push({ type, at: new Date(now).toISOString(), booking });
    for (const part of credit) {
      const before = this.refundedByLines.get(part.tax_code) ?? 0;
      this.refundedByLines.set(part.tax_code, before + grossMinor(part));
    }
  }

  pay(amount_minor: number): void {
    if (amount_minor > 0)
      this.payments.unshift({ id: `pay_${this.payments.length}`, refundable_minor: amount_minor });
    this.received += amount_minor;
  }

  /** Refunds an amount, newest payments first, and issues its credit note. */
  refund({ amount_minor, credit }: { amount_minor: number; credit: TaxPart[] | undefined }): void {
    for (const share of spreadRefund(this.payments, amount_minor))
      this.payments.find(({ id }) => id === share.payment_id)!.refundable_minor -= share.amount_minor;
    const amount = { amount_minor, currency: this.booking.currency };
    const parts = credit
      ? creditLines(amount, credit, this.documents, this.documents)
      : splitOverTaxCodes(amount, this.documents);
    this.documents.push(...negated(parts));
    this.refunded += amount_minor;
  }

  room(id = this.booking.room_id): ChangeableRoom {
    return this.rooms.find((room) => room.id === id)!;
  }

  /** Changes the booking as a `PATCH` does. Returns the refund; null if it is refused. */
  change(request: ChangeRequest, now = this.now): LineRefund | null | Refused {
    const from = this.room();
    const to = this.room(request.room_id);
    const rooms = { from, to, table: findRateTable(from, AUDIENCE), extras: this.extras };
    const { booking } = this;
    let plan;
    try {
      plan = planChange(booking, rooms, { tier: null }, CODES, request, now);
    } catch (error) {
      if (error instanceof ApiError) return { refused: true };
      throw error;
    }
    const { move } = plan;
    if (!move) return null;
    const after: ChangeableBooking = {
      ...booking,
      room_id: move.room_id,
      start_at: new Date(move.start_at),
      end_at: new Date(move.end_at),
      occupied_until: new Date(move.occupied_until),
      price_minor: move.price.total_minor,
      net_minor: move.price.net_minor,
      tax_minor: move.price.tax_minor,
      tax_code: move.tax_code,
      tax_rate_bps: move.rate.tax_rate_bps,
      price_per_hour_minor: move.rate.price_per_hour_minor,
      pricing: move.pricing ?? null,
      refund_caps: move.refund_caps!,
    };
    const left = sumByTax(this.documents);
    const isCheaper = move.difference.total_minor < 0;
    const refund = isCheaper
      ? limitedRefund(
          refundOfDifference(booking, after, from.refund_steps, now),
          { left, refundable: this.payments },
          booking.currency,
        )
      : null;
    const paid_minor = Math.max(0, move.difference.total_minor);
    const words = (room: ChangeableRoom) => ({ room_name: room.name, time_zone: 'UTC' });
    const difference = describedDifference({ ...booking, ...words(from) }, { ...after, ...words(to) });
    if (refund) this.refund(refund);
    const facts = { refunded: refund?.credit ?? [], left: this.documents, paid_minor };
    const { taken, added } = exchangedParts(difference, facts, booking.currency);
    this.documents.push(...negated(taken), ...added);
    this.pay(paid_minor);
    this.booking = after;
    this.happened('changed', now, refund?.credit ?? []);
    return refund;
  }

  cancel(choice: 'standard' | 'full', now = this.now) {
    const { refund_steps } = this.room();
    const facts = {
      booking: this.booking,
      refundable: this.payments,
      left: sumByTax(this.documents),
      refund_steps,
    };
    const plan = planRefund(facts, choice, new Date(now));
    this.refund({ amount_minor: plan.refund_minor, credit: plan.credit });
    if (choice === 'standard') this.happened('cancelled by the steps', now, plan.credit!);
    return plan.refund_minor;
  }

  /** Net and tax that the documents charge in total, by tax code. */
  charged(): Record<string, [number, number]> {
    const sums: Record<string, [number, number]> = {};
    for (const { tax_code, net_minor, tax_minor } of this.documents) {
      const [net, tax] = sums[tax_code] ?? [0, 0];
      sums[tax_code] = [net + net_minor, tax + tax_minor];
    }
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum.some((amount) => amount !== 0)));
  }

  /** Net and tax of the booking's price, by tax code. */
  priced(): Record<string, [number, number]> {
    const parts = listTaxParts(this.booking).filter((part) => grossMinor(part) !== 0);
    return Object.fromEntries(
      parts.map(({ tax_code, net_minor, tax_minor }) => [tax_code, [net_minor, tax_minor]]),
    );
  }
}

const ALWAYS: RefundStep[] = [{ hours_before: 0, percent: 100 }];
const room = (id: string, price_per_hour_minor: number, tax_code: string, refund_steps = ALWAYS) => ({
  ...ROOM,
  id,
  price_per_hour_minor,
  tax_code,
  refund_steps,
});

test('whatever is taken off a booking is credited under its own tax code', (t) => {
  // 100.00 + 20.00 for the room, 100.00 at ZERO for lunch.
  const life = new Life([room('a', 10_000, 'STANDARD')], [EXTRA], [{ extra_id: 'lunch', quantity: 1 }], NOON);
  life.change({ extras: [] });
  t.deepEqual(life.charged(), { STANDARD: [10_000, 2_000] });
  t.is(life.refunded, 10_000);
});

test('a move to another tax and back leaves nothing of the other, and a cancellation nothing at all', (t) => {
  const rooms = [
    room('standard', 10_000, 'STANDARD'),
    room('reduced', 10_000, 'REDUCED'),
    room('zero', 20_000, 'ZERO'),
    room('exempt', 12_000, 'EXEMPT'),
    room('nearly', 12_010, 'ZERO'),
  ];
  for (const other of ['reduced', 'zero', 'exempt', 'nearly']) {
    const life = new Life(rooms, [], [], NOON);
    life.change({ room_id: other });
    t.deepEqual(life.charged(), life.priced(), other);
    life.change({ room_id: 'standard' });
    t.deepEqual(life.charged(), { STANDARD: [10_000, 2_000] }, other);
    life.cancel('full');
    t.deepEqual(life.charged(), {}, other);
  }
});

test('the price of an extra is refunded by its own steps, whenever it was added', (t) => {
  const steps = [{ hours_before: 1_000, percent: 100 }];
  const own = { ...EXTRA, price_minor: 50_000, refund_steps: ALWAYS };
  const lunch = [{ extra_id: 'lunch', quantity: 1 }];
  const later = { start_at: NOON + 60 * DAY };
  const apart = new Life([room('a', 10_000, 'STANDARD', steps)], [own], [], NOON);
  apart.change(later);
  apart.change({ extras: lunch });
  t.is(apart.cancel('standard'), 50_000);
  const together = new Life([room('a', 10_000, 'STANDARD', steps)], [own], [], NOON);
  together.change({ ...later, extras: lunch });
  t.is(together.cancel('standard'), 50_000);
  // What was booked before the move keeps its percentage; what is added after it has none.
  const more = new Life([room('a', 10_000, 'STANDARD', steps)], [own], lunch, NOON);
  more.change(later, NOON + 31 * DAY - HOUR_MS);
  more.change({ extras: [{ extra_id: 'lunch', quantity: 3 }] });
  t.is(more.cancel('standard'), 150_000);
});

test('what the steps do not refund stays charged under the code of what was taken off', (t) => {
  const half = [{ hours_before: 0, percent: 50 }];
  const lunch = [{ extra_id: 'lunch', quantity: 1 }];
  const life = new Life([room('a', 10_000, 'STANDARD', half)], [EXTRA], lunch, NOON);
  life.change({ extras: [] });
  t.deepEqual(life.charged(), { STANDARD: [10_000, 2_000], ZERO: [5_000, 0] });
  t.is(life.cancel('standard'), 6_000);
  t.deepEqual(life.charged(), { STANDARD: [5_000, 1_000], ZERO: [5_000, 0] });
});

test('a change credits at most what a refund without its own lines has left of a line', (t) => {
  const lunch = [{ extra_id: 'lunch', quantity: 1 }];
  const life = new Life([room('a', 10_000, 'STANDARD')], [EXTRA], lunch, NOON);
  life.refund({ amount_minor: 11_000, credit: undefined });
  t.deepEqual(life.charged(), { STANDARD: [5_000, 1_000], ZERO: [5_000, 0] });
  life.change({ extras: [] });
  t.deepEqual(life.charged(), { STANDARD: [5_000, 1_000] });
  t.is(life.refunded, 16_000);
});

const codes = fc.constantFrom('STANDARD', 'REDUCED', 'ZERO', 'EXEMPT');
const amounts = fc.oneof(
  fc.integer({ min: 0, max: 40_000 }),
  fc.constantFrom(10, 20, 10_000, 10_010, 12_000),
);
const stepLists = fc
  .array(
    fc.record({
      hours_before: fc.constantFrom(0, 24, 168, 480, 720),
      percent: fc.constantFrom(0, 33, 50, 100),
    }),
    { maxLength: 3 },
  )
  .map((steps) => [...new Map(steps.map((step) => [step.hours_before, step])).values()]);

const worlds = fc.constantFrom('GBP', 'JPY', 'KWD', 'MGA').chain((currency) => {
  const unit = smallestUnit(currency);
  const prices = amounts.map((amount) => amount * unit);
  return fc.record({
    rooms: fc
      .array(fc.record({ price: prices, tax_code: codes, steps: stepLists }), { minLength: 2, maxLength: 4 })
      .map((list) =>
        list.map(({ price, tax_code, steps }, n) => ({
          ...room(`room-${n}`, price, tax_code, steps),
          currency,
        })),
      ),
    extras: fc
      .array(fc.record({ price_minor: prices, tax_code: codes, refund_steps: fc.option(stepLists) }), {
        maxLength: 3,
      })
      .map((list) =>
        list.map((extra, n) => ({ ...EXTRA, ...extra, currency, id: `extra-${n}`, name: `Extra ${n}` })),
      ),
    hours: fc.integer({ min: 1, max: 8 }),
    booked: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 }),
  });
});

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('change' as const),
      room: fc.option(fc.nat(3), { nil: undefined }),
      day: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      halves: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined }),
      extras: fc.option(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 }), {
        nil: undefined,
      }),
    }),
    fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
    fc.record({
      kind: fc.constant('discretionary' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  ),
  { maxLength: 8 },
);

const extrasIn = (extras: BookableExtra[], quantities: number[]) =>
  extras.flatMap(({ id: extra_id }, n) =>
    quantities[n]! > 0 ? [{ extra_id, quantity: quantities[n]! }] : [],
  );

/**
 * Checks what must be true of a booking after each step. `discretionary`: money was refunded without its own
 * lines.
 */
function check(t: import('ava').ExecutionContext, life: Life, discretionary: boolean): void {
  const unit = smallestUnit(life.booking.currency);
  const charged = new Map(sumByTax(life.documents).map((part) => [taxKey(part), part]));
  t.is(
    sumTotals(life.documents).total_minor,
    life.received - life.refunded,
    'documents are the money that is kept',
  );
  for (const part of charged.values()) t.true(grossMinor(part) >= 0);
  if (discretionary) return;
  const left = sumTotals(life.documents).total_minor;
  t.true(left >= life.booking.price_minor, 'the price is charged');
  for (const part of listTaxParts(life.booking)) {
    const has = charged.get(taxKey(part));
    const kept = (has ? grossMinor(has) : 0) - grossMinor(part);
    t.true(kept >= 0, `${part.tax_code} is charged what the booking has`);
    // Exactly, if nothing was kept; otherwise the tax of the kept part was rounded.
    if (kept === 0 && has)
      t.true(
        Math.abs(has.tax_minor - part.tax_minor) <= 2 * unit,
        `${part.tax_code}: ${has.tax_minor} of ${part.tax_minor}`,
      );
  }
  if (left === life.booking.price_minor) t.deepEqual(life.charged(), life.priced(), 'nothing was kept');
}

/**
 * Checks that changes and the cancellation have refunded for each tax code what the lines allow;
 * `discretionary`: or less.
 */
function checkRefunds(t: import('ava').ExecutionContext, life: Life, discretionary: boolean): void {
  const { rooms, extras, moments, refundedByLines } = life;
  const own = [...rooms, ...extras].flatMap(({ id, refund_steps }) =>
    refund_steps ? [[id, refund_steps] as const] : [],
  );
  const allowed = allowedRefunds(moments, { steps: new Map(own), accounts: new Map() });
  const rounding = 3 * moments.length * smallestUnit(life.booking.currency);
  for (const code of new Set([...allowed.keys(), ...refundedByLines.keys()])) {
    const [least, most] = allowed.get(code) ?? [0, 0];
    const minor = refundedByLines.get(code) ?? 0;
    t.true(minor <= most + rounding, `${code}: ${minor} of at most ${most}`);
    if (!discretionary) t.true(minor >= least - rounding, `${code}: ${minor} of at least ${least}`);
  }
}

test('after each step of a random life, the documents match the booking and what was kept, by tax code', (t) => {
  fc.assert(
    fc.property(worlds, steps, ({ rooms, extras, hours, booked }, sequence) => {
      const life = new Life(rooms, extras, extrasIn(extras, booked), NOON, hours);
      const { price_minor, currency } = life.booking;
      fc.pre(price_minor === 0 || price_minor >= minimumCharge(currency));
      let now = NOON;
      let discretionary = false;
      for (const step of sequence) {
        if (step.kind === 'wait') now += step.days * DAY;
        else if (step.kind === 'discretionary') {
          const left = life.payments.reduce((sum, payment) => sum + payment.refundable_minor, 0);
          const unit = smallestUnit(currency);
          const amount_minor = Math.floor((left * step.share) / unit) * unit;
          if (amount_minor > 0) {
            life.refund({ amount_minor, credit: undefined });
            discretionary = true;
          }
        } else {
          const { start_at, end_at } = life.booking;
          const start = step.day === undefined ? start_at.getTime() : now + step.day * DAY;
          const length =
            step.halves === undefined ? end_at.getTime() - start_at.getTime() : step.halves * (HOUR_MS / 2);
          const before = life.booking.price_minor;
          const refund = life.change(
            {
              start_at: start,
              end_at: start + length,
              ...(step.room !== undefined && { room_id: rooms[step.room % rooms.length]!.id }),
              ...(step.extras && { extras: extrasIn(extras, step.extras) }),
            },
            now,
          );
          if (refund && 'amount_minor' in refund)
            t.true(refund.amount_minor <= before - life.booking.price_minor, 'at most the difference');
        }
        check(t, life, discretionary);
      }
      const standard = life.cancel('standard', now);
      checkRefunds(t, life, discretionary);
      t.true(standard <= life.received);
      t.is(sumTotals(life.documents).total_minor, life.received - life.refunded);
      life.cancel('full', now);
      t.deepEqual(life.charged(), {}, 'a full refund credits everything');
    }),
    { numRuns: 3_000 },
  );
});
