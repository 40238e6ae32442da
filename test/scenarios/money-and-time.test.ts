import test from 'ava';
import { completeBooking } from '../../commands/bookings/complete-booking.js';
import { transaction } from '../../db/transaction.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { internal } from '../support/api-client.js';
import { bookingBody, moveIntoPast, pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { mailTo, processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { newMember } from '../support/people.js';

const QUARTER_MS = 15 * MINUTE_MS;

/** The next 15 minutes of a room's day. */
function nextQuarter(): { start_at: string; end_at: string } {
  const start = Math.ceil((Date.now() + 1_000) / QUARTER_MS) * QUARTER_MS;
  return {
    start_at: new Date(start).toISOString(),
    end_at: new Date(start + QUARTER_MS).toISOString(),
  };
}

test('a hold never outlives the booked time', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 3_600 });
  const room = await newRoom(workspace.api, { slot_minutes: 15, min_minutes: 15 });
  const { status, body } = await workspace.api.post('/v1/bookings', bookingBody(room.id, nextQuarter()));
  t.is(status, 201, JSON.stringify(body));
  t.is(body.expires_at, body.end_at);
  t.is((await workspace.api.get(`/v1/invoices/${body.invoice_id}`)).body.due_at, body.end_at);
  await sweep(t, workspace);
});

test('money for a booking whose time has passed is refunded in full, and the booking expires', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 3_600 });
  const { api } = workspace;
  const room = await newRoom(api);
  const body = bookingBody(room.id);
  const { body: booking } = await api.post('/v1/bookings', body);
  await moveIntoPast(booking.id);
  const { payment_intent } = await pay(booking);
  const { error } = await until(async () => {
    const { status, body: settled } = await internal('verify_payment', { payment_intent_id: payment_intent });
    return status === 409 && settled;
  });
  t.like(error, { code: 'payment_too_late', details: { booking_id: booking.id } });
  await untilStatus(api, booking.id, 'expired');
  const [refund] = await until(async () => {
    const { refunds } = await processorLedger(workspace);
    return refunds.length > 0 && refunds;
  });
  t.like(refund, { amount: booking.price.amount_minor, payment_intent });
  const toPayer = await until(async () =>
    (await mailTo(body.booked_by.guest.email)).find(({ subject }) => /refund/i.test(subject)),
  );
  t.truthy(toPayer);
  const invoice = (await api.get(`/v1/invoices/${booking.invoice_id}`)).body;
  t.is(invoice.status, 'void');
  await sweep(t, workspace);
});

test('a booking is not completed before its time has passed, whatever its run says', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const kept = await transaction(db, (tx) => completeBooking(tx, booking.id));
  t.is(kept!.status, 'confirmed');
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
});

test('cancelling a booking on account closes the page for paying its invoice', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', payment_terms: 14 });
  const member = await newMember(workspace, { company_id: company.id });
  const room = await newRoom(api);
  const { body: booking } = await member.api.post(
    '/v1/bookings',
    bookingBody(room.id, { booked_by: { member_id: member.id }, settle: 'on_account' }),
  );
  const { body: opened } = await api.post(`/v1/invoices/${booking.invoice_id}/checkout`);

  const refused = await api.post(`/v1/invoices/${booking.invoice_id}/void`, {});
  t.like(refused, { status: 409, body: { error: { code: 'invoice_not_open' } } });
  t.is(refused.body.error.details!.booking_id, booking.id);

  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  await until(async () => {
    const { sessions } = await processorLedger(workspace);
    return sessions.find(({ id }) => id === checkoutSessionId(opened))!.status === 'expired';
  });
  t.is((await api.get(`/v1/invoices/${booking.invoice_id}`)).body.status, 'void');
  await sweep(t, workspace);
});
