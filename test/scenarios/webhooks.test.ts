import test from 'ava';
import { IN_A_YEAR } from '../support/days.js';
import { storeProcessorEvents } from '../support/rows.js';
import { sweep } from '../support/invariants.js';
import { anonymous } from '../support/api-client.js';
import { pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newAccount, findOwnerEmail } from '../support/workspaces.js';
import { WebSession } from '../support/web-session.js';
import { type ProcessorEvent, event, pendingBooking, post, secrets, stored } from './webhook-calls.js';

test('an event with a wrong secret, an old timestamp, a changed body or no signature is refused and not stored', async (t) => {
  const cases = {
    'wrong secret': (payload: ProcessorEvent) => post(payload, { secret: 'whsec_of_another_endpoint' }),
    'old timestamp': (payload: ProcessorEvent) =>
      post(payload, { timestamp: Math.floor(Date.now() / 1000) - 3_600 }),
    'changed body': (payload: ProcessorEvent) =>
      post(payload, { sent: JSON.stringify({ ...payload, type: 'checkout.session.completed' }) }),
    'no signature': (payload: ProcessorEvent) => anonymous('POST', '/webhooks/processor', payload),
  };
  for (const [name, send] of Object.entries(cases)) {
    const payload = event();
    const response = await send(payload);
    t.is(response.status, 401, name);
    t.is(response.body.error.code, 'auth_invalid', name);
    t.is(await stored(payload.id), undefined, name);
  }
});

test('each secret verifies, and determines the recorded source', async (t) => {
  for (const via of ['platform', 'connect'] as const) {
    const payload = event({ type: 'charge.refunded' });
    t.is((await post(payload, { secret: secrets[via] })).status, 200);
    t.is((await stored(payload.id)).via, via);
  }
});

test('a paid intent confirms only its own booking, on its own account, in test mode', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const other = await pendingBooking();
  const { payment_intent } = await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  const charge = (bookingId: string) => ({
    object: 'charge',
    payment_intent,
    metadata: { booking_id: bookingId },
  });
  const sent: Record<string, ProcessorEvent> = {
    'another booking': event({
      account: other.workspace.accountId,
      data: { object: charge(other.booking.id) },
    }),
    'another account': event({ account: other.workspace.accountId, data: { object: charge(booking.id) } }),
    'unknown account': event({ account: newAccount(), data: { object: charge(booking.id) } }),
    'live mode': event({
      account: workspace.accountId,
      livemode: true,
      data: { object: charge(booking.id) },
    }),
    'no booking': event({
      account: workspace.accountId,
      data: { object: { object: 'charge', payment_intent, metadata: {} } },
    }),
  };
  for (const [name, payload] of Object.entries(sent)) t.is((await post(payload)).status, 200, name);
  for (const name of ['another account', 'unknown account', 'no booking']) {
    t.regex((await stored(sent[name]!.id)).outcome, /^ignored/, name);
  }
  t.is(await stored(sent['live mode']!.id), undefined, 'not handled, so that a service of that mode can');
  // Once a genuine event has been processed, effects of the earlier ones would be visible.
  await post(event({ account: workspace.accountId, data: { object: charge(booking.id) } }));
  await untilStatus(workspace.api, booking.id, 'confirmed');
  t.is((await other.workspace.api.get(`/v1/bookings/${other.booking.id}`)).body.status, 'pending_payment');
  await sweep(t, workspace);
  await sweep(t, other.workspace);
});

test('the payment status is read from the processor, not from the event', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const object = { object: 'charge', payment_intent: 'pi_invented', metadata: { booking_id: booking.id } };
  t.is((await post(event({ account: workspace.accountId, data: { object } }))).status, 200);
  await pay(booking);
  const confirmed = await untilStatus(workspace.api, booking.id, 'confirmed');
  t.not(confirmed.processor_payment_intent_id, 'pi_invented');
  await sweep(t, workspace);
});

