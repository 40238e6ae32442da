import ava from 'ava';
import type Stripe from 'stripe';
import {
  newAccount,
  paidSession,
  refused,
  Rig,
  sessionParams,
  paidCharge,
} from '../support/processor-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.reset());

test('a payment creates intent, charge, customer and card, and both webhooks verify', async (t) => {
  const account = newAccount();
  const { session, intent } = await paidSession(rig, account);
  const expand = ['payment_intent.latest_charge', 'line_items', 'customer'];
  const paid = await rig.stripe.checkout.sessions.retrieve(session.id, { expand }, account);
  t.is(paid.status, 'complete');
  t.is(paid.payment_status, 'paid');
  t.is(paid.line_items?.data[0]?.description, 'Room');
  const { id, amount_received, metadata, latest_charge, payment_method } =
    paid.payment_intent as Stripe.PaymentIntent;
  t.is(id, intent);
  t.is(amount_received, 4200);
  t.deepEqual(metadata, { booking_id: 'bk_1' });
  t.is((latest_charge as Stripe.Charge).metadata['booking_id'], 'bk_1');
  const customer = (paid.customer as Stripe.Customer).id;
  const cards = await rig.stripe.customers.listPaymentMethods(customer, {}, account);
  t.deepEqual(
    cards.data.map((card) => card.id),
    [payment_method as string],
  );

  const completed = await rig.webhook('checkout.session.completed', session.id);
  t.is(completed.via, 'platform');
  t.is(completed.event.account, account.stripeAccount);
  t.is(completed.event.livemode, false);
  const charged = await rig.webhook('charge.succeeded', (latest_charge as Stripe.Charge).id);
  t.is(charged.via, 'connect');
  t.is(charged.event.account, account.stripeAccount);

  const delta = await rig.stripe.paymentIntents.create(
    {
      amount: 700,
      currency: 'gbp',
      customer,
      payment_method: cards.data[0]?.id,
      off_session: true,
      confirm: true,
      metadata: { booking_id: 'bk_1' },
    },
    account,
  );
  t.is(delta.status, 'succeeded');
  await rig.webhook('charge.succeeded', delta.latest_charge as string);
  const found = await rig.stripe.paymentIntents.search({ query: "metadata['booking_id']:'bk_1'" }, account);
  t.deepEqual(
    found.data.map((each) => each.id),
    [delta.id, intent],
  );

  const [saved] = cards.data;
  const detached = await rig.stripe.paymentMethods.detach(saved!.id, {}, account);
  t.is(detached.customer, null);
  const [event] = (await rig.stripe.events.list({ type: 'payment_method.detached' }, account)).data;
  t.deepEqual(event!.data.previous_attributes, { customer });
  const again = await refused(rig.stripe.paymentMethods.detach(saved!.id, {}, account));
  t.like(again, { statusCode: 400, type: 'StripeInvalidRequestError' });
  t.regex(again.message, /not attached to a customer/);
  t.is((await refused(rig.stripe.paymentMethods.detach('pm_none', {}, account))).code, 'resource_missing');
  const charge = { amount: 700, currency: 'gbp', customer, payment_method: saved!.id, confirm: true };
  t.regex(
    (await refused(rig.stripe.paymentIntents.create(charge, account))).message,
    /may not be used again/,
  );
});

test('a card that cannot be charged off-session returns 402 and leaves a failed charge', async (t) => {
  const account = newAccount();
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  await rig.sim(`checkout/${session.id}/pay`, { card: '4000002760003184' });
  const { customer } = await rig.stripe.checkout.sessions.retrieve(session.id, {}, account);
  const [card] = (await rig.stripe.paymentMethods.list({ customer: customer as string }, account)).data;
  const params = {
    amount: 700,
    currency: 'gbp',
    customer: customer as string,
    payment_method: card?.id,
    off_session: true,
    confirm: true,
  };
  const declined = await refused(rig.stripe.paymentIntents.create(params, account));
  t.is(declined.statusCode, 402);
  t.is(declined.type, 'StripeCardError');
  t.is(declined.code, 'authentication_required');
  t.is(declined.payment_intent?.status, 'requires_payment_method');
});

for (const status of ['succeeded', 'failed'] as const) {
  test(`an off-session payment that the bank decides later can't be cancelled, and ends ${status}`, async (t) => {
    const account = newAccount();
    const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
    await rig.sim(`checkout/${session.id}/pay`, { card: '4000003560000297' });
    const { customer } = await rig.stripe.checkout.sessions.retrieve(session.id, {}, account);
    const [card] = (await rig.stripe.paymentMethods.list({ customer: customer as string }, account)).data;
    const intent = await rig.stripe.paymentIntents.create(
      {
        amount: 700,
        currency: 'gbp',
        customer: customer as string,
        payment_method: card!.id,
        off_session: true,
        confirm: true,
      },
      account,
    );
    t.is(intent.status, 'processing');
    t.is(intent.amount_received, 0);
    const cancelled = await refused(rig.stripe.paymentIntents.cancel(intent.id, {}, account));
    t.is(cancelled.code, 'payment_intent_unexpected_state');
    t.is((await rig.sim(`payment_intents/${intent.id}/settle`, { status })).status, 200);
    await rig.webhook(`charge.${status}`, intent.latest_charge as string);
    const ended = await rig.stripe.paymentIntents.retrieve(intent.id, {}, account);
    t.is(ended.status, status === 'succeeded' ? 'succeeded' : 'requires_payment_method');
    t.is((await rig.sim(`payment_intents/${intent.id}/settle`, { status })).status, 400);
  });
}

