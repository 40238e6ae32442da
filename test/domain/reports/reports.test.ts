import test from 'ava';
import type { TaxPart } from '../../../domain/invoices/credited-tax.js';
import { ageLimits } from '../../../domain/reports/receivables.js';
import { taxOfMoney, totalsByRate, type TaxedDocument } from '../../../domain/reports/tax.js';
import { roomUsage, type UsedRoom } from '../../../domain/reports/usage.js';

const LONDON = 'Europe/London';
const hour = (iso: string): number => Date.parse(iso);

const openAlways: UsedRoom = {
  room: {
    time_zone: LONDON,
    slot_minutes: 30,
    min_minutes: null,
    max_minutes: null,
    capacity: null,
    opening_hours: null,
    tiers: null,
    archived: false,
    rates: [],
  },
  blackouts: [],
  bookings: [],
};

test('an hour that the clock repeats has 120 minutes, one that it skips none', (t) => {
  const on = (day: string) =>
    roomUsage(openAlways, { start: hour(`${day}T00:00:00Z`), end: hour(`${day}T12:00:00Z`) }).hours;
  // The clock goes back from 02:00 to 01:00 on 25 October; the day begins at 23:00 UTC.
  t.deepEqual(
    on('2026-10-25')
      .slice(0, 2)
      .map((of) => [of.weekday, of.hour, of.open_minutes]),
    [
      ['sun', 1, 120],
      ['sun', 2, 60],
    ],
  );
  // It goes forward from 01:00 to 02:00 on 29 March.
  t.deepEqual(
    on('2026-03-29')
      .slice(0, 2)
      .map((of) => [of.hour, of.open_minutes]),
    [
      [0, 60],
      [2, 60],
    ],
  );
});

test('booked time is open, and ranges that follow each other add up to the price', (t) => {
  const booking = {
    start: hour('2026-11-30T21:30:00Z'),
    end: hour('2026-12-01T00:30:00Z'),
    currency: 'GBP',
    net_minor: 1_000,
    is_paid: true,
  };
  const closed = { ...openAlways, room: { ...openAlways.room, opening_hours: {} }, bookings: [booking] };
  const november = roomUsage(closed, {
    start: hour('2026-11-01T00:00:00Z'),
    end: hour('2026-12-01T00:00:00Z'),
  });
  const december = roomUsage(closed, {
    start: hour('2026-12-01T00:00:00Z'),
    end: hour('2026-12-02T00:00:00Z'),
  });
  t.like(november.total, { open_minutes: 150, booked_minutes: 150, paid_minutes: 150 });
  // 1,000 × 150 / 180 = 833.3.
  t.deepEqual(november.total.net, [{ currency: 'GBP', amount_minor: 833 }]);
  t.deepEqual(december.total.net, [{ currency: 'GBP', amount_minor: 167 }]);
  // 1,000 × 30 / 180 = 166.7; × 90 = 500; × 150 = 833.3.
  t.deepEqual(
    november.hours.map((of) => [of.weekday, of.hour, of.net[0]!.amount_minor]),
    [
      ['mon', 21, 167],
      ['mon', 22, 333],
      ['mon', 23, 333],
    ],
  );
});

test('an invoice that is due today is not overdue; ages begin after 1, 31, 61 and 91 days', (t) => {
  t.deepEqual(
    ageLimits('2026-11-29', LONDON).map((at) => at.toISOString()),
    [
      '2026-11-29T00:00:00.000Z',
      '2026-10-30T00:00:00.000Z',
      // In summer time.
      '2026-09-29T23:00:00.000Z',
      '2026-08-30T23:00:00.000Z',
    ],
  );
});

const part = (tax_rate_bps: number, net_minor: number): TaxPart => ({
  tax_code: String(tax_rate_bps),
  tax_rate_bps,
  net_minor,
  tax_minor: (net_minor * tax_rate_bps) / 10_000,
});
const document = (source_id: string, day: string, lines: TaxPart[], more: Partial<TaxedDocument> = {}) => ({
  source_id,
  kind: 'invoice' as const,
  issued_at: new Date(day),
  lines,
  cancels: null,
  is_adjustment: false,
  money: [],
  ...more,
});
const NOVEMBER = { from: new Date('2026-11-01'), to: new Date('2026-12-01') };
const DECEMBER = { from: new Date('2026-12-01'), to: new Date('2027-01-01') };

