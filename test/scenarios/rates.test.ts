import test from 'ava';
import { newMember } from '../support/people.js';
import {
  accountingLedger,
  ageUpdates,
  newAccountingWorkspace,
  syncAccounting,
  untilInAccounting,
} from '../support/accounting.js';
import type { ApiClient } from '../support/api-client.js';
import {
  bookingBody,
  confirmedBooking,
  createBooking,
  listEvents,
  hoursLater,
  pay,
  untilStatus,
} from '../support/bookings.js';
import { DAY_MS } from '../../domain/durations.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { organisation, readAccountingSettings } from './accounting-organisation-calls.js';

/** A time of day in 30 days, in UTC. */
const at = (hour: number): string =>
  hoursLater(new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 30 * DAY_MS).toISOString(), hour);

/** A room at 25.00, from 18:00 at 40.00, whole mornings at 60.00, and for members at night 10.00. */
async function ratedRoom(api: ApiClient, rates: Record<string, unknown>[] = []) {
  const room = await newRoom(api, { time_zone: 'UTC', tier_discounts: { pro: 10 } });
  const { status } = await api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [
      ...rates,
      { name: 'Evening', from: '18:00', to: '23:00', amount_minor: 4_000 },
      { name: 'Half day', from: '08:00', to: '12:00', unit: 'flat', amount_minor: 6_000 },
    ],
  });
  if (status !== 200) throw new Error(`PUT rates returned ${status}`);
  return room;
}

