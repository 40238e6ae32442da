import test from 'ava';
import { dayAfter, dayIn, startOfDay } from '../../../domain/cycle.js';
import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import { monthIn } from '../../../domain/reports/months.js';
import { confirmedBooking, createBooking, untilStatus, bookingBody } from '../../support/bookings.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { disputablePayment } from '../../support/disputes.js';
import { sweep } from '../../support/invariants.js';
import { line, createInvoice } from '../../support/invoice-calls.js';
import { createMember } from '../../support/member-calls.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../../support/workspaces.js';
import { until } from '../../support/until.js';

const ZONE = 'Europe/London';

/** An instant `days` days before the start of today in London. */
const daysAgo = (days: number): Date => startOfDay(dayAfter(dayIn(ZONE, new Date()), -days), ZONE);

const paidInCash = ({ api }: TestWorkspace, invoice: string, amount_minor: number, paid_at?: Date) =>
  api.post(`/v1/invoices/${invoice}/mark-paid`, { amount_minor, method: 'cash', paid_at });

const getTax = async ({ api }: TestWorkspace, month: string) =>
  (await api.get(`/v1/reports/tax?month=${month}`)).body;

test('receivables are by payer, currency and days since the due date: part payments count, holds and void invoices do not', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: acme } = await api.post('/v1/companies', { name: 'Acme', billing_email: null });
  const member = await createMember(api);
  const owed = (due_at: Date, overrides: Record<string, unknown> = {}) =>
    createInvoice(api, { company_id: acme.id, due_at, ...overrides });
  // The last moment of a day is not overdue on that day, and one day overdue on the next.
  await owed(new Date(daysAgo(-1).getTime() - 1));
  await owed(new Date(daysAgo(0).getTime() - 1));
  await owed(daysAgo(30));
  const part = await owed(new Date(daysAgo(30).getTime() - 1));
  await owed(daysAgo(90), { currency: 'eur' });
  await owed(new Date(daysAgo(90).getTime() - 1), { company_id: undefined, member_id: member.id });
  t.is((await paidInCash(workspace, part.id, 5_000)).status, 200);
  const typo = await owed(daysAgo(10));
  t.is((await api.post(`/v1/invoices/${typo.id}/void`, { reason: 'Typo' })).status, 200);
  const room = await newRoom(api);
  await createBooking(api, bookingBody(room.id));

  const { body, status } = await api.get('/v1/reports/receivables');
  t.is(status, 200);
  const none = { days_1_to_30_minor: 0, days_31_to_60_minor: 0, days_61_to_90_minor: 0 };
  t.deepEqual(body.currencies, [
    {
      currency: 'EUR',
      ...none,
      not_due_minor: 0,
      days_61_to_90_minor: 12_000,
      days_over_90_minor: 0,
      total_minor: 12_000,
      payers: [
        {
          company_id: acme.id,
          member_id: null,
          guest_email: null,
          name: 'Acme',
          invoices: 1,
          ...none,
          not_due_minor: 0,
          days_61_to_90_minor: 12_000,
          days_over_90_minor: 0,
          total_minor: 12_000,
        },
      ],
    },
    {
      currency: 'GBP',
      // Acme: 120.00 due today; 120.00 and 120.00 that are 1 and 30 days overdue; 120.00 − 50.00 at 31 days.
      // The member: 120.00 that are 91 days overdue.
      not_due_minor: 12_000,
      days_1_to_30_minor: 24_000,
      days_31_to_60_minor: 7_000,
      days_61_to_90_minor: 0,
      days_over_90_minor: 12_000,
      total_minor: 55_000,
      payers: [
        {
          company_id: acme.id,
          member_id: null,
          guest_email: null,
          name: 'Acme',
          invoices: 4,
          not_due_minor: 12_000,
          days_1_to_30_minor: 24_000,
          days_31_to_60_minor: 7_000,
          days_61_to_90_minor: 0,
          days_over_90_minor: 0,
          total_minor: 43_000,
        },
        {
          company_id: null,
          member_id: member.id,
          guest_email: null,
          name: member.name,
          invoices: 1,
          ...none,
          not_due_minor: 0,
          days_over_90_minor: 12_000,
          total_minor: 12_000,
        },
      ],
    },
  ]);
  await sweep(t, workspace);
});

