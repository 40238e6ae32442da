import ava from 'ava';
import type Stripe from 'stripe';
import { refused, Rig, paidCharge } from './processor-rig.js';

// Faults apply to all of the simulator, so the tests run one at a time.
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

test('a charge can have several disputes of parts, and be born lost or prevented', async (t) => {
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