test('a quote by rates equals what is booked, invoiced, paid and written to the books, to the accounts of the rates', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const room = await ratedRoom(api, [
    { name: 'Prime', from: '19:00', to: '20:00', amount_minor: 9_999, accounting_account: '260' },
  ]);
  const member = await newMember(workspace, { tier: 'pro' });
  await db.query(`UPDATE members SET hour_credit_balance = 1 WHERE id = $1`, [member.id]);
  const body = bookingBody(room.id, {
    start_at: at(17),
    end_at: at(21),
    booked_by: { member_id: member.id },
    use_tokens: true,
  });
  const { idempotency_key, ...asked } = body;
  const { body: quoted } = await api.post('/v1/quotes', asked);
  const booking = await createBooking(api, { ...asked, idempotency_key });
  t.deepEqual([quoted.price, quoted.lines], [booking.price, booking.lines]);
  // An hour at 25.00 that a credit pays for, two at 40.00 and one at 99.99, each with 10 % off and 20 % tax.
  t.like(booking, {
    price: { amount_minor: 19_439 },
    lines: [
      { kind: 'time', rate_id: null, quantity: 1, net_minor: 2_250 },
      { kind: 'time', quantity: 2, unit_amount_minor: 4_000, net_minor: 7_200 },
      { kind: 'time', net_minor: 8_999, from: at(19), to: at(20) },
      { kind: 'credit', quantity: 1, net_minor: -2_250, tax_code: 'STANDARD' },
    ],
  });
  t.regex(booking.lines[1]!.description, /^Evening: Blue room, .* 18:00–21:00/);
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id}`);
  t.is(invoice.total_minor, 19_439);
  t.deepEqual(
    invoice.lines.map(({ net_minor, tax_minor }) => [net_minor, tax_minor]),
    booking.lines.map(({ net_minor, tax_minor }) => [net_minor, tax_minor]),
  );
  const booked = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.is(booked.Total, 194.39);
  t.deepEqual(
    booked.LineItems.map(({ AccountCode }) => AccountCode),
    ['200', '200', '260', '200'],
  );
  // A full refund takes back from the same accounts.
  const { body: payments } = await api.get(`/v1/payments?booking_id=${booking.id}`);
  await api.post(`/v1/payments/${payments.data[0]!.id}/refund`, { reason: 'other' });
  const note = await until(async () => {
    const { credit_notes } = await accountingLedger(workspace);
    return credit_notes!.find(({ Status }) => Status === 'PAID');
  });
  t.deepEqual(note.LineItems.map(({ AccountCode, LineAmount }) => [AccountCode, LineAmount]).toSorted(), [
    ['200', 72],
    ['260', 89.99],
  ]);
  await sweep(t, workspace);
});

test('a rate’s account that the books lack is named, and the booking is invoiced, and sent once the account exists', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  await until(async () => (await api.get('/v1/workspace/accounting')).status === 200);
  const room = await ratedRoom(api, [
    { name: 'Prime', from: '19:00', to: '20:00', amount_minor: 9_999, accounting_account: '4711' },
  ]);
  const { body: rates } = await api.get(`/v1/rooms/${room.id}/rates`);
  const readProblems = async () => (await readAccountingSettings(workspace)).problems;
  t.deepEqual(
    (await readProblems()).map(({ param }) => param),
    [`rooms.${room.id}.rates.${rates.rates[0]!.id}.accounting_account`],
  );
  t.regex((await readProblems())[0]!.message, /The rate Prime of Blue room uses the account 4711/);

  const { booking } = await confirmedBooking(api, {
    room_id: room.id,
    slot: { start_at: at(19), end_at: at(20) },
  });
  const invoice = async () => (await api.get(`/v1/invoices/${booking.invoice_id}`)).body;
  t.like(await invoice(), { status: 'paid', total_minor: 11_999 });
  const refused = await until(async () => (await invoice()).accounting_error);
  t.regex(refused, /4711/);
  await organisation(workspace, 'settings', {
    accounts: [{ code: '4711', name: 'Prime time', type: 'REVENUE' }],
  });
  await ageUpdates(workspace);
  await syncAccounting(workspace);
  t.deepEqual(await readProblems(), [], 'the sync has read the chart again');
  const { LineItems } = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.is(LineItems[0]!.AccountCode, '4711');
  t.is((await invoice()).accounting_error, null);
});

test('a booking keeps the rate version that priced it: a change in the same room uses it, and another room has its own', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await ratedRoom(api);
  const { booking } = await confirmedBooking(api, {
    room_id: room.id,
    slot: { start_at: at(42), end_at: at(43) },
  });
  t.like(booking, { price: { amount_minor: 4_800 }, lines: [{ quantity: 1, net_minor: 4_000 }] });
  const { body: rates } = await api.get(`/v1/rooms/${room.id}/rates`);
  await api.put(`/v1/rooms/${room.id}/rates`, {
    rates: rates.rates.map((rate) => ({ ...rate, amount_minor: 100 })),
  });
  await api.patch(`/v1/rooms/${room.id}`, { price_per_hour: { currency: 'GBP', amount_minor: 1 } });

  const longer = await api.patch(`/v1/bookings/${booking.id}`, { start_at: at(41), end_at: at(43) });
  t.is(longer.status, 200);
  t.like(longer.body, {
    price: { amount_minor: 7_800 },
    adjustment: { amount_minor: 3_000 },
    lines: [
      { rate_id: null, net_minor: 2_500 },
      { rate_id: booking.lines[0]!.rate_id, net_minor: 4_000 },
    ],
  });
  const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id}`);
  t.like(invoice.lines[1], { net_minor: 2_500 });
  t.regex(invoice.lines[1]!.description, /^Difference for the change/);
  const events = await listEvents(booking.id);
  t.deepEqual(events.at(-1)!.body.data.object.lines, longer.body.lines);

  const elsewhere = await newRoom(api, { time_zone: 'UTC', name: 'Red room' });
  const moved = await api.patch(`/v1/bookings/${booking.id}`, { room_id: elsewhere.id });
  t.like(moved.body, {
    price: { amount_minor: 6_000 },
    lines: [{ rate_id: null, quantity: 2, net_minor: 5_000 }],
  });
  t.is(moved.body.lines.length, 1);
  await sweep(t, workspace);
});

test('a flat price is for the whole window, and part of it costs its hours if they are less', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await ratedRoom(api);
  const { booking } = await confirmedBooking(api, {
    room_id: room.id,
    slot: { start_at: at(56), end_at: at(57) },
  });
  t.like(booking, {
    price: { amount_minor: 3_000 },
    lines: [{ unit: 'flat', quantity: 1, unit_amount_minor: 6_000 }],
  });
  const whole = await api.patch(`/v1/bookings/${booking.id}`, { end_at: at(60) });
  t.like(whole.body, { price: { amount_minor: 7_200 }, adjustment: { amount_minor: 4_200 } });
  const part = await api.patch(`/v1/bookings/${booking.id}`, { end_at: at(59) });
  t.like(part.body, { price: { amount_minor: 7_200 }, adjustment: null });
  await sweep(t, workspace);
});
