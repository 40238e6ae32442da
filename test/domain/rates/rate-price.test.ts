import test from 'ava';
import fc from 'fast-check';
import { DAY_MINUTES, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import { priceTime, type RateTerms } from '../../../domain/rates/rate-price.js';
import { splitByRate } from '../../../domain/rates/windows.js';
import type { RoomRate } from '../../../domain/rates/rates.js';
import { minuteOfDay, elapsedMinutes, toWeekday, WEEKDAYS } from '../../../domain/bookings/slots.js';
import { wallClock } from '../../../domain/time-zone.js';
import { amount, DAYS, drawnRate, someRate } from '../../support/some-rate.js';

/** Zones with clock changes by an hour, by half an hour, at midnight, and without any. */
const ZONES = ['Europe/London', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Tokyo'];
const drawn = fc.record({
  time_zone: fc.constantFrom(...ZONES),
  price_per_hour_minor: amount,
  rates: fc.array(drawnRate, { maxLength: 5 }),
  day: fc.constantFrom(...DAYS),
  from: fc.integer({ min: -24, max: 48 }),
  halves: fc.integer({ min: 1, max: 70 }),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const toRange = ({ day, from, halves }: Drawn) => {
  const start = Date.parse(day) + from * (HOUR_MS / 2);
  return { start, end: start + halves * (HOUR_MS / 2) };
};

/** The first matching rate for a minute, by reading the clock, and the day on which its window began. */
function rateAt(rates: RoomRate[], instant: number, zone: string): { rate: RoomRate | null; begun: number } {
  const wall = wallClock(instant, zone);
  const day = Math.floor(wall / DAY_MS);
  const minute = (wall - day * DAY_MS) / MINUTE_MS;
  for (const rate of rates)
    for (const begun of [day, day - 1]) {
      const [opens, ends] = [minuteOfDay(rate.from ?? '00:00'), minuteOfDay(rate.to ?? '00:00')];
      const closes = ends > opens ? ends : ends + DAY_MINUTES;
      const at = minute + (day - begun) * DAY_MINUTES;
      const date = new Date(begun * DAY_MS).toISOString().slice(0, 10);
      if (at < opens || at >= closes) continue;
      if (rate.days && !rate.days.includes(toWeekday(begun))) continue;
      if (rate.dates?.from && date < rate.dates.from) continue;
      if (rate.dates?.to && date > rate.dates.to) continue;
      return { rate, begun };
    }
  return { rate: null, begun: day };
}

function grouped<T>(items: T[], key: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

/** The price of a range, minute by minute. */
function costByMinute(
  range: { start: number; end: number },
  { rates, price_per_hour_minor, time_zone }: RateTerms,
) {
  const minutes = new Map<RoomRate | null, { day: number; times: string; hourly: number }[]>();
  for (let at = range.start; at < range.end; at += MINUTE_MS) {
    const { rate, begun } = rateAt(rates, at, time_zone);
    const after = rate ? rates.slice(rates.indexOf(rate) + 1).filter(({ unit }) => unit === 'hour') : [];
    const { rate: hourly } = rateAt(after, at, time_zone);
    const day = Math.floor(wallClock(at, time_zone) / DAY_MS);
    const each = {
      day,
      times: String(rate?.unit === 'flat' ? begun : day),
      hourly: hourly?.amount_minor ?? price_per_hour_minor,
    };
    minutes.set(rate, [...(minutes.get(rate) ?? []), each]);
  }
  return [...minutes].map(([rate, of]) => {
    if (!rate) return { rate, cost60: of.length * price_per_hour_minor };
    const times = grouped(of, (each) => each.times);
    const parts = times.map((each) => {
      const flat = rate.amount_minor * 60;
      const hours = each.reduce((sum, { hourly }) => sum + hourly, 0);
      const cost =
        rate.unit === 'hour' ? each.length * rate.amount_minor : rate.always ? flat : Math.min(flat, hours);
      return { day: each[0]!.day, cost };
    });
    const days = grouped(parts, ({ day }) => day);
    const capped = days.map((each) =>
      Math.min(
        each.reduce((sum, { cost }) => sum + cost, 0),
        (rate.day_cap_minor ?? Infinity) * 60,
      ),
    );
    const sum = Math.min(
      capped.reduce((total, cost) => total + cost, 0),
      (rate.cap_minor ?? Infinity) * 60,
    );
    return { rate, cost60: Math.max(sum, (rate.minimum_minor ?? 0) * 60) };
  });
}

test('a booking by any rates costs what pricing it minute by minute gives', (t) => {
  fc.assert(
    fc.property(drawn, (scene) => {
      const range = toRange(scene);
      const priced = priceTime(range, scene);
      t.deepEqual(
        priced.map(({ rate, cost60 }) => ({ rate, cost60 })),
        costByMinute(range, scene),
      );
      t.is(
        priced.reduce((sum, { minutes }) => sum + minutes, 0),
        elapsedMinutes(range),
      );
    }),
    { numRuns: 150 },
  );
});

const total = (scene: RateTerms, range: { start: number; end: number }): number =>
  priceTime(range, scene).reduce((sum, { cost60 }) => sum + cost60, 0);

test('a longer booking never costs less', (t) => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 120 }), fc.boolean(), (scene, minutes, atStart) => {
      const range = toRange(scene);
      const more = atStart
        ? { ...range, start: range.start - minutes * MINUTE_MS }
        : { ...range, end: range.end + minutes * MINUTE_MS };
      t.true(total(scene, more) >= total(scene, range));
    }),
    { numRuns: 500 },
  );
});

