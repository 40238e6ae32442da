import test from 'ava';
import { newId } from '../../db/ids.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { reserve } from '../support/scratch-database.js';
import { storeChanges, storeTierChanges } from '../support/rows.js';
import { internal } from '../support/api-client.js';
import {
  bookingBody,
  freeHour,
  confirmedBooking,
  moveIntoPast,
  pay,
  pendingBooking,
  untilStatus,
} from '../support/bookings.js';
import { processorLedger, simulator, withFaults, withRefundMode } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { newTierWorkspace, untilInvoiced } from '../support/tiers.js';
import { temporal } from '../support/temporal.js';
import { createMember } from '../support/member-calls.js';
import { paymentConfirmed } from '../../contract/payments/payments.js';
import { searchAttributes } from '../../contract/search-attributes.js';
import { starts } from '../../contract/starts.js';
import { NEXT_MONDAY } from '../support/days.js';

const getRun = (bookingId: string) => temporal.workflow.getHandle(bookingId);
const selfHeal = async ({ id }: TestWorkspace) =>
  (await internal('run_job', { job: 'self_heal', workspace_id: id })).body;

test('self-heal restarts the run of a booking, and the booking expires at its time', async (t) => {
  const { workspace, booking } = await pendingBooking(10);
  await getRun(booking.id).terminate('lost');
  const summary = await until(async () => {
    const seen = await selfHeal(workspace);
    return seen.revived! > 0 && seen;
  });
  t.is(summary.revived, 1);
  await untilStatus(workspace.api, booking.id, 'expired');
  await sweep(t, workspace);
});

test('a payment for a booking whose run is lost confirms it, and the run continues', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await getRun(booking.id).terminate('lost');
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await until(async () => (await getRun(booking.id).describe()).status.name === 'RUNNING');
  await sweep(t, workspace);
});

test('a reservation whose create died before its workflow started is released by the next create for the slot', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  // What a crash between the claim and the workflow start leaves: the row, its claim and its idempotency key.
  const slot = freeHour();
  const dead = await reserve(db, (await findRoom(db.manager, workspace.id, room.id))!, slot);
  await db.query(`UPDATE bookings SET created_at = now() - interval '2 minutes' WHERE id = $1`, [dead]);
  const next = await workspace.api.post('/v1/bookings', bookingBody(room.id, slot));
  t.is(next.status, 201, JSON.stringify(next.body));
  await sweep(t, workspace);
});

test('self-heal withdraws a change whose request died before it reached its run, but leaves a recent one', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const change = { workspace_id: workspace.id, booking_id: booking.id, request: { notes: 'private' } };
  const [dead, recent] = [newId('chg'), newId('chg')];
  await storeChanges(db, [
    { ...change, id: dead, created_at: new Date(Date.now() - 2 * MINUTE_MS) },
    { ...change, id: recent, created_at: new Date() },
  ]);
  await selfHeal(workspace);
  const changes = await db.query(`SELECT id, state, request FROM booking_changes WHERE id = ANY ($1)`, [
    [dead, recent],
  ]);
  const findChange = (id: string) => changes.find((change: { id: string }) => change.id === id);
  t.like(findChange(dead), { state: 'refused', request: null });
  t.like(findChange(recent), { state: 'requested' });
  const { status, body } = await workspace.api.patch(`/v1/bookings/${booking.id}`, { notes: 'again' });
  t.is(status, 200, JSON.stringify(body));
});

test('an upgrade whose run was lost is still billed', async (t) => {
  const workspace = await newTierWorkspace();
  const member = await createMember(workspace.api, { tier: 'basic' });
  await workspace.api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
  await untilInvoiced(workspace);
  // What a lost run leaves: an upgrade that was dispatched, and not billed.
  const [{ event_id }] = await db.query(`SELECT event_id FROM tier_changes WHERE workspace_id = $1`, [
    workspace.id,
  ]);
  const notified_at = new Date(Date.now() - 11 * MINUTE_MS);
  await storeTierChanges(db, [{ workspace_id: workspace.id, member_id: member.id, event_id, notified_at }]);
  t.is((await untilInvoiced(workspace, 2)).length, 2);
});

test('a confirmed booking is completed after its end, even if its run was lost in the meantime', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await getRun(booking.id).terminate('lost');
  await moveIntoPast(booking.id);
  await until(async () => (await selfHeal(workspace)).revived === 1);
  t.truthy((await untilStatus(workspace.api, booking.id, 'completed')).completed_at);
  await sweep(t, workspace);
});

