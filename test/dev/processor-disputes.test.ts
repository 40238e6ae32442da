import ava from 'ava';
import type Stripe from 'stripe';
import { newAccount, paidCharge, refused, Rig, sessionParams } from '../support/processor-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.reset());

test('a dispute is reported, moves the money, stops refunds, and is closed', async (t) => {
  const { account, intent, charge } = await paidCharge(rig);
  const { body } = await rig.sim(`charges/${charge}/dispute`);
  await rig.webhook('charge.dispute.created', body.id);
  await rig.webhook('charge.dispute.funds_withdrawn', body.id);
  const refund = () => rig.stripe.refunds.create({ payment_intent: intent }, account);
  t.is((await refused(refund())).code, 'charge_disputed');
  await rig.sim(`charges/${charge}/dispute`, { status: 'lost' });
  const { event } = await rig.webhook('charge.dispute.closed', body.id);
  t.is((event.data.object as Stripe.Dispute).status, 'lost');
  t.is((await refused(refund())).code, 'charge_disputed');
  // Lost and then won: the money comes back, and the charge can be refunded again.
  await rig.sim(`disputes/${body.id}`, { status: 'won' });
  await rig.webhook('charge.dispute.funds_reinstated', body.id);
  const dispute = await rig.stripe.disputes.retrieve(body.id, {}, account);
  t.deepEqual(
    dispute.balance_transactions.map(({ amount }) => amount),
    [-4200, 4200],
  );
  t.is((await refund()).status, 'succeeded');
});

test('test cards are accepted and disputed immediately, as Stripe documents', async (t) => {
  const cards = {
    '4000000000000259': ['fraudulent', 'needs_response'],
    '4000000000002685': ['product_not_received', 'needs_response'],
    '4000000000001976': ['fraudulent', 'warning_needs_response'],
  };
  for (const [card, [reason, status]] of Object.entries(cards)) {
    const account = newAccount();
    const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
    const { body } = await rig.sim(`checkout/${session.id}/pay`, { card });
    const intent = await rig.stripe.paymentIntents.retrieve(body.payment_intent, {}, account);
    t.is(intent.status, 'succeeded', card);
    const { data } = await rig.stripe.disputes.list({ payment_intent: intent.id }, account);
    t.like(data, [{ reason, status, charge: intent.latest_charge }], card);
    await rig.webhook('charge.dispute.created', data[0]!.id);
  }
});

test('an inquiry leaves the money and can be refunded, until it becomes a dispute', async (t) => {
  const { account, intent, charge } = await paidCharge(rig);
  const { body } = await rig.sim(`charges/${charge}/dispute`, { status: 'warning_needs_response' });
  t.deepEqual(body.balance_transactions, []);
  t.true(body.is_charge_refundable);
  const part = await rig.stripe.refunds.create({ payment_intent: intent, amount: 100 }, account);
  t.is(part.status, 'succeeded');
  await rig.webhook('refund.created', part.id);
  await rig.sim(`disputes/${body.id}`, { status: 'needs_response' });
  await rig.webhook('charge.dispute.updated', body.id);
  await rig.webhook('charge.dispute.funds_withdrawn', body.id);
  t.is(
    (await refused(rig.stripe.refunds.create({ payment_intent: intent }, account))).code,
    'charge_disputed',
  );
});

test('a charge can have several partial disputes, which may be lost or prevented from the start', async (t) => {
  const { account, charge } = await paidCharge(rig);
  for (const dispute of [
    { amount: 1000 },
    { amount: 500, status: 'lost' },
    { amount: 1, status: 'prevented' },
  ])
    await rig.sim(`charges/${charge}/dispute`, dispute);
  const { data } = await rig.stripe.disputes.list({ charge }, account);
  t.deepEqual(
    data.map(({ status, amount, balance_transactions }) => [status, amount, balance_transactions.length]),
    [
      ['prevented', 1, 0],
      ['lost', 500, 1],
      ['needs_response', 1000, 1],
    ],
  );
});
