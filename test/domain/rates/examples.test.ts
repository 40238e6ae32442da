import test from 'ava';
import { cheaperThanShorter, rateExamples } from '../../../domain/rates/examples.js';
import { someRate } from '../../support/some-rate.js';

const NOW = Date.parse('2027-06-01T00:00Z');
const TAX = [{ code: 'STANDARD', rate_bps: 2_000, accounting_tax_type: 'X' }];
const room = (price_per_hour_minor: number, rates = [someRate()]) => ({
  id: 'b2c1f4de-0000-4000-8000-000000000001',
  name: 'Blue room',
  time_zone: 'Europe/London',
  slot_minutes: 30,
  price_per_hour_minor,
  currency: 'GBP',
  tax_code: 'STANDARD',
  tier_discounts: {},
  rates,
  rate_version: 1,
});

test('rooms whose full day exceeds the maximum payment have example prices too', (t) => {
  const dear = room(99_999_999, []);
  t.deepEqual(
    rateExamples(dear, TAX, NOW).map(({ price_minor }) => price_minor),
    [119_999_999, 359_999_996, 959_999_990],
  );
  t.is(cheaperThanShorter(dear, TAX, NOW), null);
});

test('an example in closed time has no price, and a price for long bookings is found', (t) => {
  const rates = [
    someRate({ days: ['sat'], closed: true, amount_minor: 0 }),
    someRate({ amount_minor: 500, min_minutes: 240 }),
  ];
  t.deepEqual(
    rateExamples(room(2_500, rates), TAX, NOW).map(({ price_minor }) => price_minor),
    [3_000, 9_000, null],
  );
  t.truthy(cheaperThanShorter(room(2_500, rates), TAX, NOW));
  t.is(cheaperThanShorter(room(2_500), TAX, NOW), null);
});
