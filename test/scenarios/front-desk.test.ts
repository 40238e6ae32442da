import test from 'ava';
import { issueStatement } from '../../commands/invoices/issue-statement.js';
import { cancelBooking } from '../../commands/bookings/cancel-booking.js';
import { insertChange } from '../../commands/bookings/change/plan.js';
import { findChange } from '../../db/queries/bookings/booking-change.js';
import { transaction } from '../../db/transaction.js';
import type { RefundPolicy } from '../../domain/bookings/refund-policy.js';
import { createMember } from '../support/member-calls.js';
import { newMember } from '../support/people.js';
import { confirmedBooking } from '../support/bookings.js';
import { IN_A_YEAR, today } from '../support/days.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';
import { WebSession } from '../support/web-session.js';
import { newWorkspace } from '../support/workspaces.js';
import { STEPS } from './cancel-calls.js';

/** A workspace with a person at its front desk. */
async function setUp() {
  const workspace = await newWorkspace();
  return { workspace, desk: await newMember(workspace, { role: 'front_desk' }) };
}

test('the front desk refunds by the terms of the room, and beyond them up to the limit of the workspace', async (t) => {
  const { workspace, desk } = await setUp();
  const cancel = (id: string, body: object) => desk.api.post(`/v1/bookings/${id}/cancel`, body);
  const { booking } = await confirmedBooking(workspace.api, { room: STEPS });
  // The terms give £10.00 of £30.00.
  for (const body of [{ refund_policy: 'full' }, { refund_amount_minor: 1_001 }]) {
    const { status, body: refused } = await cancel(booking.id, body);
    t.is(status, 403, JSON.stringify(refused));
    t.like(refused.error, {
      code: 'role_insufficient',
      details: { reason: 'desk_refund_limit', refundable_minor: 1_000 },
    });
  }
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  t.like((await cancel(booking.id, { refund_amount_minor: 999 })).body.refund, { amount_minor: 999 });

  const { booking: second } = await confirmedBooking(workspace.api, { room: STEPS });
  const limit = { desk_refund_limit_minor: 2_000 };
  t.like((await workspace.api.patch('/v1/workspace', limit)).body, limit);
  t.is((await cancel(second.id, { refund_amount_minor: 2_001 })).status, 403);
  t.like((await cancel(second.id, { refund_amount_minor: 2_000 })).body.refund, { amount_minor: 2_000 });
  const { booking: third } = await confirmedBooking(workspace.api, { room: STEPS });
  t.like((await cancel(third.id, {})).body.refund, { amount_minor: 1_000 });
  t.is((await desk.api.patch('/v1/workspace', { desk_refund_limit_minor: 9_999 })).status, 403);
  await sweep(t, workspace);
});

test('the limit is checked where the booking is locked, not only when the refund is requested', async (t) => {
  const { workspace, desk } = await setUp();
  const { booking } = await confirmedBooking(workspace.api, { room: STEPS });
  const asks = (refund_policy: RefundPolicy) =>
    transaction(db, async (tx) => {
      const id = await insertChange(tx, {
        workspace_id: workspace.id,
        booking_id: booking.id,
        actor: { member_id: desk.id, key_id: null },
        kind: 'cancel',
        request: { reason: null, notify_attendees: false, refund_policy, at_desk: true },
      });
      const change = (await findChange(tx, id))!;
      if (change.kind !== 'cancel') throw new Error('not a cancellation');
      return cancelBooking(tx, change);
    });
  await t.throwsAsync(asks('full'), {
    message: /The front desk can refund at most £10\.00 of this booking\./,
  });
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
});

test('the front desk sees invoices for bookings, and neither payment terms nor cards of members', async (t) => {
  const { workspace, desk } = await setUp();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const member = await createMember(api);
  const terms = { payment_terms: 30, credit_limit_minor: 5_000 };
  t.like((await api.patch(`/v1/members/${member.id}`, terms)).body, terms);
  const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
  const due_at = IN_A_YEAR;
  const other = await api.post('/v1/invoices', { member_id: member.id, currency: 'GBP', due_at, lines });
  const own = await api.post('/v1/invoices', { member_id: desk.id, currency: 'GBP', due_at, lines });
  t.is((await desk.api.get(`/v1/invoices/${other.body.id}`)).body.error?.code, 'invoice_not_found');
  const visible = [own.body.id, booking.invoice_id!];
  for (const id of visible) t.is((await desk.api.get(`/v1/invoices/${id}`)).body.id, id);
  const listed = (await desk.api.get('/v1/invoices')).body.data.map(({ id }) => id);
  t.deepEqual(listed, visible);
  const adjusted = await api.post(`/v1/invoices/${booking.invoice_id}/adjustments`, {
    lines,
    reason: 'Extra',
  });
  t.is(adjusted.status, 201, JSON.stringify(adjusted.body));
  const adjusting = (await api.get('/v1/invoices')).body.data.find(({ kind }) => kind === 'adjustment')!;
  t.is((await desk.api.get(`/v1/invoices/${adjusting.id}`)).status, 200, 'what adjusts one of a booking');

  const hidden = { payment_terms: null, credit_limit_minor: null, autopay: false, card: null };
  t.like((await desk.api.get(`/v1/members/${member.id}`)).body, { email: member.email, ...hidden });
  const { data } = (await desk.api.get('/v1/members')).body;
  t.like(
    data.find(({ id }) => id === member.id),
    hidden,
  );
  t.like((await api.get(`/v1/members/${member.id}`)).body, terms);
});

test('the front desk sees the invoice for a booking, but not the statement of its payer that lists it', async (t) => {
  const { workspace, desk } = await setUp();
  const { api } = workspace;
  const member = await newMember(workspace);
  const { booking } = await confirmedBooking(api, { body: { booked_by: { member_id: member.id } } });
  const day = await today();
  await transaction(db, (tx) =>
    issueStatement(tx, {
      workspace_id: workspace.id,
      payer: { company_id: null, member_id: member.id },
      from: day,
      to: day,
    }),
  );
  const id = booking.invoice_id!;
  const kindsFor = async ({ get }: typeof api) => {
    const kinds = (await get(`/v1/invoices/${id}/documents`)).body.data.map(({ kind }) => kind);
    t.deepEqual(
      (await get(`/v1/invoices/${id}`)).body.documents.map(({ kind }) => kind),
      kinds,
    );
    return kinds;
  };
  const { documents } = (await member.api.get(`/v1/invoices/${id}`)).body;
  const { number } = documents.find(({ kind }) => kind === 'statement')!;
  t.deepEqual(await kindsFor(member.api), ['invoice', 'statement']);
  t.deepEqual(await kindsFor(api), ['invoice', 'statement']);
  t.deepEqual(await kindsFor(desk.api), ['invoice']);
  t.is((await member.api.get(`/v1/invoices/${id}/documents/${number}.pdf`)).status, 200);
  t.is(
    (await desk.api.get(`/v1/invoices/${id}/documents/${number}.pdf`)).body.error?.code,
    'invoice_not_found',
  );
  const listed = (await desk.api.get(`/v1/invoices?booking_id=${booking.id}`)).body.data;
  t.deepEqual(
    listed.map(({ documents }) => documents.map(({ kind }) => kind)),
    [['invoice']],
  );
  const session = await WebSession.start(desk.email);
  const home = `/dashboard/${workspace.id}`;
  t.is((await session.get(`${home}/invoices/${id}/documents/${number}.pdf`)).status, 404);
  t.is((await session.get(`${home}/search?q=${number}`)).status, 200, 'which leads nowhere');
});
