import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { RoomRate } from '../../domain/rates/rates.js';
import { WEEKDAYS } from '../../domain/bookings/slots.js';

/** A rate of 15.00 an hour, for everyone at any time. */
export const someRate = (overrides: Partial<RoomRate> = {}): RoomRate => ({
  id: randomUUID(),
  name: 'Rate',
  days: null,
  from: null,
  to: null,
  dates: null,
  audience: { kind: 'everyone', tiers: null, company_ids: null },
  unit: 'hour',
  amount_minor: 1_500,
  cap_minor: null,
  day_cap_minor: null,
  minimum_minor: null,
  min_minutes: null,
  notice: null,
  closed: false,
  always: false,
  accounting_account: null,
  ...overrides,
});

/** Days on which clocks change somewhere, and one on which they do not. */
export const DAYS = [
  '2027-03-28',
  '2027-10-31',
  '2027-04-04',
  '2027-10-03',
  '2027-09-05',
  '2027-04-03',
  '2027-06-16',
];

const time = fc
  .integer({ min: 0, max: 47 })
  .map((half) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 });
export const amount = fc.integer({ min: 0, max: 5_000 });

/** Any rate for everyone, in any unit, with any window and limits. */
export const drawnRate: fc.Arbitrary<RoomRate> = fc
  .record({
    days: orNull(fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 })),
    window: orNull(fc.tuple(time, time)),
    dates: orNull(
      fc.record({ from: orNull(fc.constantFrom(...DAYS)), to: orNull(fc.constantFrom(...DAYS)) }),
    ),
    unit: fc.constantFrom('hour' as const, 'hour' as const, 'flat' as const, 'day' as const),
    amount_minor: amount,
    cap_minor: orNull(amount),
    day_cap_minor: orNull(amount),
    minimum_minor: orNull(amount),
    always: fc.boolean(),
  })
  .map(({ window, ...rate }) => someRate({ ...rate, from: window?.[0] ?? null, to: window?.[1] ?? null }));
