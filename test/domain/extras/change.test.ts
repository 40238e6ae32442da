import test from 'ava';
import { planChange, type ChangeableBooking, type ChangeableRoom } from '../../../domain/bookings/change.js';
import { priceBooking, buildPriceTerms, findRateTable } from '../../../domain/rates/booking-price.js';
import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import type { BookableExtra } from '../../../domain/extras/extras.js';
import type { ApiError } from '../../../domain/errors.js';
import { someRate } from '../../support/some-rate.js';

const START = Date.parse('2027-03-10T09:00Z');
const EARLY = START - 100 * HOUR_MS;
const LATE = START - 5 * HOUR_MS;
const CODES = [{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'X' }];
const AUDIENCE = { tier: null, company_id: null };
const ROOM: ChangeableRoom = {
  id: 'room',
  name: 'Blue room',
  time_zone: 'Europe/London',
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  tiers: null,
  archived: false,
  currency: 'GBP',
  price_per_hour_minor: 5_000,
  tax_code: 'STANDARD',
  tier_discounts: {},
  // Early bookers pay less.
  rates: [someRate({ amount_minor: 1_000, notice: { min_minutes: 1_440, max_days: null } })],
  rate_version: 1,
  edit_window_minutes: 60,
  turnaround_minutes: 0,
  refund_steps: [{ hours_before: 0, percent: 50 }],
};
const LUNCH: BookableExtra = {
  id: 'lunch',
  name: 'Lunch',
  unit: 'piece',
  currency: 'GBP',
  price_minor: 2_000,
  tax_code: 'STANDARD',
  room_ids: null,
  cutoff_hours: 0,
  refund_steps: null,
  internal: false,
  archived: false,
  accounting_account: null,
};

const range = { start: START, end: START + HOUR_MS };
const { price, pricing } = priceBooking(buildPriceTerms(ROOM, AUDIENCE, CODES), range, 0, EARLY);
const BOOKING: ChangeableBooking = {
  status: 'confirmed',
  no_show_at: null,
  room_id: 'room',
  start_at: new Date(START),
  end_at: new Date(range.end),
  occupied_until: new Date(range.end),
  currency: 'GBP',
  price_minor: price.total_minor,
  net_minor: price.net_minor,
  tax_minor: price.tax_minor,
  hour_credits_used: 0,
  tax_code: 'STANDARD',
  tax_rate_bps: 2_000,
  price_per_hour_minor: 5_000,
  discount_percent: 0,
  company_id: null,
  refund_caps: null,
  refund_percent_cap: 100,
  pricing,
  attendees: 1,
  notes: null,
};
const ROOMS = { from: ROOM, to: ROOM, table: findRateTable(ROOM, AUDIENCE), extras: [LUNCH] };
const extras = [{ extra_id: 'lunch', quantity: 1 }];
const plan = (request: object, now: number, booking = BOOKING) =>
  planChange(booking, ROOMS, { tier: null }, CODES, request, now);

test('changing only extras keeps the price of the time, even with rates that depend on the notice', (t) => {
  t.is(price.total_minor, 1_200);
  const { move } = plan({ extras }, LATE);
  t.like(move, {
    start_at: START,
    end_at: range.end,
    price: { total_minor: 3_600 },
    difference: { total_minor: 2_400 },
    pricing: { version: 1, lines: [{ net_minor: 1_000 }, { net_minor: 2_000 }] },
  });
  // With another time the whole booking gets today's price.
  const later = { start_at: START + HOUR_MS, end_at: range.end + HOUR_MS };
  t.is(plan({ extras, ...later }, LATE).move!.price.total_minor, 8_400);
  t.is(plan({ extras: [] }, LATE).move, null, 'nothing changes');
});

test('extras can be changed until the edit window, never for unpaid bookings, and by staff while a booking runs', (t) => {
  const thrownReason = (run: () => unknown) => (t.throws(run) as ApiError).context.details?.reason;
  t.is(
    thrownReason(() => plan({ extras }, START - HOUR_MS / 2)),
    'edit_window',
  );
  t.is(
    thrownReason(() => plan({ extras }, EARLY, { ...BOOKING, status: 'pending_payment' })),
    'unpaid',
  );
  const running = START + HOUR_MS / 2;
  t.is(
    thrownReason(() => plan({ extras }, running)),
    'edit_window',
  );
  t.is(plan({ extras, by_staff: true }, running).move!.difference.total_minor, 2_400);
});

test('cheap extras added one after another are charged once their sum reaches the minimum', (t) => {
  const cheap = { ...LUNCH, price_minor: 20 };
  const rooms = { ...ROOMS, extras: [cheap] };
  const of = (booking: ChangeableBooking, quantity: number) =>
    planChange(booking, rooms, { tier: null }, CODES, { extras: [{ extra_id: 'lunch', quantity }] }, LATE)
      .move!;
  const first = of(BOOKING, 1);
  t.like(first, { waived: true, difference: { total_minor: 0 }, price });
  const after = { ...BOOKING, pricing: first.pricing! };
  t.like(of(after, 2), { waived: false, difference: { total_minor: 48 } });
});

test('a booking keeps its turnaround until it moves or becomes longer', (t) => {
  const rooms = {
    ...ROOMS,
    from: { ...ROOM, turnaround_minutes: 15 },
    to: { ...ROOM, turnaround_minutes: 15 },
  };
  const freeAfter = (request: object): number => {
    const { move } = planChange(BOOKING, rooms, { tier: null }, CODES, request, EARLY);
    return (move!.occupied_until - move!.end_at) / MINUTE_MS;
  };
  t.is(freeAfter({ extras }), 0);
  t.is(freeAfter({ end_at: range.end - HOUR_MS / 2 }), 0);
  t.is(freeAfter({ end_at: range.end + HOUR_MS / 2 }), 15);
  t.is(freeAfter({ start_at: START + HOUR_MS }), 15);
});

test('more attendees must fit into the room, but those of a booking stay after its capacity was lowered', (t) => {
  const small = { ...ROOM, capacity: 2 };
  const rooms = { ...ROOMS, from: small, to: small };
  const booking = { ...BOOKING, attendees: 4 };
  const change = (request: object) => planChange(booking, rooms, { tier: null }, CODES, request, EARLY);
  t.is(change({ notes: 'Beamer' }).notes, 'Beamer');
  t.truthy(change({ extras }).move);
  t.is(change({ attendees: 3 }).attendees, 3);
  t.throws(() => change({ attendees: 5 }), { message: /capacity/ });
  t.throws(() => change({ start_at: START + HOUR_MS }), { message: /capacity/ });
});
