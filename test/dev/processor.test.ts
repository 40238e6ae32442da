import ava from 'ava';
import Stripe from 'stripe';
import { newAccount, paidSession, refused, Rig, sessionParams } from '../support/processor-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());
ava.afterEach.always(() => rig.reset());

test("a wrong key, an unknown path and an unknown parameter are refused with Stripe's errors", async (t) => {
  const outsider = new Stripe('sk_test_stranger', {
    host: '127.0.0.1',
    port: Number(new URL(rig.url('/')).port),
    protocol: 'http',
  });
  t.is((await refused(outsider.customers.list())).statusCode, 401);
  const params = { ...sessionParams(), customer_creatio: 'always' } as Stripe.Checkout.SessionCreateParams;
  const unknown = await refused(rig.stripe.checkout.sessions.create(params, newAccount()));
  t.is(unknown.statusCode, 400);
  t.is(unknown.code, 'parameter_unknown');
  t.is(unknown.param, 'customer_creatio');
  t.truthy(unknown.requestId);
  const nested = sessionParams({ payment_intent_data: { colour: 'red' } as never });
  t.is(
    (await refused(rig.stripe.checkout.sessions.create(nested, newAccount()))).param,
    'payment_intent_data[colour]',
  );
  const missing = await refused(rig.stripe.paymentIntents.create({ amount: 100 } as never));
  t.is(missing.code, 'parameter_missing');
  t.is((await fetch(rig.url('/v1/nothing'))).status, 404);
});

test('payment_method_types is refused by the versions of the API that no longer have it', async (t) => {
  const { allowed_payment_method_types, ...params } = sessionParams() as Record<string, unknown>;
  const old = { ...params, payment_method_types: allowed_payment_method_types } as never;
  const intent = { amount: 4200, currency: 'gbp', payment_method_types: ['card'] } as never;
  for (const create of [
    (apiVersion?: string) => rig.stripe.checkout.sessions.create(old, { ...newAccount(), apiVersion }),
    (apiVersion?: string) => rig.stripe.paymentIntents.create(intent, { ...newAccount(), apiVersion }),
  ]) {
    for (const version of [undefined, '2026-09-30.endive'])
      t.is((await refused(create(version))).code, 'payment_method_types_no_longer_supported');
    t.truthy((await create('2026-08-26.dahlia')).id);
  }
});

test('a session lasts between half an hour and a day', async (t) => {
  const account = newAccount();
  const now = Math.floor(Date.now() / 1000);
  const create = (seconds: number) =>
    rig.stripe.checkout.sessions.create(sessionParams({ expires_at: now + seconds }), account);
  t.is((await refused(create(1700))).param, 'expires_at');
  t.is((await refused(create(90_000))).param, 'expires_at');
  const session = await create(1900);
  t.is(session.expires_at, now + 1900);
  t.is(session.status, 'open');
  t.is(session.payment_intent, null);
  t.is(session.livemode, false);
  t.true(session.url?.includes(session.id));
});

test('requests with one idempotency key have one effect and one response', async (t) => {
  const account = newAccount();
  const options = { ...account, idempotencyKey: `key-${account.stripeAccount}` };
  const first = await rig.stripe.checkout.sessions.create(sessionParams(), options);
  const again = await rig.stripe.checkout.sessions.create(sessionParams(), options);
  t.is(again.id, first.id);
  t.is(again.lastResponse.headers['idempotent-replayed'], 'true');
  const other = sessionParams({ metadata: { booking_id: 'bk_2' } });
  const conflict = await refused(rig.stripe.checkout.sessions.create(other, options));
  t.is(conflict.statusCode, 400);
  t.is(conflict.type, 'StripeIdempotencyError');
  const elsewhere = await refused(rig.stripe.customers.create({ email: 'a@example.com' }, options));
  t.is(elsewhere.type, 'StripeIdempotencyError');
  // The key belongs to its account.
  const theirs = await rig.stripe.checkout.sessions.create(sessionParams(), {
    ...newAccount(),
    idempotencyKey: options.idempotencyKey,
  });
  t.not(theirs.id, first.id);
  const stored = (await rig.ledger())['sessions']?.find(({ id }) => id === first.id);
  t.is(stored?.['idempotency_key'], options.idempotencyKey);
  t.is(stored?.['account'], account.stripeAccount);
});

test('an execution error is replayed, but a parameter error is not', async (t) => {
  const account = newAccount();
  const { intent } = await paidSession(rig, account);
  const options = { ...account, idempotencyKey: 'refund-key' };
  await rig.stripe.refunds.create({ payment_intent: intent }, account);
  const first = await refused(rig.stripe.refunds.create({ payment_intent: intent }, options));
  const again = await refused(rig.stripe.refunds.create({ payment_intent: intent }, options));
  t.is(first.code, 'charge_already_refunded');
  t.is(again.headers?.['idempotent-replayed'], 'true');
  const key = { ...account, idempotencyKey: 'corrected' };
  await refused(rig.stripe.customers.create({ emial: 'a@example.com' } as never, key));
  await t.notThrowsAsync(rig.stripe.customers.create({ email: 'a@example.com' }, key));
});

test('of two concurrent requests with one key one succeeds and the other is a conflict', async (t) => {
  await rig.sim('faults', { latency_ms: 300 });
  const options = { ...newAccount(), idempotencyKey: 'at-once' };
  const results = await Promise.allSettled(
    [1, 2].map(() => rig.stripe.checkout.sessions.create(sessionParams(), options)),
  );
  t.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  for (const result of results) {
    if (result.status === 'rejected') t.is((result.reason as Stripe.errors.StripeError).statusCode, 409);
  }
});

test('an object is visible to its own account only', async (t) => {
  const mine = newAccount();
  const { session, intent } = await paidSession(rig, mine);
  for (const options of [newAccount(), undefined]) {
    const hidden = await refused(rig.stripe.checkout.sessions.retrieve(session.id, {}, options));
    t.is(hidden.statusCode, 404);
    t.is(hidden.code, 'resource_missing');
    t.is((await refused(rig.stripe.paymentIntents.retrieve(intent, {}, options))).statusCode, 404);
    t.is((await refused(rig.stripe.refunds.create({ payment_intent: intent }, options))).statusCode, 404);
    t.is((await rig.stripe.checkout.sessions.list({ payment_intent: intent }, options)).data.length, 0);
  }
  const found = await rig.stripe.checkout.sessions.list({ payment_intent: intent }, mine);
  t.deepEqual(
    found.data.map(({ id }) => id),
    [session.id],
  );
});

test('a session can be expired once, and only while it is open', async (t) => {
  const account = newAccount();
  const open = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  const expired = await rig.stripe.checkout.sessions.expire(open.id, {}, account);
  t.is(expired.status, 'expired');
  t.is(expired.url, null);
  await rig.webhook('checkout.session.expired', open.id);
  for (const id of [open.id, (await paidSession(rig, account)).session.id]) {
    const error = await refused(rig.stripe.checkout.sessions.expire(id, {}, account));
    t.is(error.statusCode, 400);
    t.regex(error.message, /Only Checkout Sessions with a status in \["open"\] can be expired/);
  }
  const late = await rig.sim(`checkout/${open.id}/pay`);
  t.is(late.status, 400);
});
