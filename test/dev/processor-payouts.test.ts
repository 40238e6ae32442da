import ava from 'ava';
import { newAccount, paidCharge, refused, Rig } from '../support/processor-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

test('an automatic payout is what the balance transactions leave, and lists them with its own', async (t) => {
  const { account, charge: id } = await paidCharge(rig);
  const charge = await rig.stripe.charges.retrieve(id, {}, account);
  await rig.stripe.refunds.create({ charge: charge.id, amount: 200 }, account);
  const { body } = await rig.sim(`accounts/${account.stripeAccount}/payout`);
  const payout = await rig.stripe.payouts.retrieve(body.id, {}, account);
  // 1.5 % and 20 of the charge.
  const fee = Math.round(charge.amount * 0.015) + 20;
  t.like(payout, {
    amount: charge.amount - 200 - fee,
    automatic: true,
    reconciliation_status: 'completed',
    status: 'pending',
  });
  const { data } = await rig.stripe.balanceTransactions.list(
    { payout: payout.id, expand: ['data.source'] },
    account,
  );
  t.deepEqual(
    data.map(({ type }) => type),
    ['payout', 'refund', 'charge'],
  );
  t.is(
    data.reduce((sum, { net }) => sum + net, 0),
    0,
  );
  t.like(data[2]!.source, { object: 'charge', payment_intent: charge.payment_intent });
  t.is((await rig.sim(`accounts/${account.stripeAccount}/payout`)).status, 400);

  const paid = await rig.sim(`payouts/${payout.id}`);
  t.is(paid.status, 200);
  await rig.sim(`payouts/${payout.id}`, { status: 'failed' });
  const types = (await rig.stripe.events.list({ limit: 100 }, account)).data.map(({ type }) => type);
  for (const type of ['payout.created', 'payout.reconciliation_completed', 'payout.paid', 'payout.failed'])
    t.true(types.includes(type as never), type);
  t.like(await rig.stripe.payouts.retrieve(payout.id, {}, account), {
    status: 'failed',
    failure_code: 'account_closed',
  });
  // The money is back, so that it can be paid out again.
  const again = await rig.sim(`accounts/${account.stripeAccount}/payout`);
  t.is((await rig.stripe.payouts.retrieve(again.body.id, {}, account)).amount, payout.amount);
});

test('what is in a manual payout is not known', async (t) => {
  const { account } = await paidCharge(rig);
  const payout = await rig.stripe.payouts.create({ amount: 100, currency: 'gbp' }, account);
  t.like(payout, { automatic: false, reconciliation_status: 'not_applicable', amount: 100 });
  const error = await refused(rig.stripe.balanceTransactions.list({ payout: payout.id }, account));
  t.like(error, { statusCode: 400, param: 'payout' });
  t.is((await rig.stripe.payouts.list({}, account)).data[0]!.id, payout.id);
  t.deepEqual((await rig.stripe.payouts.list({}, newAccount())).data, []);
});
