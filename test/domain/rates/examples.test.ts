import test from 'ava';
import type { BookableRoom } from '../../../domain/bookings/slots.js';
import { cheaperThanShorter, exampleTimes, rateExamples } from '../../../domain/rates/examples.js';
import { someRate } from '../../support/some-rate.js';

const NOW = Date.parse('2027-06-01T00:00Z');
const TAX = [{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'X' }];
const room = (price_per_hour_minor: number, rates = [someRate()], terms: Partial<BookableRoom> = {}) => ({
  id: 'b2c1f4de-0000-4000-8000-000000000001',
  name: 'Blue room',
  time_zone: 'Europe/London',
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  tiers: null,
  archived: false,
  price_per_hour_minor,
  currency: 'GBP',
  tax_code: 'STANDARD',
  tier_discounts: {},
  rates,
  rate_version: 1,
  ...terms,
});

/** `Wed 10:00–11:00` in London, of each example. */
const readTimes = (of: ReturnType<typeof room>): string[] =>
  exampleTimes(of, NOW).map((time) => {
    const [start, end] = [time.start, time.end].map((at) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Europe/London',
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
      }).format(at),
    );
    return `${start}–${end}`.replaceAll(',', '');
  });
const readPrices = (of: ReturnType<typeof room>): (number | null)[] =>
  rateExamples(of, TAX, exampleTimes(of, NOW), NOW).map(({ price_minor }) => price_minor);

test('rooms whose full day exceeds the maximum payment have example prices too', (t) => {
  const dear = room(99_999_999, []);
  t.deepEqual(readPrices(dear), [119_999_999, 359_999_996, 959_999_990]);
  t.is(cheaperThanShorter(dear, TAX, NOW), null);
});

test('an example is at an open time, and a price for long bookings is found', (t) => {
  const closed = someRate({ days: ['sat'], closed: true, amount_minor: 0 });
  const rates = [closed, someRate({ amount_minor: 500, min_minutes: 240 })];
  t.deepEqual(readTimes(room(2_500, rates)), [
    'Wed 10:00–Wed 11:00',
    'Wed 18:00–Wed 21:00',
    'Sun 09:00–Sun 17:00',
  ]);
  t.deepEqual(readPrices(room(2_500, rates)), [3_000, 9_000, 4_800]);
  t.truthy(cheaperThanShorter(room(2_500, rates), TAX, NOW));
  t.is(cheaperThanShorter(room(2_500), TAX, NOW), null);
  const [before, after] = [room(2_500, []), room(2_500, [closed])];
  t.deepEqual(
    rateExamples(after, TAX, exampleTimes(before, NOW), NOW).map(({ price_minor }) => price_minor),
    [3_000, 9_000, null],
    'a rate that closes a time is seen at the times that could be booked before',
  );
});

test('examples are within opening hours, on the grid and of a length that can be booked', (t) => {
  const opens: BookableRoom['opening_hours'] = { wed: [['09:00', '17:30']], sat: [['12:00', '15:00']] };
  t.deepEqual(readTimes(room(2_500, [], { opening_hours: opens })), [
    'Wed 10:00–Wed 11:00',
    'Wed 09:00–Wed 12:00',
    'Sat 12:00–Sat 15:00',
  ]);
  t.deepEqual(readTimes(room(2_500, [], { opening_hours: opens, min_minutes: 120, max_minutes: 120 })), [
    'Wed 10:00–Wed 12:00',
    'Wed 09:00–Wed 11:00',
    'Sat 12:00–Sat 14:00',
  ]);
  t.deepEqual(readTimes(room(2_500, [], { slot_minutes: 1_440 })), [
    'Thu 00:00–Fri 00:00',
    'Sun 00:00–Mon 00:00',
  ]);
  t.deepEqual(readTimes(room(2_500, [], { opening_hours: {} })), []);
  t.deepEqual(readTimes(room(2_500, [], { opening_hours: opens, min_minutes: 600 })), []);
  const cheaper = [someRate({ amount_minor: 500, min_minutes: 240 })];
  t.is(cheaperThanShorter(room(2_500, cheaper, { max_minutes: 180 }), TAX, NOW), null);
  const short: Partial<BookableRoom> = { opening_hours: { wed: [['09:00', '12:00']] } };
  t.is(cheaperThanShorter(room(2_500, cheaper, short), TAX, NOW), null);
});
