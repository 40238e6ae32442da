import test from 'ava';
import { newAccountingWorkspace, untilInAccounting } from '../support/accounting.js';
import type { ApiClient } from '../support/api-client.js';
import {
  bookingBody,
  confirmedBooking,
  listEvents,
  freeHour,
  hoursLater,
  pay,
  untilStatus,
} from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';
import { AUTHENTICATION_CARD, changeByLink } from '../support/pending-change-calls.js';

async function newExtra(api: ApiClient, fields: Record<string, unknown> = {}) {
  const extra = { name: 'Projector', price: { currency: 'GBP', amount_minor: 1_000 }, ...fields };
  const { status, body } = await api.post('/v1/extras', extra);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const listExtraClaims = (bookingId: string) =>
  db.query(`SELECT quantity FROM extra_claims WHERE booking_id = $1 ORDER BY quantity`, [bookingId]);

test('extras reach the books with their own account, change like the time, and are refunded by their own steps', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { refund_steps: [{ hours_before: 0, percent: 100 }] });
  const lunch = await newExtra(api, {
    name: 'Lunch',
    tax_code: 'REDUCED',
    accounting_account: '260',
    refund_steps: [{ hours_before: 0, percent: 50 }],
  });
  const extras = (quantity: number) => ({ extras: quantity > 0 ? [{ extra_id: lunch.id, quantity }] : [] });
  const { booking } = await confirmedBooking(api, { room_id: room.id, body: extras(10) });
  // £30.00 for time and 10 × £10.50.
  t.is(booking.price.amount_minor, 13_500);
  const sent = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.deepEqual(
    sent.LineItems.map(({ LineAmount, TaxAmount, AccountCode }) => [LineAmount, TaxAmount, AccountCode]),
    [
      [25, 5, '200'],
      [100, 5, '260'],
    ],
  );

  const path = `/v1/bookings/${booking.id}` as const;
  const more = await api.patch(path, extras(12));
  t.is(more.status, 200, JSON.stringify(more.body));
  t.like(more.body, { adjustment: { amount_minor: 2_100 }, price: { amount_minor: 15_600 } });
  t.deepEqual(await listExtraClaims(booking.id), [{ quantity: 12 }]);
  const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id}`);
  t.like(invoice.lines.at(-1), { description: 'Difference for Lunch', net_minor: 2_000, tax_minor: 100 });

  // Half of 2 × £10.50 is refunded.
  const less = await api.patch(path, extras(10));
  t.like(less.body, { adjustment: { amount_minor: -1_050 }, price: { amount_minor: 13_500 } });
  const { body: log } = await api.get('/v1/audit-log?limit=2');
  t.like(log.data[0], {
    action: 'booking.extras_changed',
    details: { before: { extras: [{ name: 'Lunch', quantity: 12 }] }, after: { extras: [{ quantity: 10 }] } },
  });
  const updated = (await listEvents(booking.id)).filter(({ type }) => type === 'booking.updated');
  t.like(updated[1]!.body.data, {
    object: { extras: [{ extra_id: lunch.id, name: 'Lunch', quantity: 10 }] },
    previous: { extras: [{ quantity: 12 }] },
  });

  // All of the £30.00, half of the £105.00.
  const cancelled = await api.post(`${path}/cancel`, {});
  t.is(cancelled.body.refund?.amount_minor, 3_000 + 5_250);
  t.deepEqual(await listExtraClaims(booking.id), []);
  t.like((await api.get(path)).body.extras, [{ quantity: 10 }]);
  await sweep(t, workspace);
});

test('a move takes the extras along, and requires that they are available at the new time', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const projector = await newExtra(api, { stock: 1, unit: 'hour' });
  const extras = [{ extra_id: projector.id, quantity: 1 }];
  const { booking } = await confirmedBooking(api, { body: { extras } });
  const taken = freeHour();
  const other = await newRoom(api);
  t.is((await api.post('/v1/bookings', bookingBody(other.id, { ...taken, extras }))).status, 201);
  const path = `/v1/bookings/${booking.id}` as const;
  isError(t, await api.patch(path, taken), 409, 'extra_unavailable');
  const slot = freeHour();
  // Two hours at £25.00 and £10.00.
  const { status, body } = await api.patch(path, { ...slot, end_at: hoursLater(slot.end_at, 1) });
  t.is(status, 200, JSON.stringify(body));
  t.like(body, { adjustment: { amount_minor: 4_200 }, extras });
  t.is((await api.patch(path, { extras: [] })).status, 200);
  t.is((await api.post('/v1/bookings', bookingBody(other.id, { ...slot, extras }))).status, 201);
  isError(t, await api.patch(path, { extras }), 409, 'extra_unavailable');
  await sweep(t, workspace);
});

test('a booking keeps its slot, its extras and its attendees, whatever is lowered later', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const projector = await newExtra(api, { stock: 2 });
  const extras = [{ extra_id: projector.id, quantity: 2 }];
  const room = { capacity: 10 };
  const { booking } = await confirmedBooking(api, { hours: 2, room, body: { extras, attendees: 8 } });
  const { room_id, end_at } = booking;
  const next = { start_at: end_at, end_at: hoursLater(end_at, 1) };
  await confirmedBooking(api, { room_id, slot: next });
  await api.patch(`/v1/rooms/${room_id}`, { turnaround_minutes: 30, capacity: 4 });
  t.is((await api.patch(`/v1/extras/${projector.id}`, { stock: 1 })).status, 200);
  const path = `/v1/bookings/${booking.id}` as const;
  const whiteboard = { extra_id: (await newExtra(api)).id, quantity: 1 };
  const more = await api.patch(path, { extras: [...extras, whiteboard] });
  t.is(more.status, 200, JSON.stringify(more.body));
  t.is((await api.patch(path, { notes: 'By the window' })).status, 200);
  await api.patch(`/v1/rooms/${room_id}`, { capacity: 8 });
  const shorter = await api.patch(path, { end_at: hoursLater(end_at, -0.5) });
  t.is(shorter.status, 200, JSON.stringify(shorter.body));
  isError(t, await api.patch(path, { end_at }), 409, 'slot_unavailable');
  await sweep(t, workspace);
});

test('extras that wait for the payer are held until they are paid, and released if they are not', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const projector = await newExtra(api, { stock: 1 });
  const extras = [{ extra_id: projector.id, quantity: 1 }];
  const { booking } = await confirmedBooking(api, { card: AUTHENTICATION_CARD });
  const path = `/v1/bookings/${booking.id}` as const;
  await changeByLink(t, api, booking.id, { extras });
  t.deepEqual((await api.get(path)).body.extras, []);
  const { start_at, end_at } = booking;
  const same = async () => bookingBody((await newRoom(api)).id, { start_at, end_at, extras });
  isError(t, await api.post('/v1/bookings', await same()), 409, 'extra_unavailable');
  t.is((await api.delete(`${path}/pending-change`)).status, 204);
  t.deepEqual(await listExtraClaims(booking.id), []);
  await pay(await changeByLink(t, api, booking.id, { extras }));
  await until(async () => (await api.get(path)).body.extras.length === 1);
  t.deepEqual(await listExtraClaims(booking.id), [{ quantity: 1 }]);
  const { charges } = await processorLedger(workspace);
  t.deepEqual(
    charges
      .filter(({ status }) => status === 'succeeded')
      .map(({ amount }) => amount)
      .sort(),
    [1_200, 3_000],
  );
  await sweep(t, workspace);
});

test('an expired hold releases its extras', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const { api } = workspace;
  const projector = await newExtra(api, { stock: 1 });
  const extras = [{ extra_id: projector.id, quantity: 1 }];
  const slot = freeHour();
  const [one, two] = [await newRoom(api), await newRoom(api)];
  const { body: booking } = await api.post('/v1/bookings', bookingBody(one.id, { ...slot, extras }));
  const again = () => api.post('/v1/bookings', bookingBody(two.id, { ...slot, extras }));
  isError(t, await again(), 409, 'extra_unavailable');
  await untilStatus(api, booking.id, 'expired');
  t.is((await again()).status, 201);
  await sweep(t, workspace);
});