test('a card declined at the checkout is recorded once, and only for its own account', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const declines = () =>
    db.query(
      `SELECT d.id, d.code FROM card_declines d JOIN checkouts k ON k.id = checkout_id WHERE booking_id = $1`,
      [booking.id],
    );
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/decline`, {
    card: '4000000000009995',
  });
  const [recorded] = await until(async () => (await declines()).length > 0 && declines());
  t.is(recorded!.code, 'insufficient_funds');
  const { payment_intents } = await processorLedger(workspace);
  const intent = payment_intents.find((each) => each.metadata.booking_id === booking.id)!;
  const failed = (account: string, object: object) =>
    post(
      event({ type: 'payment_intent.payment_failed', account, data: { object: { ...intent, ...object } } }),
    );
  const error = { ...intent.last_payment_error, charge: 'ch_other' };
  await failed(workspace.accountId!, {});
  await failed(newAccount(), { last_payment_error: error });
  // A charge of the card on file has only its booking's id.
  await failed(workspace.accountId!, { last_payment_error: error, metadata: { booking_id: booking.id } });
  t.deepEqual(await declines(), [recorded]);
  const unauthenticated = { code: 'payment_intent_authentication_failure' };
  await failed(workspace.accountId!, { last_payment_error: unauthenticated });
  t.is((await declines()).length, 2);

  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const page = await owner.getText(`/dashboard/${workspace.id}/bookings/${booking.id}`);
  t.regex(page, /The card was declined on the payment page \(insufficient funds\)/);
  t.regex(page, /The card was declined on the payment page \(the payer was not authenticated\)/);
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');

  const { body: invoice } = await workspace.api.post('/v1/invoices', {
    member_id: workspace.ownerId,
    currency: 'GBP',
    due_at: IN_A_YEAR,
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 2_000, tax_code: 'ZERO' }],
  });
  const { body: checkout } = await workspace.api.post(`/v1/invoices/${invoice.id}/checkout`);
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(checkout)}/decline`, {
    card: '4000000000000069',
  });
  const lastAttempt = /The card was declined on the payment page \(expired card\)/;
  const path = `/dashboard/${workspace.id}/invoices/${invoice.id}`;
  await until(async () => lastAttempt.test(await owner.getText(path)));
  await sweep(t, workspace);
});

test('events about foreign objects are accepted and change nothing', async (t) => {
  for (const type of [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.expired',
    'charge.succeeded',
    'payment_intent.payment_failed',
    'charge.refunded',
    'refund.created',
    'refund.updated',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
    'balance.available',
    'account.updated',
    'account.application.deauthorized',
  ]) {
    for (const object of [{}, { id: 'x_1', payment_intent: 'pi_1' }, { id: 'x_2', metadata: null }]) {
      const { status, body } = await post(event({ type, account: newAccount(), data: { object } }));
      t.is(status, 200, `${type} ${JSON.stringify(object)} ${JSON.stringify(body)}`);
    }
  }
});

test('an event that was stored but not processed is processed when it is sent again', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { payment_intent } = await withFaults(workspace, { drop_webhooks: ['all'] }, () => pay(booking));
  const object = { object: 'charge', payment_intent, metadata: { booking_id: booking.id } };
  const payload = event({ account: workspace.accountId, data: { object } });
  await storeProcessorEvents(db, [{ id: payload.id, type: payload.type }]);
  t.is((await post(payload)).status, 200);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  t.truthy((await stored(payload.id)).handled_at);
});

test('a repeated event is accepted and not processed again', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  const { webhooks_sent } = await processorLedger(workspace);
  const { event_id } = webhooks_sent.findLast(
    (sent) => sent.type === 'charge.succeeded' && sent.status === 200,
  )!;
  const before = await stored(event_id);
  t.is((await simulator<{ status: number }>('POST', '/_sim/event', { event_id })).status, 200);
  t.deepEqual(await stored(event_id), before);
});
