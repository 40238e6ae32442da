import test from 'ava';
import { storeProcessorEvents } from '../support/rows.js';
import type Stripe from 'stripe';
import { createStripeClient, createStripeProcessor } from '../../activities/gateways/stripe.js';
import { internal } from '../support/api-client.js';
import {
  bookingBody,
  confirmedBooking,
  listEvents,
  pay,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { processorLedger, requestsAbout, simulator, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { disputablePayment } from '../support/disputes.js';
import { sweep } from '../support/invariants.js';

// Every webhook is lost, and the job reads what the processor has recorded.

const LOST = { drop_webhooks: ['all'] };

const readAccounts = async ({ id }: TestWorkspace) =>
  (await internal('run_job', { job: 'read_accounts', workspace_id: id })).body;

const accountRead = async ({ accountId }: Pick<TestWorkspace, 'accountId'>) =>
  (await db.query(`SELECT * FROM account_reads WHERE account_id = $1`, [accountId]))[0];

test('a payment is confirmed although its checkout counts as closed', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  await withFaults(workspace, LOST, async () => {
    await pay(booking);
    await db.query(`UPDATE checkouts SET state = 'closed' WHERE booking_id = $1`, [booking.id]);
    await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
    t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');

    t.like(await readAccounts(workspace), { accounts: 1, failed: 0 });
    const confirmed = await untilStatus(workspace.api, booking.id, 'confirmed');
    t.is(confirmed.confirmation_source, 'scheduler_self_heal');
  });
  t.is((await processorLedger(workspace)).webhooks_sent.length, 0);
  await sweep(t, workspace);
});

test('a payment of an expired booking is refunded although its checkout counts as closed', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  await withFaults(workspace, LOST, async () => {
    await pay(booking, { async: true });
    await untilStatus(workspace.api, booking.id, 'expired');
    await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`, {});
    await db.query(`UPDATE checkouts SET state = 'closed' WHERE booking_id = $1`, [booking.id]);

    await readAccounts(workspace);
    // An hour of £25.00 plus 20 % tax.
    await until(async () => (await processorLedger(workspace)).refunds[0]?.amount === 3_000);
  });
  await sweep(t, workspace);
});

test('a refund made at the processor is recorded', async (t) => {
  const workspace = await newWorkspace();
  const { booking, untilPayment } = await disputablePayment(workspace);
  const intent = booking.processor_payment_intent_id!;
  await withFaults(workspace, LOST, async () => {
    await simulator('POST', `/_sim/payment_intents/${intent}/refund`, { amount: 1_000 });
    const [made] = (await processorLedger(workspace)).refunds;
    await readAccounts(workspace);
    const payment = await untilPayment({ status: 'partially_refunded' });
    t.is(payment.refunded_minor, 1_000);
    const refund = await until(async () => (await untilPayment({})).refunds[0]);
    await until(
      async () => (await workspace.api.get(`/v1/payments/${refund.id}`)).body.status === 'succeeded',
    );
    const { settled_at } = (await workspace.api.get(`/v1/payments/${refund.id}`)).body;
    t.is(Date.parse(settled_at!), made!.created * 1_000, 'its money moved when it was made');
  });
  await sweep(t, workspace);
});

test('a refund that the bank returned counts as failed', async (t) => {
  const workspace = await newWorkspace();
  const { id, payment, untilPayment } = await disputablePayment(workspace);
  await workspace.api.post(`/v1/payments/${id}/refund`);
  await untilPayment({ status: 'refunded' });
  await until(async () => (await payment()).refunds[0]?.status === 'succeeded');
  await withFaults(workspace, LOST, async () => {
    const [refund] = (await processorLedger(workspace)).refunds;
    await simulator('POST', `/_sim/refunds/${refund!.id}/settle`, { status: 'failed' });
    await readAccounts(workspace);
    await until(async () => (await payment()).refunds[0]?.status === 'failed');
    const { invoice_id } = await untilPayment({ status: 'succeeded', refunded_minor: 0 });
    const types = (await listEvents(invoice_id!)).map(({ type }) => type);
    t.deepEqual(types.slice(-2), ['invoice.refunded', 'invoice.paid']);
  });
  await sweep(t, workspace);
});

test('a dispute that is opened and closed is followed', async (t) => {
  const workspace = await newWorkspace();
  const { dispute, move, untilDispute } = await disputablePayment(workspace);
  await withFaults(workspace, LOST, async () => {
    const opened = await dispute();
    await readAccounts(workspace);
    t.is((await untilDispute(opened.id, 'open')).status, 'disputed');
    await move(opened.id, { status: 'won' });
    await readAccounts(workspace);
    t.is((await untilDispute(opened.id, 'won')).status, 'succeeded');
  });
  await sweep(t, workspace);
});

test('an account is restricted and enabled again, even if the processor lists no event about it', async (t) => {
  const workspace = await newWorkspace();
  const { api, accountId } = workspace;
  const untilProcessor = (status: string) =>
    until(async () => (await api.get('/v1/workspace')).body.processor.status === status);
  await withFaults(workspace, LOST, async () => {
    await simulator('POST', `/_sim/accounts/${accountId}`, { charges_enabled: false });
    t.like(await readAccounts(workspace), { events: 1 });
    await untilProcessor('pending');
    await simulator('POST', `/_sim/accounts/${accountId}`, { charges_enabled: true });
    // As if its time had passed: the processor lists events for 30 days.
    const { events } = await processorLedger(workspace);
    const known = await db.query(`SELECT id FROM processor_events WHERE account_id = $1`, [accountId]);
    const handled = new Set(known.map(({ id }: { id: string }) => id));
    await storeProcessorEvents(
      db,
      events
        .filter(({ event_id }) => !handled.has(event_id))
        .map(({ event_id }) => ({ id: event_id, type: 'account.updated', handled_at: new Date() })),
    );
    t.like(await readAccounts(workspace), { accounts: 1, events: 0 });
    await untilProcessor('active');
  });
});

test('what a webhook reported is not handled again, and an idle account costs two calls', async (t) => {
  const workspace = await newWorkspace();
  await confirmedBooking(workspace.api);
  await until(async () => (await processorLedger(workspace)).webhooks_pending === 0);
  await readAccounts(workspace);
  const events = () =>
    db.query(`SELECT * FROM processor_events WHERE account_id = $1 ORDER BY id`, [workspace.accountId]);
  const [before, asked] = [await events(), (await requestsAbout(workspace)).length];

  t.deepEqual(await readAccounts(workspace), { accounts: 1, events: 0, failed: 0 } as never);
  t.deepEqual(await events(), before);
  t.deepEqual((await requestsAbout(workspace)).slice(asked), [
    'GET /v1/events',
    `GET /v1/accounts/${workspace.accountId}`,
  ]);
});

test('an account that cannot be read is tried again later, and nothing on it is missed', async (t) => {
  const workspace = await newWorkspace();
  const { untilPayment, booking } = await disputablePayment(workspace);
  const down = { ...LOST, fail: [{ method: 'GET', path: '/v1/events', status: 503, times: 1_000 }] };
  const { read_until } = await accountRead(workspace);
  await withFaults(workspace, down, async () => {
    const intent = booking.processor_payment_intent_id!;
    await simulator('POST', `/_sim/payment_intents/${intent}/refund`, { amount: 1_000 });
    for (const failures of [1, 2]) {
      t.deepEqual(await readAccounts(workspace), {
        accounts: 0,
        events: 0,
        failed: 1,
        left: [workspace.accountId],
      } as never);
      const read = await accountRead(workspace);
      t.is(read.failures, failures);
      t.deepEqual(read.read_until, read_until);
      const pause = (read.next_read_at.getTime() - Date.now()) / 60_000;
      t.true(pause > 4 * failures && pause < 6 * failures, `${pause} minutes`);
    }
  });
  await withFaults(workspace, LOST, () => readAccounts(workspace));
  t.like(await accountRead(workspace), { failures: 0 });
  await untilPayment({ status: 'partially_refunded' });
});

test('an account that has revoked its connection is left to its own run', async (t) => {
  const workspace = await newWorkspace();
  const { accountId: account, api } = workspace;
  await withFaults(workspace, LOST, async () => {
    const object = { id: account, object: 'account', charges_enabled: true };
    await simulator('POST', '/_sim/event', {
      type: 'account.application.deauthorized',
      object,
      account,
      via: 'connect',
    });
    await until(async () => (await api.get('/v1/workspace')).body.processor.status === 'revoked');
    await db.query(`UPDATE workspaces SET processor_status = 'active' WHERE id = $1`, [workspace.id]);
    t.deepEqual(await readAccounts(workspace), { accounts: 0, events: 0, failed: 0 } as never);
    await until(async () => (await api.get('/v1/workspace')).body.processor.status === 'revoked');
  });
});

test('changes older than the processor’s list of events are read from the balance transactions', async (t) => {
  const workspace = await newWorkspace();
  const { booking, dispute } = await disputablePayment(workspace);
  const intent = booking.processor_payment_intent_id!;
  const { id: refundId } = await simulator('POST', `/_sim/payment_intents/${intent}/refund`, {
    amount: 1_000,
  });
  const { id: disputeId } = await dispute();
  const stripe = createStripeClient({ secretKey: 'sk_test_holdfast', apiUrl: dev.processorUrl });
  const suffixes = { find: async () => 0, advance: async () => undefined };
  const processor = createStripeProcessor(stripe, dev.baseUrl, suffixes as never, async () => undefined);
  const from = new Date(Date.now() - 60_000);
  const { events, last } = await processor.listMovements(workspace.accountId!, {
    from,
    to: null,
    after: null,
  });
  t.is(last, null);
  const facts = events.map(({ type, account, data }) => [type, account, (data.object as Stripe.Charge).id]);
  const [charge] = (await processorLedger(workspace)).charges;
  t.deepEqual(facts, [
    ['charge.dispute.updated', workspace.accountId, disputeId],
    ['refund.updated', workspace.accountId, refundId],
    ['charge.succeeded', workspace.accountId, charge!.id],
  ]);

  await db.query(`UPDATE account_reads SET read_until = now() - interval '40 days' WHERE account_id = $1`, [
    workspace.accountId,
  ]);
  const asked = (await requestsAbout(workspace)).length;
  t.like(await readAccounts(workspace), { accounts: 1, failed: 0 });
  const calls = (await requestsAbout(workspace)).slice(asked);
  t.is(calls.filter((call) => call === 'GET /v1/balance_transactions').length, 6, '11 days, two at a time');
  t.is(calls.filter((call) => call === 'GET /v1/events').length, 15, '29 days, two at a time');
});

test('the account is read when the processor redirects its operator back from onboarding', async (t) => {
  const workspace = await newWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const { url } = (await api.post('/v1/workspace/processor/onboarding')).body;
  const accountId = (await api.get('/v1/workspace')).body.processor.account_id;
  t.truthy(await accountRead({ accountId }));
  await withFaults({ accountId }, LOST, async () => {
    const finished = await fetch(url, { method: 'POST', redirect: 'manual' });
    t.is((await api.get('/v1/workspace')).body.processor.status, 'pending');
    t.is((await fetch(finished.headers.get('location')!)).status, 200);
    t.is((await api.get('/v1/workspace')).body.processor.status, 'active');
  });
});