const byRate = (documents: TaxedDocument[], period: typeof NOVEMBER) =>
  totalsByRate(taxOfMoney({ currency: 'GBP', documents, paid_again: [] }, period)).map(
    ({ tax_rate_bps, net_minor, tax_minor }) => [tax_rate_bps, net_minor, tax_minor],
  );

test('what a change exchanges without a payment counts on its day, once its invoice is paid', (t) => {
  const money = [{ at: new Date('2026-11-10'), amount_minor: 12_000 }];
  const exchange = [
    document('chg', '2026-12-05', [part(2_000, 10_000)], { kind: 'credit_note' }),
    document('chg-added', '2026-12-05', [part(0, 12_000)], { kind: 'supplement' }),
  ];
  const paid = [document('inv', '2026-11-10', [part(2_000, 10_000)], { money }), ...exchange];
  t.deepEqual(byRate(paid, NOVEMBER), [[2_000, 10_000, 2_000]]);
  t.deepEqual(byRate(paid, DECEMBER), [
    [2_000, -10_000, -2_000],
    [0, 12_000, 0],
  ]);
  const later = [{ at: new Date('2026-12-20'), amount_minor: 12_000 }];
  const onAccount = [document('inv', '2026-11-10', [part(2_000, 10_000)], { money: later }), ...exchange];
  t.deepEqual(byRate(onAccount, NOVEMBER), []);
  t.deepEqual(byRate(onAccount, DECEMBER), [[0, 12_000, 0]]);
});

test('a move to a dearer room with another tax and back, and its refund, leave the first price', (t) => {
  const paid = (amount_minor: number) => [{ at: new Date('2026-11-10'), amount_minor }];
  const at = '2026-11-10';
  const documents = [
    document('inv', at, [part(2_000, 10_000)], { money: paid(12_000) }),
    // 120.00 are taken off and 200.00 added, of which 80.00 are paid; then back, with a refund of 80.00.
    document('chg-1', at, [part(2_000, 10_000)], { kind: 'credit_note' }),
    document('pay', at, [part(0, 20_000)], { kind: 'supplement', money: paid(20_000) }),
    document('chg-2', at, [part(0, 12_000)], { kind: 'credit_note' }),
    document('chg-2-added', at, [part(2_000, 10_000)], { kind: 'supplement' }),
    document('ref', at, [part(0, 8_000)], { kind: 'credit_note', money: paid(8_000) }),
  ];
  t.deepEqual(byRate(documents, NOVEMBER), [[2_000, 10_000, 2_000]]);
});

test('a refund that the bank returns counts twice: when it left, and when it came back', (t) => {
  const money = [{ at: new Date('2026-11-10'), amount_minor: 12_000 }];
  const documents = [
    document('inv', '2026-11-10', [part(2_000, 10_000)], { money }),
    document('ref', '2026-11-20', [part(2_000, 5_000)], {
      kind: 'credit_note',
      money: [{ at: new Date('2026-11-20'), amount_minor: 6_000 }],
    }),
    document('ref-cancelled', '2026-12-02', [part(2_000, 5_000)], { kind: 'supplement', cancels: 'ref' }),
  ];
  t.deepEqual(byRate(documents, NOVEMBER), [[2_000, 5_000, 1_000]]);
  t.deepEqual(byRate(documents, DECEMBER), [[2_000, 5_000, 1_000]]);
});

test('a void invoice has no tax, and money that came before an invoice was issued counts on its day', (t) => {
  const early = [{ at: new Date('2026-11-10'), amount_minor: 12_000 }];
  t.deepEqual(byRate([document('inv', '2026-12-10', [part(2_000, 10_000)], { money: early })], NOVEMBER), [
    [2_000, 10_000, 2_000],
  ]);
  const voided = [
    document('inv', '2026-11-10', [part(2_000, 10_000)]),
    document('inv-void', '2026-11-11', [part(2_000, 10_000)], { kind: 'credit_note', cancels: 'inv' }),
  ];
  t.deepEqual(byRate(voided, NOVEMBER), []);
});