test('the tax of a month is by the day of documents, and by the day of money in the shares of its parts', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const today = new Date();
  const thisMonth = monthIn(ZONE, today);
  const before = new Date(startOfDay(`${thisMonth}-01`, ZONE).getTime() - HOUR_MS);
  const lastMonth = monthIn(ZONE, before);
  // 100.00 at 20 % and 30.00 at 0 %: 130.00 + 20.00 tax = 150.00.
  const invoice = await createInvoice(api, {
    lines: [line(), line({ unit_amount_minor: 3_000, tax_code: 'ZERO' })],
  });
  t.is((await paidInCash(workspace, invoice.id, 5_000, before)).status, 200);

  // A third of 150.00 was paid last month: 120.00 / 3 = 40.00, of which tax 40.00 / 6 = 6.67, and 10.00.
  const third = [
    { tax_rate_bps: 2_000, net_minor: 3_333, tax_minor: 667 },
    { tax_rate_bps: 0, net_minor: 1_000, tax_minor: 0 },
  ];
  const early = await getTax(workspace, lastMonth);
  t.deepEqual(early.by_payment_date, [{ currency: 'GBP', net_minor: 4_333, tax_minor: 667, rates: third }]);
  t.deepEqual(early.by_document_date, []);

  t.is((await paidInCash(workspace, invoice.id, 10_000)).status, 200);
  // The rest: 100.00 − 33.33 = 66.67, 20.00 − 6.67 = 13.33, 30.00 − 10.00 = 20.00.
  const rest = [
    { tax_rate_bps: 2_000, net_minor: 6_667, tax_minor: 1_333 },
    { tax_rate_bps: 0, net_minor: 2_000, tax_minor: 0 },
  ];
  const late = await getTax(workspace, thisMonth);
  t.deepEqual(late.by_payment_date, [{ currency: 'GBP', net_minor: 8_667, tax_minor: 1_333, rates: rest }]);
  const whole = [
    { tax_rate_bps: 2_000, net_minor: 10_000, tax_minor: 2_000 },
    { tax_rate_bps: 0, net_minor: 3_000, tax_minor: 0 },
  ];
  t.deepEqual(late.by_document_date, [
    { currency: 'GBP', net_minor: 13_000, tax_minor: 2_000, rates: whole },
  ]);

  // 10.00 + 2.00 tax are credited, and refunded by hand at once; an invoice that is void has no tax.
  const reason = 'A day less';
  const credit = { lines: [line({ unit_amount_minor: -1_000 })], reason };
  t.is((await api.post(`/v1/invoices/${invoice.id}/adjustments`, credit)).status, 201);
  const typo = await createInvoice(api);
  t.is((await api.post(`/v1/invoices/${typo.id}/void`, { reason: 'Typo' })).status, 200);
  const credited = await until(async () => {
    const now = await getTax(workspace, thisMonth);
    return now.by_payment_date[0]!.tax_minor === 1_133 && now;
  });
  // 66.67 − 10.00 and 13.33 − 2.00; 100.00 − 10.00 and 20.00 − 2.00.
  t.deepEqual(credited.by_payment_date[0]!.rates[0], {
    tax_rate_bps: 2_000,
    net_minor: 5_667,
    tax_minor: 1_133,
  });
  t.deepEqual(credited.by_document_date[0]!.rates[0], {
    tax_rate_bps: 2_000,
    net_minor: 9_000,
    tax_minor: 1_800,
  });
  await sweep(t, workspace);
});

test('the tax of past months by payment date stays when a refunded invoice is paid again', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const thisMonth = monthIn(ZONE, new Date());
  const monthBefore = (month: string) => {
    const end = new Date(startOfDay(`${month}-01`, ZONE).getTime() - HOUR_MS);
    return { end, month: monthIn(ZONE, end) };
  };
  const last = monthBefore(thisMonth);
  const first = monthBefore(last.month);
  // 120.00, of which 60.00 were paid in the first month. `refund_minor` was refunded in the last month.
  const partlyPaid = async (refund_minor: number) => {
    const { id } = await createInvoice(api);
    const { body } = await paidInCash(workspace, id, 6_000, first.end);
    const refund = await api.post(`/v1/payments/${body.payment.id}/refund`, { amount_minor: refund_minor });
    t.is(refund.status, 200);
    const settled = `UPDATE payments SET settled_at = $2 WHERE refund_of = $1 RETURNING id`;
    await db.query(settled, [body.payment.id, last.end]);
    return id;
  };
  const whole = await partlyPaid(6_000);
  const part = await partlyPaid(1_200);
  const netAndTax = async (month: string) => {
    const [of] = (await getTax(workspace, month)).by_payment_date;
    return [of?.net_minor, of?.tax_minor];
  };
  const pastMonths = async () => [await netAndTax(first.month), await netAndTax(last.month)];
  // Twice 50.00 + 10.00, then refunds of 50.00 + 10.00 and 10.00 + 2.00.
  const past = [
    [10_000, 2_000],
    [-6_000, -1_200],
  ];
  t.deepEqual(await pastMonths(), past);

  t.like((await paidInCash(workspace, whole, 12_000)).body.invoice, { status: 'paid' });
  t.like((await paidInCash(workspace, part, 7_200)).body.invoice, { status: 'paid' });
  t.deepEqual(await pastMonths(), past);
  // 120.00 and 72.00.
  t.deepEqual(await netAndTax(thisMonth), [16_000, 3_200]);
  await sweep(t, workspace);
});

