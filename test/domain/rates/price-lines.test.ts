import test from 'ava';
import fc from 'fast-check';
import { MINUTE_MS } from '../../../domain/durations.js';
import { sumTotals } from '../../../domain/invoices/invoice.js';
import {
  toInvoiceLines,
  bookingLines,
  settledLines,
  presentLine,
  type PriceLine,
} from '../../../domain/rates/price-lines.js';
import { quote } from '../../../domain/rates/price.js';
import { withTax } from '../../../domain/invoices/tax.js';

const start_at = new Date('2027-03-10T09:00Z');
const place = { room_name: 'Blue room', time_zone: 'Europe/London', start_at, tax_code: 'STANDARD' };

/** The stored facts of a booking of some minutes, with the price of a create. */
function booked(minutes: number, hours: number, terms: Partial<Parameters<typeof quote>[0]> = {}) {
  const rate = {
    price_per_hour_minor: 2_500,
    discount_percent: 0,
    tax_rate_bps: 2_000,
    currency: 'GBP',
    ...terms,
  };
  const end_at = new Date(start_at.getTime() + minutes * MINUTE_MS);
  const price = quote(rate, Math.max(0, minutes - hours * 60));
  return { ...place, ...rate, ...price, end_at, hour_credits_used: hours, pricing: null };
}

test('a booking without credits has one line with its price, and one of its net on the invoice', (t) => {
  const lines = bookingLines(booked(90, 0, { discount_percent: 20 }));
  t.deepEqual(lines.map(presentLine), [
    {
      kind: 'time',
      description: 'Blue room, 10 Mar 2027, 09:00–10:30 (Europe/London)',
      quantity: 1.5,
      unit: 'hour',
      unit_amount_minor: 2_500,
      net_minor: 3_000,
      tax_code: 'STANDARD',
      tax_minor: 600,
      rate_id: null,
      extra_id: null,
      from: '2027-03-10T09:00:00.000Z',
      to: '2027-03-10T10:30:00.000Z',
    },
  ]);
  t.deepEqual(toInvoiceLines(lines), [
    {
      description: 'Blue room, 10 Mar 2027, 09:00–10:30 (Europe/London)',
      quantity: 1,
      unit_amount_minor: 3_000,
      tax_code: 'STANDARD',
      tax_rate_bps: 2_000,
      net_minor: 3_000,
      tax_minor: 600,
      account: null,
    },
  ]);
});

test('hour credits are a negative line for the first minutes that they pay for', (t) => {
  t.like(bookingLines(booked(150, 2)), [
    { kind: 'time', quantity: 2.5, net_minor: 6_250, tax_minor: 1_250 },
    {
      kind: 'credit',
      description: '2 hour credits',
      quantity: 2,
      unit: 'hour',
      unit_amount_minor: -2_500,
      net_minor: -5_000,
      tax_minor: -1_000,
      to: '2027-03-10T11:00:00.000Z',
    },
  ]);
  // A started hour that is paid for, but no more than was booked.
  t.like(bookingLines(booked(30, 1)), [
    { net_minor: 1_250, tax_minor: 250 },
    { description: '1 hour credit', quantity: 0.5, net_minor: -1_250, tax_minor: -250 },
  ]);
});

test('lines sum to the stored price for any booking, also where a change left the price as it was paid', (t) => {
  fc.assert(
    fc.property(
      fc.record({
        minutes: fc.integer({ min: 1, max: 10_000 }),
        hours: fc.integer({ min: 0, max: 200 }),
        price_per_hour_minor: fc.integer({ min: 0, max: 1_000_000 }),
        discount_percent: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
        tax_rate_bps: fc.constantFrom(0, 500, 825, 2_000),
        currency: fc.constantFrom('JPY', 'GBP', 'KWD', 'MGA'),
        waived: fc.constantFrom(0, 0, 100, -100),
      }),
      ({ minutes, hours, waived, ...rate }) => {
        const credits = Math.min(hours, Math.ceil(minutes / 60));
        const priced = booked(minutes, credits, rate);
        const booking = { ...priced, net_minor: Math.max(0, priced.net_minor + waived) };
        const lines = bookingLines(booking);
        t.like(sumTotals(toInvoiceLines(lines)), {
          net_minor: booking.net_minor,
          tax_minor: booking.tax_minor,
        });
        t.is(lines.length, credits > 0 ? 2 : 1);
        for (const { kind, net_minor } of lines) t.true(kind === 'credit' ? net_minor <= 0 : net_minor >= 0);
      },
    ),
    { numRuns: 1_000 },
  );
});

/** Lines of a booking: each rate's charges, and smaller amounts taken off them. */
const someLines = (currency: string) =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom('time' as const, 'extra' as const),
        net_minor: fc.integer({ min: 0, max: 1_000 }).map((n) => n * 100),
        tax_rate_bps: fc.constantFrom(0, 500, 825, 2_000),
        taken_percent: fc.constantFrom(0, 0, 30, 100),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((charges) => {
      const [line] = bookingLines(booked(60, 0)) as [PriceLine];
      const lines = charges.flatMap(({ taken_percent, ...charge }): PriceLine[] => {
        const taken = Math.floor((charge.net_minor * taken_percent) / 10_000) * 100;
        const off = { ...line, ...charge, kind: 'credit' as const, net_minor: -taken };
        return taken > 0 ? [{ ...line, ...charge }, off] : [{ ...line, ...charge }];
      });
      return withTax(lines, currency);
    });

const paidAndNow = fc
  .constantFrom('JPY', 'GBP', 'KWD', 'MGA')
  .chain((currency) =>
    fc.record({ paid: someLines(currency), now: someLines(currency), currency: fc.constant(currency) }),
  );

test('if a change is too cheap to be charged, the lines have the total that was paid', (t) => {
  fc.assert(
    fc.property(paidAndNow, ({ paid, now, currency }) => {
      const { total_minor } = sumTotals(paid);
      const lines = settledLines(now, paid, total_minor, currency);
      t.is(sumTotals(lines).total_minor, total_minor);
      t.deepEqual(
        lines.map(({ kind, tax_code, tax_rate_bps }) => ({ kind, tax_code, tax_rate_bps })),
        now.map(({ kind, tax_code, tax_rate_bps }) => ({ kind, tax_code, tax_rate_bps })),
      );
      for (const { kind, net_minor } of lines) t.true(kind === 'credit' ? net_minor <= 0 : net_minor >= 0);
    }),
    { numRuns: 1_000 },
  );
});

test('the lines of an unchanged price keep their net and tax', (t) => {
  fc.assert(
    fc.property(paidAndNow, ({ paid, currency }) => {
      t.deepEqual(settledLines(paid, paid, sumTotals(paid).total_minor, currency), paid);
    }),
  );
});
