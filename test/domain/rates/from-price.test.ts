import test from 'ava';
import { startOfDay } from '../../../domain/cycle.js';
import fc from 'fast-check';
import { computeBookingPrice, buildPriceTerms } from '../../../domain/rates/booking-price.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import { computeFromPrice } from '../../../domain/rates/from-price.js';
import { lineFrom, lineUntil } from '../../../domain/rooms/grid.js';
import { DEFAULT_TAX_CODES } from '../../../domain/rates/price.js';
import { WEEKDAYS, type Range } from '../../../domain/bookings/slots.js';
import { someRate } from '../../support/some-rate.js';
import { CHANGES } from '../../support/zones.js';

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
const amount = fc.integer({ min: 0, max: 5_000 });
const time = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const minute = String((quarter % 4) * 15).padStart(2, '0');
  return `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${minute}`;
});

const drawnRate = fc
  .record({
    days: orNull(fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 })),
    window: orNull(fc.tuple(time, time)),
    kind: fc.constantFrom('everyone' as const, 'guests' as const, 'members' as const),
    unit: fc.constantFrom('hour' as const, 'hour' as const, 'flat' as const, 'day' as const),
    amount_minor: amount,
    cap_minor: orNull(amount),
    minimum_minor: orNull(amount),
    min_minutes: orNull(fc.constantFrom(30, 60, 90, 240)),
    notice: orNull(
      fc.record({
        min_minutes: orNull(fc.integer({ min: 0, max: 6 * 1_440 })),
        max_days: orNull(fc.integer({ min: 0, max: 6 })),
      }),
    ),
    always: fc.boolean(),
  })
  .map(({ window, kind, ...rate }) =>
    someRate({
      ...rate,
      from: window?.[0] ?? null,
      to: window?.[1] ?? null,
      audience: { kind, tiers: null, company_ids: null },
    }),
  );

const drawn = fc.record({
  change: fc.constantFrom(...CHANGES),
  slot_minutes: fc.constantFrom(15, 30, 45, 60, 90, 180),
  min_minutes: orNull(fc.constantFrom(1, 30, 50, 60, 150, 1_440)),
  max_minutes: orNull(fc.constantFrom(1_440, 3_000)),
  price_per_hour_minor: amount,
  rates: fc.array(drawnRate, { maxLength: 4 }),
  tier: orNull(fc.constant('pro' as const)),
  windows: fc.array(
    fc.record({ after: fc.integer({ min: 0, max: 200 }), halves: fc.integer({ min: 1, max: 120 }) }),
    { minLength: 1, maxLength: 4 },
  ),
});

const ROOM = {
  id: 'room',
  name: 'Room',
  time_zone: 'UTC',
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  price_per_hour_minor: 2_500,
  rates: [],
  rate_version: 0,
  currency: 'GBP',
  tax_code: 'ZERO',
  tier_discounts: {},
  capacity: null,
  opening_hours: null,
  tiers: null,
  archived: false,
};

test('the price of a window is that of the cheapest booking of the shortest length in it', (t) => {
  let known = 0;
  fc.assert(
    fc.property(drawn, ({ change: [time_zone, at], tier, windows, rates, ...of }) => {
      const room = {
        ...ROOM,
        ...of,
        id: `room ${known++}`,
        time_zone,
        rates,
        rate_version: 1,
        tax_code: 'STANDARD',
        tier_discounts: { pro: 10 },
      };
      const now = Date.parse(`${at}Z`) - 3 * DAY_MS;
      const terms = buildPriceTerms(room, { tier, company_id: null }, DEFAULT_TAX_CODES);
      // A second time, as another request does.
      for (const later of [0, 7 * MINUTE_MS]) {
        const fromPrice = computeFromPrice(room, tier, DEFAULT_TAX_CODES, now + later)!;
        let from = now;
        for (const { after, halves } of windows) {
          const start = lineFrom(from + after * MINUTE_MS * 30, room);
          const window: Range = { start, end: lineUntil(start + halves * 30 * MINUTE_MS, room) };
          from = window.end;
          let least: number | null = null;
          for (let at = start; ; at = lineFrom(at + 1, room)) {
            const end = lineFrom(at + (room.min_minutes ?? 1) * MINUTE_MS, room);
            if (end > window.end) break;
            if (end - at > (room.max_minutes ?? Infinity) * MINUTE_MS) continue;
            const { total_minor } = computeBookingPrice(terms, { start: at, end }, 0, now + later).price;
            least = Math.min(least ?? Infinity, total_minor);
          }
          if (fromPrice({ start: window.start, end: window.end }, window.end) !== least) return false;
        }
      }
      return true;
    }),
    { numRuns: 400 },
  );
  t.true(known >= 400);
});

test('a workspace that no longer has the tax code of a room has no price for it', (t) => {
  t.is(computeFromPrice({ ...ROOM, tax_code: 'OLD' }, null, DEFAULT_TAX_CODES, 0), null);
});

test('a room whose shortest booking is longer than a day is priced once for each day', (t) => {
  const room = {
    ...ROOM,
    id: 'long room',
    slot_minutes: 60,
    min_minutes: 2 * 1_440,
    price_per_hour_minor: 2_000,
    rates: [someRate({ days: ['mon'], amount_minor: 1_000 })],
    rate_version: 1,
  };
  const friday = Date.parse('2027-01-01T00:00:00Z');
  const fromPrice = computeFromPrice(room, null, DEFAULT_TAX_CODES, friday - HOUR_MS)!;
  // From Sunday 00:00: a day at 20.00 an hour, and Monday at 10.00.
  t.is(fromPrice({ start: friday, end: friday + 7 * DAY_MS }, friday + 7 * DAY_MS), 72_000);
});

test('the shortest booking of a room booked by days has the hours of its days, also when clocks change', (t) => {
  const from = (
    day: string,
    until: string,
    limits: { min_minutes: number | null; max_minutes: number | null },
  ) => {
    const room = {
      ...ROOM,
      ...limits,
      id: `days ${day} ${JSON.stringify(limits)}`,
      time_zone: 'Europe/London',
      slot_minutes: 1_440,
      price_per_hour_minor: 100,
    };
    const [start, end] = [startOfDay(day, room.time_zone), startOfDay(until, room.time_zone)].map(Number);
    return computeFromPrice(room, null, DEFAULT_TAX_CODES, start! - HOUR_MS)!(
      { start: start!, end: end! },
      end!,
    );
  };
  const oneDay = { min_minutes: 1_440, max_minutes: null };
  t.is(from('2027-03-28', '2027-03-29', oneDay), 2_300);
  t.is(from('2027-03-28', '2027-03-30', oneDay), 2_300);
  t.is(from('2027-10-31', '2027-11-01', { min_minutes: null, max_minutes: 1_440 }), 2_500);
  t.is(from('2027-03-27', '2027-03-29', { min_minutes: 2_880, max_minutes: 2_880 }), 4_700);
});