test('tax follows refunds, and money that a bank withdraws for a dispute', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  // 25.00 + 5.00 tax each.
  const one = await disputablePayment(workspace);
  const other = await disputablePayment(workspace);
  t.is((await api.post(`/v1/payments/${other.id}/refund`, { amount_minor: 600 })).status, 200);
  await one.dispute();
  await one.untilPayment({ status: 'disputed' });
  const month = monthIn(ZONE, new Date());
  // 60.00 − 6.00 − 30.00 = 24.00: 20.00 + 4.00.
  const left = { currency: 'GBP', net_minor: 2_000, tax_minor: 400 };
  const rates = [{ tax_rate_bps: 2_000, net_minor: 2_000, tax_minor: 400 }];
  const report = await until(async () => {
    const now = await getTax(workspace, month);
    return now.by_document_date[0]!.tax_minor === 400 && now;
  });
  t.deepEqual(report.by_document_date, [{ ...left, rates }]);
  t.deepEqual(report.by_payment_date, [{ ...left, rates }]);
  await sweep(t, workspace);
});

test('a month must be one', async (t) => {
  const { api } = await newWorkspace();
  for (const month of ['2026-13', '2026', '2026-1', '9999-12', ''])
    t.is((await api.get(`/v1/reports/tax?month=${month}`)).status, 422, month);
  t.is((await api.get('/v1/reports/tax')).status, 422);
});

test('usage is by weekday and hour of the room: open, booked and paid minutes, and the net of each hour', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, {
    time_zone: 'America/New_York',
    opening_hours: { mon: [['09:00', '12:00']] },
  });
  const monday = startOfDay(NEXT_MONDAY, 'America/New_York');
  const at = (minutes: number): string => new Date(monday.getTime() + minutes * MINUTE_MS).toISOString();
  // 10:30 to 12:00: 37.50 net, 12.50 from 10:30 and 25.00 from 11:00.
  const slot = { start_at: at(10 * 60 + 30), end_at: at(12 * 60) };
  await confirmedBooking(api, { room_id: room.id, slot });
  // 9:30 to 10:00 awaits its payment.
  await createBooking(api, bookingBody(room.id, { start_at: at(570), end_at: at(600) }));
  const query = `from=${at(0)}&to=${at(7 * 24 * 60)}&room_id=${room.id}`;
  const { body } = await api.get(`/v1/reports/usage?${query}`);
  const nothing = { booked_minutes: 0, paid_minutes: 0, net: [] };
  t.deepEqual(body.rooms, [
    {
      room: { id: room.id, name: 'Blue room' },
      time_zone: 'America/New_York',
      open_minutes: 180,
      booked_minutes: 90,
      paid_minutes: 90,
      net: [{ currency: 'GBP', amount_minor: 3_750 }],
      hours: [
        { weekday: 'mon', hour: 9, open_minutes: 60, ...nothing },
        {
          weekday: 'mon',
          hour: 10,
          open_minutes: 60,
          booked_minutes: 30,
          paid_minutes: 30,
          net: [{ currency: 'GBP', amount_minor: 1_250 }],
        },
        {
          weekday: 'mon',
          hour: 11,
          open_minutes: 60,
          booked_minutes: 60,
          paid_minutes: 60,
          net: [{ currency: 'GBP', amount_minor: 2_500 }],
        },
      ],
    },
  ]);

  // A blackout closes 9:00 to 9:30. Only the part of a booking that is in the range counts.
  const closed = { start_at: at(540), end_at: at(570) };
  t.is((await api.post(`/v1/rooms/${room.id}/blackouts`, closed)).status, 201);
  const half = await api.get(`/v1/reports/usage?from=${at(0)}&to=${at(11 * 60)}`);
  t.like(half.body.rooms[0], {
    open_minutes: 90,
    booked_minutes: 30,
    net: [{ currency: 'GBP', amount_minor: 1_250 }],
  });

  const free = { name: 'Free room', price_per_hour: { currency: 'GBP', amount_minor: 0 } };
  const given = await createBooking(api, bookingBody((await newRoom(api, free)).id, slot));
  await untilStatus(api, given.id, 'confirmed');
  const all = await api.get(`/v1/reports/usage?from=${at(0)}&to=${at(7 * 24 * 60)}`);
  t.deepEqual(
    all.body.rooms.map(({ room: { name }, booked_minutes, paid_minutes, net }) => ({
      name,
      booked_minutes,
      paid_minutes,
      net,
    })),
    [
      {
        name: 'Blue room',
        booked_minutes: 90,
        paid_minutes: 90,
        net: [{ currency: 'GBP', amount_minor: 3_750 }],
      },
      { name: 'Free room', booked_minutes: 90, paid_minutes: 0, net: [] },
    ],
  );
  await sweep(t, workspace);
});

test('the range of the usage is at most 366 days, and its room must be there', async (t) => {
  const { api } = await newWorkspace();
  const usage = (to: string, more = '') =>
    api.get(`/v1/reports/usage?from=2026-01-01T00:00:00Z&to=${to}${more}`);
  t.is((await usage('2027-01-02T00:00:00Z')).status, 200);
  t.is((await usage('2027-01-02T00:00:01Z')).status, 422);
  t.is((await usage('2026-01-01T00:00:00Z')).status, 422);
  const missing = '&room_id=00000000-0000-4000-8000-000000000000';
  t.is((await usage('2026-02-01T00:00:00Z', missing)).status, 404);
});