test('the hourly job confirms a booking whose webhooks were lost', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  await until(async () => (await selfHeal(workspace)).confirmed === 1);
  t.is(
    (await untilStatus(workspace.api, booking.id, 'confirmed')).confirmation_source,
    'scheduler_self_heal',
  );
});

test('the hourly job restarts the lost run of a refund, which follows it to its end', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    await temporal.workflow.getHandle(body.refund!.id).terminate('lost');
    await db.query(`UPDATE payments SET created_at = now() - interval '2 minutes' WHERE id = $1`, [
      body.refund!.id,
    ]);
    const job = await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
    t.is(job.body.revived, 1);
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund) => refund.metadata!.refund_id === body.refund!.id)!;
    await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'succeeded' });
    t.is(await temporal.workflow.getHandle(body.refund!.id).result(), 'succeeded');
  });
  await sweep(t, workspace);
});

test('a payment that keeps failing does not hold up the hourly job, which names it', async (t) => {
  const workspace = await newWorkspace();
  const { booking: poison } = await pendingBooking(600, workspace);
  const { booking: other } = await pendingBooking(600, workspace);
  const { payment_intent } = await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await pay(other);
    return pay(poison);
  });
  const fail = [{ path: `/v1/payment_intents/${payment_intent}`, status: 500, times: 1_000 }];
  await withFaults(workspace, { drop_webhooks: ['all'], fail }, async () => {
    const summary = await until(async () => {
      const seen = await selfHeal(workspace);
      return seen.examined === 2 && seen;
    });
    t.like(summary, { confirmed: 1, failed: 1, left: [poison.id] });
    await untilStatus(workspace.api, other.id, 'confirmed');
  });
  await until(async () => (await selfHeal(workspace)).confirmed === 1);
  await untilStatus(workspace.api, poison.id, 'confirmed');
  await sweep(t, workspace);
});

test('a session that is paid without its payment is left and reported, and checked again', async (t) => {
  const { workspace, booking } = await pendingBooking(600);
  const setAmount = (change: string): Promise<unknown> =>
    db.query(`UPDATE checkouts SET amount_minor = amount_minor ${change} WHERE booking_id = $1`, [
      booking.id,
    ]);
  await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  await setAmount('+ 1');
  const summary = await until(async () => {
    const seen = await selfHeal(workspace);
    return seen.examined! > 0 && seen;
  });
  t.like(summary, { confirmed: 0, failed: 1, left: [booking.id] });
  await setAmount('- 1');
  await until(async () => (await selfHeal(workspace)).confirmed === 1);
});

test('the checkout of an invoice that is paid without its payment is queried after a pause, not in a loop', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const company = await api.post('/v1/companies', { name: 'Acme', billing_email: 'acme@example.com' });
  const invoice = await api.post('/v1/invoices', {
    company_id: company.body.id,
    currency: 'GBP',
    due_at: `${NEXT_MONDAY}T00:00:00Z`,
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 5_000, tax_code: 'STANDARD' }],
  });
  const { body: checkout } = await api.post(`/v1/invoices/${invoice.body.id}/checkout`);
  const [{ id }] = await db.query(`SELECT id FROM checkouts WHERE invoice_id = $1`, [invoice.body.id]);
  await getRun(id).terminate('lost');
  await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(checkout));
  await db.query(
    `UPDATE checkouts SET amount_minor = amount_minor + 1, session_expires_at = now() - interval '1 minute'
      WHERE id = $1`,
    [id],
  );
  await temporal.workflow.start('invoiceCheckout', starts('holdfast').invoiceCheckout(id));
  const timers = async (): Promise<{ timers: number; activities: number }> => {
    const { events = [] } = await getRun(id).fetchHistory();
    return {
      timers: events!.filter((event) => event.timerStartedEventAttributes).length,
      activities: events!.filter((event) => event.activityTaskScheduledEventAttributes).length,
    };
  };
  await until(async () => (await timers()).timers > 0);
  const { activities } = await timers();
  t.true(activities <= 4, `${activities} activities before the first pause`);
  const attributes = (await getRun(id).describe()).typedSearchAttributes;
  t.true(attributes.get(searchAttributes.attentionNeeded));

  await db.query(`UPDATE checkouts SET amount_minor = amount_minor - 1 WHERE id = $1`, [id]);
  const { sessions } = await processorLedger(workspace);
  const paymentIntentId = sessions[0]!.payment_intent;
  await getRun(id).signal(paymentConfirmed, { paymentIntentId, source: 'platform_webhook' });
  t.is(await getRun(id).result(), 'confirmed');
  await until(async () => (await api.get(`/v1/invoices/${invoice.body.id}`)).body.status === 'paid');
});
