import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import test from 'ava';
import { newMember } from '../support/people.js';
import { sweep } from '../support/invariants.js';
import { bookingBody, pay } from '../support/bookings.js';
import { mailTo, processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import type { TestWorkspace } from '../support/workspaces.js';
import type { Booking } from '../support/api-bodies.js';
import { book, newScene } from './on-account-calls.js';
import { openLink } from '../support/links.js';
import { message } from '../support/message.js';

const readInvoice = async ({ api }: TestWorkspace, { invoice_id }: Booking) =>
  (await api.get(`/v1/invoices/${invoice_id}`)).body;

test('a booking on account is confirmed immediately and invoiced by the terms, within the limit also when concurrent', async (t) => {
  const { workspace, member, room } = await newScene(7_000);
  const { status, body: booking } = await book(member, room);
  t.is(status, 201);
  t.like(booking, {
    status: 'confirmed',
    settle: 'on_account',
    checkout_url: null,
    expires_at: null,
    price: { amount_minor: 3_000 },
  });
  const invoice = await readInvoice(workspace, booking);
  t.like(invoice, { kind: 'booking', status: 'open', outstanding_minor: 3_000, booking_id: booking.id });
  t.true(Math.abs(Date.parse(invoice.due_at) - Date.now() - 14 * DAY_MS) < 60_000);
  t.is(invoice.collection!.status, 'scheduled');
  await until(async () => (await readInvoice(workspace, booking)).sent_at);

  const responses = await Promise.all(Array.from({ length: 4 }, () => book(member, room)));
  t.is(responses.filter(({ status }) => status === 201).length, 1);
  for (const { status, body } of responses.filter(({ status }) => status !== 201)) {
    t.is(status, 409, JSON.stringify(body));
    t.like(body.error, { code: 'credit_limit_exceeded', details: { available_minor: 1_000 } });
  }
  const { idempotency_key: _, ...wish } = bookingBody(room.id, {
    booked_by: { member_id: member.id },
    settle: 'on_account',
  }) as Record<string, unknown>;
  const quoted = await member.api.post('/v1/quotes', wish);
  t.like(quoted, { status: 409, body: { error: { code: 'credit_limit_exceeded' } } });
  t.regex(quoted.body.error.message, /£10\.00 of £70\.00 is available/);
  t.is((await member.api.post('/v1/quotes', { ...wish, settle: 'checkout' })).status, 200);
  const paid = await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    amount_minor: 3_000,
    method: 'bank_transfer',
  });
  t.is(paid.body.invoice.status, 'paid');
  t.is((await book(member, room)).status, 201, 'a paid invoice frees the limit');
  t.deepEqual((await processorLedger(workspace)).sessions, []);
  await sweep(t, workspace);
});