test('a decline leaves the session open, and the payer can try again', async (t) => {
  const account = newAccount();
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  t.is((await rig.sim(`checkout/${session.id}/decline`)).status, 200);
  const after = await rig.stripe.checkout.sessions.retrieve(
    session.id,
    { expand: ['payment_intent'] },
    account,
  );
  t.is(after.status, 'open');
  const declined = after.payment_intent as Stripe.PaymentIntent;
  t.is(declined.status, 'requires_payment_method');
  const { event, via } = await rig.webhook('payment_intent.payment_failed', declined.id);
  t.is(via, 'connect');
  t.is(event.account, account.stripeAccount);
  t.like((event.data.object as Stripe.PaymentIntent).last_payment_error, {
    charge: declined.latest_charge as string,
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
  await rig.webhook('charge.failed', declined.latest_charge as string);
  const { body } = await rig.sim(`checkout/${session.id}/pay`);
  t.is(body.payment_intent, declined.id);
  t.is(body.redirect_url, `http://127.0.0.1:1/done?session=${session.id}`);
  const charges = await rig.stripe.charges.list({ payment_intent: body.payment_intent }, account);
  t.deepEqual(
    charges.data.map(({ status }) => status),
    ['succeeded', 'failed'],
  );
  t.is((await rig.sim(`checkout/${session.id}/pay`)).status, 400);
});

test('an asynchronous payment completes the session unpaid and is settled later', async (t) => {
  const account = newAccount();
  const [good, bad] = await Promise.all(
    [1, 2].map(() => rig.stripe.checkout.sessions.create(sessionParams(), account)),
  );
  for (const session of [good!, bad!]) {
    await rig.sim(`checkout/${session.id}/pay`, { async: true });
    const { event } = await rig.webhook('checkout.session.completed', session.id);
    t.is((event.data.object as Stripe.Checkout.Session).payment_status, 'unpaid');
  }
  const pending = await rig.stripe.checkout.sessions.retrieve(
    good!.id,
    { expand: ['payment_intent'] },
    account,
  );
  t.is((pending.payment_intent as Stripe.PaymentIntent).status, 'processing');
  await rig.sim(`checkout/${good!.id}/settle`);
  const { event } = await rig.webhook('checkout.session.async_payment_succeeded', good!.id);
  t.is((event.data.object as Stripe.Checkout.Session).payment_status, 'paid');
  await rig.sim(`checkout/${bad!.id}/settle`, { status: 'failed' });
  await rig.webhook('checkout.session.async_payment_failed', bad!.id);
  t.is((await rig.sim(`checkout/${bad!.id}/settle`)).status, 400);
});

test('refunds never exceed the payment', async (t) => {
  const account = newAccount();
  const { intent } = await paidSession(rig, account);
  const half = () => rig.stripe.refunds.create({ payment_intent: intent, amount: 2500 }, account);
  const results = await Promise.allSettled([half(), half()]);
  t.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
  const rest = await rig.stripe.refunds.create({ payment_intent: intent }, account);
  // 4200 were paid and 2500 refunded.
  t.is(rest.amount, 1700);
  const { body } = await rig.sim(`payment_intents/${intent}/refund`, { amount: 1 });
  t.truthy(body.error);
});

test('a pending refund reduces the refundable amount, and a failed one restores it', async (t) => {
  const account = newAccount();
  const { intent } = await paidSession(rig, account);
  await rig.sim('refund_mode', { mode: 'pending' });
  const refund = await rig.stripe.refunds.create({ payment_intent: intent }, account);
  t.is(refund.status, 'pending');
  await rig.webhook('charge.refunded', refund.charge as string);
  await refused(rig.stripe.refunds.create({ payment_intent: intent }, account));
  await rig.sim(`refunds/${refund.id}/settle`, { status: 'failed' });
  const failed = await rig.webhook('refund.failed', refund.id);
  t.is(failed.via, 'connect');
  t.is((await rig.stripe.charges.retrieve(refund.charge as string, {}, account)).amount_refunded, 0);
  await rig.sim('refund_mode', { mode: 'fail_later' });
  const second = await rig.stripe.refunds.create({ payment_intent: intent }, account);
  t.is(second.status, 'pending');
  await rig.webhook('refund.failed', second.id);
  await rig.sim('refund_mode', { mode: 'succeed' });
  t.is((await rig.stripe.refunds.create({ payment_intent: intent }, account)).status, 'succeeded');
});

test('a refund without balance is pending, then fails, and new balance is announced', async (t) => {
  const { account, intent } = await paidCharge(rig);
  await rig.sim('refund_mode', { mode: 'no_balance', account: account.stripeAccount });
  const refund = await rig.stripe.refunds.create({ payment_intent: intent }, account);
  t.like(refund, { status: 'pending', pending_reason: 'insufficient_funds' });
  const { event } = await rig.webhook('refund.failed', refund.id);
  t.is((event.data.object as Stripe.Refund).failure_reason, 'insufficient_funds');
  await rig.sim('refund_mode', { mode: 'succeed', account: account.stripeAccount });
  await rig.webhook('balance.available');
  t.is((await rig.stripe.refunds.create({ payment_intent: intent }, account)).status, 'succeeded');
});
