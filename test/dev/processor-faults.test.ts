import ava from 'ava';
import { newAccount, paidSession, refused, Rig, sessionParams } from '../support/processor-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.reset());

test('after a lost response the retry gets the result of the first request', async (t) => {
  const account = newAccount();
  const fail = [{ method: 'POST', path: '/v1/checkout/sessions', status: 502, after_effect: true }];
  await rig.sim('faults', { fail });
  const options = { ...account, idempotencyKey: `lost-${account.stripeAccount}` };
  t.is((await refused(rig.stripe.checkout.sessions.create(sessionParams(), options))).statusCode, 502);
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), options);
  const { sessions, requests } = await rig.ledger();
  const mine = ({ account: owner }: Record<string, unknown>) => owner === account.stripeAccount;
  t.deepEqual(
    sessions?.filter(mine).map(({ id }) => id),
    [session.id],
  );
  t.deepEqual(
    requests?.filter(mine).map(({ status }) => status),
    [502, 200],
  );
});

for (const after_effect of [false, true]) {
  test(`a 500 ${after_effect ? 'after' : 'before'} the effect is saved under its key and replayed`, async (t) => {
    const account = newAccount();
    const fail = [{ method: 'POST', path: '/v1/checkout/sessions', status: 500, after_effect }];
    await rig.sim('faults', { fail });
    const options = { ...account, idempotencyKey: `saved-${account.stripeAccount}` };
    const create = () => rig.stripe.checkout.sessions.create(sessionParams(), options);
    const first = await refused(create());
    const again = await refused(create());
    t.deepEqual([first.statusCode, again.statusCode], [500, 500]);
    t.is(again.headers?.['idempotent-replayed'], 'true');
    t.is(again.headers?.['original-request'], first.requestId);
    const { data } = await rig.stripe.checkout.sessions.list({}, account);
    t.is(data.length, after_effect ? 1 : 0);
    const other = { ...account, idempotencyKey: `${options.idempotencyKey}:2` };
    t.is((await rig.stripe.checkout.sessions.create(sessionParams(), other)).status, 'open');
  });
}

test('a failure before the effect has no effect, and path prefixes and closed connections work', async (t) => {
  const account = newAccount();
  await rig.sim('faults', {
    fail: [
      { path: '/v1/check*', status: 503, times: 2 },
      // The client itself retries once after a closed connection.
      { path: '/v1/refunds', status: 0, times: 2 },
    ],
  });
  for (const _ of [1, 2]) {
    t.is((await refused(rig.stripe.checkout.sessions.create(sessionParams(), account))).statusCode, 503);
  }
  const { intent } = await paidSession(rig, account);
  t.is(
    (await refused(rig.stripe.refunds.create({ payment_intent: intent }, { ...account, timeout: 2000 })))
      .type,
    'StripeConnectionError',
  );
  t.is((await rig.sim('faults', { fail: [{ path: '/v1/refunds', status: 200 }] })).status, 400);
  t.is((await rig.sim('faults', { drop: ['all'] })).status, 400);
});

test('faults of one account do not affect others, and are replaced by faults for all', async (t) => {
  const [one, other] = [newAccount(), newAccount()];
  const open = (account: { stripeAccount: string }) =>
    rig.stripe.checkout.sessions.create(sessionParams(), account);
  const fail = [{ path: '/v1/checkout/sessions', status: 503, times: 2 }];
  await rig.sim('faults', { account: one.stripeAccount, fail, drop_webhooks: ['all'] });
  await rig.sim('refund_mode', { account: one.stripeAccount, mode: 'pending' });
  t.is((await refused(open(one))).statusCode, 503);
  const { session, intent } = await paidSession(rig, other);
  await rig.webhook('checkout.session.completed', session.id);
  t.is((await rig.stripe.refunds.create({ payment_intent: intent }, other)).status, 'succeeded');
  t.is((await refused(open(one))).statusCode, 503);
  const lost = await paidSession(rig, one);
  t.is((await rig.stripe.refunds.create({ payment_intent: lost.intent }, one)).status, 'pending');
  t.false(rig.received.some(({ event }) => (event.data.object as { id: string }).id === lost.session.id));

  // An account's own faults replace those for all, until it has none.
  await rig.sim('faults', { fail });
  await rig.sim('faults', { account: one.stripeAccount, drop_webhooks: ['all'] });
  await open(one);
  t.is((await refused(open(other))).statusCode, 503);
  await rig.sim('faults', { account: one.stripeAccount });
  t.is((await refused(open(one))).statusCode, 503);
  await rig.sim('faults', { account: one.stripeAccount, fail });
  await rig.sim('faults', {});
  await open(one);

  const { sessions, requests } = await rig.ledger(one.stripeAccount);
  t.is(sessions?.length, 3);
  t.true(requests?.every(({ account }) => account === one.stripeAccount));
});