test('invalid input for a booking on account is refused, and nothing is stored', async (t) => {
  const { workspace, member, room } = await newScene(null);
  const { api } = workspace;
  const guest = bookingBody(room.id, { settle: 'on_account' });
  t.like((await api.post('/v1/bookings', guest)).body.error, { code: 'validation_failed', param: 'settle' });
  const outsider = await newMember(workspace);
  t.like((await book(outsider, room)).body.error, { code: 'validation_failed', param: 'settle' });
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

const THREE_QUARTERS = { refund_steps: [{ hours_before: 0, percent: 75 }] };

test('the price of a booking on account cannot change until it is paid', async (t) => {
  const { workspace, member, room } = await newScene(null, THREE_QUARTERS);
  const { api } = workspace;
  const { body: booking } = await book(member, room);
  await until(async () => (await readInvoice(workspace, booking)).sent_at);
  const move = await (await openLink(`${booking.manage_url}/move`)).text();
  t.true(move.includes(message('payer.owed_length')));
  t.is(move.match(/<option/g)!.length, 1);
  const end_at = new Date(Date.parse(booking.end_at) + HOUR_MS).toISOString();
  const costlier = await api.patch(`/v1/bookings/${booking.id}`, { end_at });
  t.like(costlier, { status: 409, body: { error: { code: 'booking_not_editable' } } });
  await sweep(t, workspace);
});

test('cancelling an unpaid booking on account leaves due what its steps keep', async (t) => {
  const { workspace, company, member, room } = await newScene(null, THREE_QUARTERS);
  const { api } = workspace;
  const { body: booking } = await book(member, room);
  await until(async () => (await readInvoice(workspace, booking)).sent_at);
  const cancelled = await api.post(`/v1/bookings/${booking.id}/cancel`, { reason: 'Double booked' });
  t.like(cancelled.body, { status: 'cancelled', refund: null });
  t.is((await readInvoice(workspace, booking)).status, 'void');
  const { data } = (await api.get('/v1/invoices?status=open')).body;
  t.is(data.length, 1);
  t.like(data[0], { kind: 'adjustment', adjusts: booking.invoice_id, total_minor: 750, tax_minor: 125 });
  t.is((await member.api.get('/v1/invoices')).body.data.length, 0, 'the company pays');
  const mails = await until(async () => {
    const found = await mailTo(company.billing_email!);
    return found.length === 3 && found;
  });
  const findMailText = (subject: string) => mails.find((mail) => mail.subject.startsWith(subject))!.text;
  const voided = findMailText(message('mail.voided_subject', { reference: 'TH-1' }));
  const first = { reference: 'TH-1', amount: '£30.00' };
  t.true(voided.includes(message('mail.voided_with_booking', first)), voided);
  t.true(voided.includes(message('mail.takes_its_place', { reference: 'TH-2', amount: '£7.50' })), voided);
  t.true(voided.includes('Booked by: Mel Member'), voided);
  t.regex(voided, / wrote:\s+> Double booked/);
  const toMember = await until(async () =>
    (await mailTo(member.email)).find(({ subject }) => subject.endsWith('is cancelled')),
  );
  t.true(toMember.text.includes('> Double booked'), toMember.text);
  const replaces = message('mail.replaces', { reference: 'TH-1' });
  const opened = findMailText(message('mail.invoice_opened_subject', { reference: 'TH-2' }));
  t.regex(opened, new RegExp(`${replaces}.*Cancelled: .*Tax: £1\\.25`, 's'));

  await sweep(t, workspace);
});

test('a full refund of an unpaid booking on account voids its invoice, which otherwise stays open', async (t) => {
  const { workspace, member, room } = await newScene(null, THREE_QUARTERS);
  const { api } = workspace;
  const { body: other } = await book(member, room);
  await api.post(`/v1/bookings/${other.id}/cancel`, { refund_policy: 'full' });
  t.is((await readInvoice(workspace, other)).status, 'void');
  const { body: kept } = await book(member, room);
  await api.post(`/v1/bookings/${kept.id}/cancel`, { refund_policy: 'none' });
  t.is((await readInvoice(workspace, kept)).status, 'open');
  t.is((await api.get('/v1/invoices?status=open')).body.data.length, 1);
  await sweep(t, workspace);
});

test('the refund of a company’s payment is mailed to the company, not to the booker', async (t) => {
  const { workspace, company, member, room } = await newScene(null, THREE_QUARTERS);
  const { api } = workspace;
  const { body: byCompany } = await book(member, room);
  const owed = await readInvoice(workspace, byCompany);
  const { body: opened } = await api.post(`/v1/invoices/${owed.id}/checkout`);
  await pay(opened);
  await until(async () => (await readInvoice(workspace, byCompany)).status === 'paid');
  await api.post(`/v1/bookings/${byCompany.id}/cancel`, { refund_policy: 'full', reason: 'Flood' });
  const [refund, ...others] = await until(async () => {
    const found = await db.query(
      `SELECT kind FROM mails WHERE workspace_id = $1 AND status = 'sent' AND kind LIKE '%refunded'`,
      [workspace.id],
    );
    return found.length > 0 && found;
  });
  t.deepEqual([refund, others], [{ kind: 'invoice_refunded' }, []]);
  const refunded = (await mailTo(company.billing_email!)).find(({ subject }) =>
    subject.startsWith('Refund for'),
  )!;
  t.true(refunded.text.includes('> Flood'), refunded.text);
  await sweep(t, workspace);
});

test('money that was paid by hand is returned by hand, and each page and mail says so', async (t) => {
  const { workspace, member, room } = await newScene(null, THREE_QUARTERS);
  const { api } = workspace;
  const { body: inCash } = await book(member, room);
  const cash = { amount_minor: 3_000, method: 'cash' };
  t.is((await api.post(`/v1/invoices/${inCash.invoice_id}/mark-paid`, cash)).status, 200);
  const textAt = async (path: string) =>
    (await (await openLink(inCash.manage_url + path)).text()).replaceAll(/<[^>]+>/g, ' ');
  const shorter = await textAt(`/move?minutes=30&start=${inCash.start_at}`);
  const part = message('terms.returned_by_hand', { payee: 'Test house', amount: '£11.25' });
  t.true(shorter.includes(part));
  t.notRegex(shorter, /is refunded to/);
  const half = new Date(Date.parse(inCash.start_at) + 1_800_000).toISOString();
  t.is(
    (await api.patch(`/v1/bookings/${inCash.id}`, { end_at: half })).body.adjustment!.amount_minor,
    -1_125,
  );
  const { text: changed } = await until(async () =>
    (await mailTo(member.email)).find(({ subject }) => subject.endsWith('has changed')),
  );
  t.true(changed.includes(message('mail.price_refunded', { price: '£15.00', refund: part })));
  const byHand = message('terms.returned_by_hand', { payee: 'Test house', amount: '£30.00' });
  t.true((await textAt('/cancel')).includes(part));
  const { body: over } = await api.post(`/v1/bookings/${inCash.id}/cancel`, { refund_policy: 'full' });
  t.like(over.refund, { amount_minor: 1_875, status: 'succeeded' });
  t.is((await readInvoice(workspace, inCash)).status, 'refunded');
  t.true((await textAt('')).includes(byHand));
  await sweep(t, workspace);
});

test('if the operator chooses so, a payer with an overdue invoice cannot book on account', async (t) => {
  const { workspace, company, member, room } = await newScene(null);
  const { api } = workspace;
  t.is((await api.get('/v1/workspace')).body.refuse_overdue_payers, false);
  const { body: booking } = await book(member, room);
  await db.query(`UPDATE invoices SET due_at = due_at - interval '30 days' WHERE id = $1`, [
    booking.invoice_id,
  ]);
  await db.query(
    `UPDATE collections SET started_at = started_at - interval '30 days', notify_at = now()
      WHERE invoice_id = $1`,
    [booking.invoice_id],
  );
  await until(async () => (await readInvoice(workspace, booking)).overdue_at);
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
  await until(async () => (await mailTo(company.billing_email!)).length > 0);
  await sweep(t, workspace);
});
