import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { bookingBody, confirmedBooking, freeHour, hoursLater } from '../support/bookings.js';
import { processorLedger, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { openInvoice } from '../support/accounting.js';
import { sweep } from '../support/invariants.js';
import { refused, listSessions } from '../support/booking-calls.js';

const priced = (currency: string, amount_minor: number) => ({
  price_per_hour: { currency, amount_minor },
  tax_code: 'ZERO',
});

async function listDifferences({ api }: TestWorkspace): Promise<unknown[]> {
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  return (await api.get(`/v1/reconciliation?from=${from}&to=${to}`)).body.differences;
}

// Our price in the minor units of ISO 4217, and the amount sent to the processor.
for (const [currency, rate, price, charged] of [
  ['ISK', 5_000, 5_000, 500_000],
  ['UGX', 90_000, 90_000, 9_000_000],
  ['MGA', 1_250_000, 1_250_000, 12_500],
  ['MGA', 1_250_049, 1_250_000, 12_500],
  ['JPY', 3_000, 3_000, 3_000],
  ['HUF', 900_050, 900_050, 900_050],
  ['KWD', 12_345, 12_350, 12_350],
] as const)
  test(`${rate} ${currency} an hour: the payer is charged ${charged} in the processor's units`, async (t) => {
    const workspace = await newWorkspace({ currency });
    const { api } = workspace;
    const { booking } = await confirmedBooking(api, { room: priced(currency, rate) });
    t.deepEqual(booking.price, { currency, amount_minor: price });
    const [session] = await listSessions(workspace);
    t.like(session, { amount_total: charged, currency: currency.toLowerCase() });

    const moved = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 1) });
    t.is(moved.status, 200, JSON.stringify(moved.body));
    const difference = moved.body.adjustment!.amount_minor;
    t.is(moved.body.price.amount_minor, price + difference);
    const payments = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data;
    t.deepEqual(payments.map((payment) => payment.amount_minor).sort(), [price, difference].sort());
    const { charges } = await processorLedger(workspace);
    t.is(
      charges.reduce((sum: number, charge) => sum + charge.amount, 0),
      (charged / price) * moved.body.price.amount_minor,
    );

    const cancelled = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    t.is(cancelled.body.refund!.amount_minor, moved.body.price.amount_minor);
    await until(async () => {
      const { refunds } = await processorLedger(workspace);
      const refunded = refunds.reduce((sum: number, refund) => sum + refund.amount, 0);
      return refunded === (charged / price) * moved.body.price.amount_minor;
    });
    t.deepEqual(await listDifferences(workspace), []);
  });

test('a booking under the minimum charge is 422 and stores nothing', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const book = async (currency: string, amount_minor: number) =>
    api.post('/v1/bookings', bookingBody((await newRoom(api, priced(currency, amount_minor))).id));
  for (const [currency, minimum] of [
    ['GBP', 30],
    ['EUR', 50],
    ['CZK', 1_500],
    ['JPY', 50],
  ] as const) {
    const tooSmall = await book(currency, minimum - 1);
    refused(t, tooSmall, 422, 'amount_too_small');
    t.like(tooSmall.body.error.details, { currency, minimum_minor: minimum });
    t.is((await book(currency, minimum)).status, 201, currency);
  }
  const stored = await db.query(`SELECT price_minor FROM bookings WHERE workspace_id = $1`, [workspace.id]);
  t.is(stored.length, 4);
  await sweep(t, workspace);
});

test("an amount under a minimum that only the processor has, in its account's currency, is 422 as well", async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, priced('ISK', 20));
  const fail = [
    { method: 'POST', path: '/v1/checkout/sessions', status: 400, code: 'amount_too_small', times: 10 },
  ];
  await withFaults(workspace, { fail }, async () => {
    refused(t, await api.post('/v1/bookings', bookingBody(room.id)), 422, 'amount_too_small');
    const invoice = await openInvoice(workspace);
    refused(t, await api.post(`/v1/invoices/${invoice.id}/checkout`), 422, 'amount_too_small');
  });
  t.is((await api.post('/v1/bookings', bookingBody(room.id))).status, 201);
  await sweep(t, workspace);
});

test('the checkout of an invoice whose outstanding amount is under the minimum is 422', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const line = (unit_amount_minor: number, currency = 'GBP') =>
    openInvoice(workspace, {
      currency,
      lines: [{ description: 'Coffee', quantity: 1, unit_amount_minor, tax_code: 'ZERO' }],
    });
  const small = await line(29);
  refused(t, await api.post(`/v1/invoices/${small.id}/checkout`), 422, 'amount_too_small');
  const enough = await line(30);
  t.is((await api.post(`/v1/invoices/${enough.id}/checkout`)).status, 200);
  // A cash payment can be any amount, and the remainder may not be chargeable.
  const dinars = await line(5_125, 'KWD');
  t.is(dinars.total_minor, 5_130);
  const paid = { amount_minor: 1_001, method: 'cash' };
  t.is((await api.post(`/v1/invoices/${dinars.id}/mark-paid`, paid)).status, 200);
  refused(t, await api.post(`/v1/invoices/${dinars.id}/checkout`), 422, 'validation_failed');
});

test('a difference under the minimum is neither charged nor refunded, and the response says so', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  // 0.20 for each half hour, after 2.00 for the first two and a half hours.
  const room = await newRoom(api, priced('GBP', 40));
  const { booking } = await confirmedBooking(api, { room_id: room.id, hours: 5 });
  t.is(booking.price.amount_minor, 200);
  const change = async (hours: number) =>
    (await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.start_at, hours) })).body;

  const longer = await change(5.5);
  t.deepEqual(longer.adjustment, { amount_minor: 0 });
  t.is(longer.price.amount_minor, 200);
  t.is(longer.end_at, hoursLater(booking.start_at, 5.5));
  t.deepEqual((await change(4.5)).adjustment, { amount_minor: 0 });
  // Small steps don't make it free: the next difference is relative to what was paid.
  await change(5.5);
  t.is((await change(6)).adjustment!.amount_minor, 40);
  t.is((await change(5)).adjustment!.amount_minor, -40);
  t.is((await change(5)).adjustment, null);

  const { charges, refunds } = await processorLedger(workspace);
  t.deepEqual(charges.map((charge) => charge.amount).sort(), [200, 40]);
  t.deepEqual(
    refunds.map((refund) => refund.amount),
    [40],
  );
  await sweep(t, workspace);
});

test('a refund in dinars is a multiple of ten fils', async (t) => {
  const { api } = await newWorkspace({ currency: 'KWD' });
  const { booking } = await confirmedBooking(api, { room: priced('KWD', 5_000) });
  const [payment] = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data;
  const refund = (amount_minor: number) => api.post(`/v1/payments/${payment!.id}/refund`, { amount_minor });
  refused(t, await refund(1_001), 422, 'validation_failed');
  t.is((await refund(1_010)).body.refund.status, 'succeeded');
});

test('only currencies that the processor takes are accepted', async (t) => {
  const { api } = await newWorkspace();
  for (const currency of ['IQD', 'LYD', 'UYI', 'XAU', 'XXX', 'zzz']) {
    const room = { name: 'Blue room', time_zone: 'Europe/London', ...priced(currency, 5_000) };
    refused(t, await api.post('/v1/rooms', room), 422, 'validation_failed');
    refused(t, await api.patch('/v1/workspace', { currency }), 422, 'validation_failed');
  }
  const { body } = await api.post('/v1/bookings', {
    ...bookingBody((await newRoom(api, priced('tnd', 5_000))).id),
    ...freeHour(),
  });
  t.is(body.price.currency, 'TND');
});