test('a flat or day price is at most what its minutes cost by the hour, unless it is always charged', (t) => {
  fc.assert(
    fc.property(drawn, (scene) => {
      const rates = scene.rates.map((rate) => ({ ...rate, always: false, minimum_minor: null }));
      const highest = Math.max(scene.price_per_hour_minor, ...rates.map(({ amount_minor }) => amount_minor));
      for (const { rate, minutes, cost60 } of priceTime(toRange(scene), { ...scene, rates }))
        if (rate?.unit !== 'hour') t.true(cost60 <= minutes * highest);
    }),
    { numRuns: 500 },
  );
});

test('nothing is free unless a price is zero', (t) => {
  fc.assert(
    fc.property(drawn, (scene) => {
      const positive = (amount: number | null) => amount && Math.max(1, amount);
      const rates = scene.rates.map((rate) => ({
        ...rate,
        amount_minor: Math.max(1, rate.amount_minor),
        cap_minor: rate.cap_minor === 0 ? 1 : positive(rate.cap_minor),
        day_cap_minor: rate.day_cap_minor === 0 ? 1 : positive(rate.day_cap_minor),
      }));
      const terms = { ...scene, price_per_hour_minor: Math.max(1, scene.price_per_hour_minor), rates };
      for (const { cost60 } of priceTime(toRange(scene), terms)) t.true(cost60 > 0);
    }),
    { numRuns: 500 },
  );
});

const LONDON = { time_zone: 'Europe/London', price_per_hour_minor: 1_000 };
const costs = (terms: RateTerms, from: string, to: string) =>
  priceTime({ start: Date.parse(from), end: Date.parse(to) }, terms).map(
    ({ rate, minutes, times, cost60 }) => [rate?.name ?? 'hourly', minutes, times, cost60 / 60],
  );

test('an evening rate is priced by elapsed time on the nights of clock changes', (t) => {
  const rates = [someRate({ name: 'Night', from: '22:00', to: '06:00', amount_minor: 500 })];
  // 28 March 2027: 01:00 becomes 02:00. 31 October: 02:00 becomes 01:00.
  t.deepEqual(costs({ ...LONDON, rates }, '2027-03-27T21:00Z', '2027-03-28T06:00Z'), [
    ['hourly', 120, null, 2_000],
    ['Night', 420, null, 3_500],
  ]);
  t.deepEqual(costs({ ...LONDON, rates }, '2027-10-30T20:00Z', '2027-10-31T06:00Z'), [
    ['hourly', 60, null, 1_000],
    ['Night', 540, null, 4_500],
  ]);
});

test('a window after midnight belongs to the day and date on which it begins', (t) => {
  const friday = someRate({
    name: 'Friday night',
    days: ['fri'],
    from: '20:00',
    to: '02:00',
    amount_minor: 2_000,
  });
  const terms = { ...LONDON, rates: [{ ...friday, dates: { from: null, to: '2027-06-18' } }] };
  // 18 June 2027 is a Friday; London is an hour ahead.
  t.deepEqual(costs(terms, '2027-06-18T18:00Z', '2027-06-19T02:00Z'), [
    ['hourly', 120, null, 2_000],
    ['Friday night', 360, null, 12_000],
  ]);
  t.deepEqual(costs(terms, '2027-06-25T19:00Z', '2027-06-25T21:00Z'), [['hourly', 120, null, 2_000]]);
});

test('half days, caps and minimums are applied', (t) => {
  const morning = someRate({
    name: 'Morning',
    unit: 'flat',
    from: '08:00',
    to: '12:00',
    amount_minor: 3_000,
  });
  const evening = someRate({
    name: 'Evening',
    from: '18:00',
    to: '23:00',
    amount_minor: 2_000,
    minimum_minor: 5_000,
  });
  const rest = someRate({ name: 'Rest', amount_minor: 1_500, day_cap_minor: 6_000, cap_minor: 10_000 });
  const terms = { ...LONDON, time_zone: 'UTC', rates: [morning, evening, rest] };
  // An hour in the morning costs less by the hour.
  t.deepEqual(costs(terms, '2027-06-16T08:00Z', '2027-06-16T09:00Z'), [['Morning', 60, 1, 1_500]]);
  t.deepEqual(costs(terms, '2027-06-16T08:00Z', '2027-06-16T12:00Z'), [['Morning', 240, 1, 3_000]]);
  t.deepEqual(
    costs({ ...terms, rates: [{ ...morning, always: true }] }, '2027-06-16T08:00Z', '2027-06-16T09:00Z'),
    [['Morning', 60, 1, 3_000]],
  );
  t.deepEqual(costs(terms, '2027-06-16T11:00Z', '2027-06-18T09:00Z'), [
    ['Morning', 360, 3, 1_500 + 3_000 + 1_500],
    ['Rest', 1_800, null, 10_000],
    ['Evening', 600, null, 20_000],
  ]);
  t.deepEqual(costs(terms, '2027-06-16T20:00Z', '2027-06-16T21:00Z'), [['Evening', 60, null, 5_000]]);
});

test('a year with a hundred rates is priced in one pass', (t) => {
  const rates = Array.from({ length: 100 }, (_, n) =>
    someRate({
      from: `${String(n % 24).padStart(2, '0')}:${n % 2 ? '00' : '30'}`,
      to: '23:59',
      days: [WEEKDAYS[n % 7]!],
    }),
  );
  const range = { start: Date.parse('2027-01-01'), end: Date.parse('2028-01-01') };
  const began = performance.now();
  const priced = priceTime(range, { ...LONDON, rates });
  t.log(`${Math.round(performance.now() - began)} ms`);
  t.is(
    priced.reduce((sum, { minutes }) => sum + minutes, 0),
    525_600,
  );
  t.true(splitByRate(rates, range, 'Europe/London').length > 1_000);
});
