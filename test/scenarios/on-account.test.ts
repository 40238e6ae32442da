import { randomUUID } from 'node:crypto';
import test from '../support/suite.js';
import { newMember, type Person } from '../api/people.js';
import { sweep } from '../support/invariants.js';
import {
  bookingBody,
  db,
  mailTo,
  newRoom,
  newWorkspace,
  processorLedger,
  until,
  type TestWorkspace,
} from '../support/stack.js';

const DAY = 86_400_000;

/** A member whose company has terms of 14 days and a limit, and a room at 30.00 GBP an hour, tax included. */
async function newScene(credit_limit_minor: number | null, overrides: Record<string, unknown> = {}) {
  const workspace = await newWorkspace();
  const { body: company } = await workspace.api.post('/v1/companies', {
    name: 'Acme',
    payment_terms: 14,
    credit_limit_minor,
    billing_email: 'accounts@acme.example',
  });
  const member = await newMember(workspace, { company_id: company.id });
  const room = await newRoom(workspace.api, overrides);
  return { workspace, company, member, room };
}

const book = ({ api, id }: Person, room: any, overrides: Record<string, unknown> = {}) =>
  api.post(
    '/v1/bookings',
    bookingBody(room.id, { booked_by: { member_id: id }, settle: 'on_account', ...overrides }),
  );

const invoiceOf = async ({ api }: TestWorkspace, { invoice_id }: any): Promise<any> =>
  (await api.get(`/v1/invoices/${invoice_id}`)).body;

test('a booking on account is confirmed at once and invoiced by the terms, within the limit also in parallel', async (t) => {
  const { workspace, member, room } = await newScene(7_000);
  const { status, body: booking } = await book(member, room);
  t.is(status, 201);
  t.like(booking, {
    status: 'confirmed',
    checkout_url: null,
    expires_at: null,
    price: { amount_minor: 3_000 },
  });
  const invoice = await invoiceOf(workspace, booking);
  t.like(invoice, { kind: 'booking', status: 'open', outstanding_minor: 3_000, booking_id: booking.id });
  t.true(Math.abs(Date.parse(invoice.due_at) - Date.now() - 14 * DAY) < 60_000);
  t.is(invoice.collection.status, 'scheduled');
  await until(async () => (await invoiceOf(workspace, booking)).sent_at);

  const responses = await Promise.all(Array.from({ length: 4 }, () => book(member, room)));
  t.is(responses.filter(({ status }) => status === 201).length, 1);
  for (const { status, body } of responses.filter(({ status }) => status !== 201)) {
    t.is(status, 409, JSON.stringify(body));
    t.like(body.error, { code: 'credit_limit_exceeded', details: { available_minor: 1_000 } });
  }
  const paid = await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    amount_minor: 3_000,
    method: 'bank_transfer',
  });
  t.is(paid.body.invoice.status, 'paid');
  t.is((await book(member, room)).status, 201, 'a paid invoice frees the limit');
  t.deepEqual((await processorLedger(workspace)).sessions, []);
  await sweep(t, workspace);
});

test('bad input about a booking on account is refused, and nothing is stored', async (t) => {
  const { workspace, member, room } = await newScene(null);
  const { api } = workspace;
  const guest = bookingBody(room.id, { settle: 'on_account' });
  t.like((await api.post('/v1/bookings', guest)).body.error, { code: 'validation_failed', param: 'settle' });
  const stranger = await newMember(workspace);
  t.like((await book(stranger, room)).body.error, { code: 'validation_failed', param: 'settle' });
  t.like((await book(member, room, { settle: 'later' })).body.error, { code: 'validation_failed' });
  const [{ count }] = await db.query(`SELECT count(*)::int FROM bookings WHERE workspace_id = $1`, [
    workspace.id,
  ]);
  t.is(count, 0);
  const idempotency_key = randomUUID();
  const body = bookingBody(room.id, { booked_by: { member_id: member.id }, idempotency_key });
  t.is((await member.api.post('/v1/bookings', { ...body, settle: 'on_account' })).status, 201);
  t.is((await member.api.post('/v1/bookings', { ...body, settle: 'on_account' })).status, 200);
  t.is((await member.api.post('/v1/bookings', body)).body.error.code, 'idempotency_conflict');
  await sweep(t, workspace);
});

test('cancelling an unpaid booking on account leaves what its steps keep, and a change of price waits for the payment', async (t) => {
  const refund_steps = [{ hours_before: 0, percent: 75 }];
  const { workspace, member, room } = await newScene(null, { refund_steps });
  const { api } = workspace;
  const { body: booking } = await book(member, room);
  const end_at = new Date(Date.parse(booking.end_at) + 3_600_000).toISOString();
  const dearer = await api.patch(`/v1/bookings/${booking.id}`, { end_at });
  t.like(dearer, { status: 409, body: { error: { code: 'booking_not_editable' } } });
  const cancelled = await api.post(`/v1/bookings/${booking.id}/cancel`, {});
  t.like(cancelled.body, { status: 'cancelled', refund: null });
  t.is((await invoiceOf(workspace, booking)).status, 'void');
  const { data } = (await api.get('/v1/invoices?status=open')).body;
  t.is(data.length, 1);
  t.like(data[0], { kind: 'adjustment', adjusts: booking.invoice_id, total_minor: 750, tax_minor: 125 });
  t.is((await member.api.get('/v1/invoices')).body.data.length, 0, 'the company pays');

  const { body: other } = await book(member, room);
  await api.post(`/v1/bookings/${other.id}/cancel`, { refund_policy: 'full' });
  t.is((await invoiceOf(workspace, other)).status, 'void');
  const { body: kept } = await book(member, room);
  await api.post(`/v1/bookings/${kept.id}/cancel`, { refund_policy: 'none' });
  t.is((await invoiceOf(workspace, kept)).status, 'open');
  t.is((await api.get('/v1/invoices?status=open')).body.data.length, 2);
  await sweep(t, workspace);
});

test('if the operator wants it, a payer with an overdue invoice cannot book on account', async (t) => {
  const { workspace, member, room } = await newScene(null);
  const { api } = workspace;
  t.is((await api.get('/v1/workspace')).body.refuse_overdue_payers, false);
  const { body: booking } = await book(member, room);
  await db.query(`UPDATE invoices SET due_at = due_at - interval '30 days' WHERE id = $1`, [
    booking.invoice_id,
  ]);
  await db.query(
    `UPDATE collections SET started_at = started_at - interval '30 days', notify_at = now() WHERE invoice_id = $1`,
    [booking.invoice_id],
  );
  await until(async () => (await invoiceOf(workspace, booking)).overdue_at);
  t.is((await book(member, room)).status, 201);
  t.is((await api.patch('/v1/workspace', { refuse_overdue_payers: true })).body.refuse_overdue_payers, true);
  const refused = await book(member, room);
  t.is(refused.status, 409);
  t.like(refused.body.error, {
    code: 'credit_limit_exceeded',
    details: { available_minor: 0, reason: 'overdue' },
  });
  const byCard = await book(member, room, { settle: 'checkout' });
  t.is(byCard.body.status, 'pending_payment');
  await api.post(`/v1/bookings/${byCard.body.id}/cancel`, {});
  await api.post(`/v1/invoices/${booking.invoice_id}/mark-paid`, { amount_minor: 3_000, method: 'cash' });
  t.is((await book(member, room)).status, 201);
  await until(async () => (await mailTo('accounts@acme.example')).length > 0);
  await sweep(t, workspace);
});
