import ava from 'ava';
import { newAccount, paidSession, refused, Rig, sessionParams } from '../support/processor-rig.js';
import { until } from '../support/until.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.reset());

test('with Stripe’s routing all events of a connected account are sent through Connect', async (t) => {
  await rig.sim('faults', { webhook_routing: 'stripe' });
  const account = newAccount();
  const { session } = await paidSession(rig, account);
  const completed = await rig.webhook('checkout.session.completed', session.id);
  t.is(completed.via, 'connect');
  t.is(completed.event.account, account.stripeAccount);
});

test('nothing is sent to a broken endpoint, while the other one still gets its events', async (t) => {
  const types = (account: { stripeAccount: string }) =>
    rig.received
      .filter(({ event }) => event.account === account.stripeAccount)
      .map(({ event }) => event.type);
  for (const [broken, arrives] of [
    ['platform', 'charge.succeeded'],
    ['connect', 'checkout.session.completed'],
  ] as const) {
    const account = newAccount();
    await rig.sim('faults', { break_endpoints: [broken] });
    await paidSession(rig, account);
    t.is((await rig.webhook(arrives, undefined, account.stripeAccount)).event.account, account.stripeAccount);
    await until(async () => {
      const { webhooks_pending } = await rig.ledger(account.stripeAccount);
      return (webhooks_pending as unknown) === 0;
    });
    t.deepEqual(types(account), [arrives]);
  }
  t.is((await rig.sim('faults', { break_endpoints: ['all'] })).status, 400);
});

test('registrations receive the types they list, in their version, signed with the secret from their creation', async (t) => {
  const own = rig.url('/unused');
  const create = (enabled_events: string[], connect = true) =>
    rig.stripe.webhookEndpoints.create({
      url: own,
      enabled_events: enabled_events as never,
      connect,
      api_version: '2026-08-26.dahlia',
      metadata: { made_by: 'test' },
    });
  const endpoints = await Promise.all([create(['checkout.session.completed']), create(['charge.refunded'])]);
  t.truthy(endpoints[0].secret);
  const { data } = await rig.stripe.webhookEndpoints.list({ limit: 100 });
  for (const { id, secret } of endpoints) {
    const listed = data.find((each) => each.id === id)!;
    t.is(listed.secret, undefined, 'a secret is shown once');
    t.like(listed, {
      url: own,
      api_version: '2026-08-26.dahlia',
      metadata: { made_by: 'test' },
      status: 'enabled',
    });
    t.truthy(secret);
  }
  // Moved to this test's receiver.
  const [platform, connect] = endpoints.map(({ id }) => id);
  for (const id of [platform!, connect!])
    await rig.stripe.webhookEndpoints.update(id, { url: rig.webhookUrl });
  const account = newAccount();
  const { session, intent } = await paidSession(rig, account);
  const completed = await rig.webhook('checkout.session.completed', session.id);
  t.is(completed.event.api_version, '2026-08-26.dahlia');
  await rig.stripe.refunds.create({ payment_intent: intent }, account);
  t.is((await rig.webhook('charge.refunded', undefined, account.stripeAccount)).via, 'connect');
  t.false(
    rig.received.some(
      ({ event }) => event.type === 'charge.succeeded' && event.account === account.stripeAccount,
    ),
    'it is not listed',
  );
  await rig.stripe.webhookEndpoints.update(platform!, { disabled: true, enabled_events: ['charge.failed'] });
  t.like(await rig.stripe.webhookEndpoints.retrieve(platform!), {
    status: 'disabled',
    enabled_events: ['charge.failed'],
  });
  for (const id of [platform!, connect!]) t.true((await rig.stripe.webhookEndpoints.del(id)).deleted);
  t.is((await refused(rig.stripe.webhookEndpoints.retrieve(platform!))).statusCode, 404);
});

test('webhooks can be dropped, duplicated, delayed and sent again', async (t) => {
  const account = newAccount();
  await rig.sim('faults', { drop_webhooks: ['all'] });
  const { session } = await paidSession(rig, account);
  await rig.sim('faults', { duplicate_webhooks: 1, webhook_delay_ms: 1_500, shuffle_webhooks: true });
  const second = await paidSession(rig, account);
  const paidAt = Date.now();
  const copies = await until(() => {
    const found = rig.received.filter(
      ({ event }) => (event.data.object as { id: string }).id === second.session.id,
    );
    return found.length === 2 && found;
  });
  t.is(copies[0]?.event.id, copies[1]?.event.id);
  t.true(copies.every(({ at }) => at - paidAt > 500));
  t.false(rig.received.some(({ event }) => (event.data.object as { id: string }).id === session.id));
  const event = (await rig.ledger())['events']?.find(({ object_id }) => object_id === session.id);
  const { body } = await rig.sim('event', { event_id: event?.['event_id'] });
  t.is(body.status, 200);
  t.is((await rig.webhook('checkout.session.completed', session.id)).event.id, event?.['event_id'] as string);
});

test('a refused webhook is sent again with the same id and a new signature', async (t) => {
  rig.answer = 500;
  const { session } = await paidSession(rig, newAccount());
  const first = await rig.webhook('checkout.session.completed', session.id);
  rig.answer = 200;
  const again = await until(() =>
    rig.received.find((each) => each !== first && each.event.id === first.event.id),
  );
  t.is(again.via, 'platform');
  const log = await until(async () => {
    const sent = (await rig.ledger())['webhooks_sent']?.filter(({ event_id }) => event_id === first.event.id);
    return sent?.length === 2 && sent;
  });
  t.deepEqual(
    log.map(({ status }) => status),
    [500, 200],
  );
});

test('an event about any object can be sent, and deauthorization revokes access until the account is connected again', async (t) => {
  const account = newAccount();
  const id = account.stripeAccount;
  const object = { id: 'ca_1', object: 'application', name: 'Holdfast' };
  const sent = await rig.sim('event', {
    type: 'account.application.deauthorized',
    object,
    account: id,
    via: 'connect',
  });
  t.is(sent.body.status, 200);
  t.is((await rig.webhook('account.application.deauthorized')).event.account, id);
  const revoked = await refused(rig.stripe.checkout.sessions.create(sessionParams(), account));
  t.is(revoked.statusCode, 403);
  t.is(revoked.code, 'account_invalid');
  const back = {
    id,
    object: 'account',
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
  };
  await rig.sim('event', { type: 'account.updated', object: back, account: id, via: 'connect' });
  await t.notThrowsAsync(rig.stripe.checkout.sessions.create(sessionParams(), account));
  await rig.sim('event', {
    type: 'charge.succeeded',
    object: { id: 'ch_live' },
    via: 'connect',
    livemode: true,
  });
  t.true((await rig.webhook('charge.succeeded', 'ch_live')).event.livemode);
  t.is((await rig.sim('event', { type: 'charge.succeeded' })).status, 400);
});

test('a killed process keeps objects, idempotency keys, logs and undelivered webhooks', async (t) => {
  const account = newAccount();
  const options = { ...account, idempotencyKey: `kept-${account.stripeAccount}` };
  rig.answer = 503;
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), options);
  await rig.sim(`checkout/${session.id}/pay`);
  await rig.stopProcessor('SIGKILL');
  rig.received.length = 0;
  rig.answer = 200;
  await rig.startProcessor();
  const again = await rig.stripe.checkout.sessions.create(sessionParams(), options);
  t.is(again.id, session.id);
  t.is((await rig.stripe.checkout.sessions.retrieve(session.id, {}, account)).status, 'complete');
  await rig.webhook('checkout.session.completed', session.id);
  const { requests } = await rig.ledger();
  t.is(requests?.filter(({ account: owner }) => owner === account.stripeAccount).length, 3);
  t.is(await rig.stopProcessor('SIGTERM'), 0);
  await rig.startProcessor();
});

test('a session that should have expired while the process was down expires when it starts', async (t) => {
  const account = newAccount();
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  t.is(await rig.stopProcessor('SIGTERM'), 0);
  // A session lasts at least half an hour, so its times are changed in the journal.
  await rig.rewriteJournal((text) =>
    text.replaceAll(String(session.expires_at), String(session.created + 1)),
  );
  await rig.startProcessor();
  await rig.webhook('checkout.session.expired', session.id);
  t.is((await rig.stripe.checkout.sessions.retrieve(session.id, {}, account)).status, 'expired');
});

test('an incomplete last line of the journal, left by a killed process, is ignored', async (t) => {
  const account = newAccount();
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  await rig.stopProcessor('SIGKILL');
  await rig.rewriteJournal((text) => `${text}[["sessions","${session.id}",{"obj`);
  await rig.startProcessor();
  t.is((await rig.stripe.checkout.sessions.retrieve(session.id, {}, account)).status, 'open');
});

test('events are listed for 30 days, newest first, for at most 20 types, whatever happens to their webhooks', async (t) => {
  const account = newAccount();
  const { stripeAccount } = account;
  await rig.sim('faults', { account: stripeAccount, drop_webhooks: ['all'] });
  await paidSession(rig, account);
  const monthAgo = Math.floor(Date.now() / 1000) - 31 * 24 * 60 * 60;
  const old = { type: 'charge.succeeded', object: { id: 'ch_old' }, via: 'connect', created: monthAgo };
  t.is((await rig.sim('event', { ...old, account: stripeAccount })).status, 200);
  const list = async (types: string[], more: object = {}) =>
    (await rig.stripe.events.list({ types, ...more }, account)).data.map(({ type }) => type);
  const types = ['charge.succeeded', 'checkout.session.completed', 'account.updated'];
  t.deepEqual(await list(types), ['checkout.session.completed', 'charge.succeeded']);
  t.deepEqual(await list(types, { created: { lt: monthAgo + 60 } }), []);
  const many = Array.from({ length: 21 }, (_, n) => `charge.type_${n}`);
  t.is((await refused(rig.stripe.events.list({ types: many }, account))).statusCode, 400);

  await rig.sim(`accounts/${stripeAccount}`, { charges_enabled: false });
  t.false((await rig.stripe.accounts.retrieve(stripeAccount)).charges_enabled);
  t.deepEqual(await list(types, { limit: 1 }), ['account.updated']);
  t.is((await rig.stripe.events.list({ types }, newAccount())).data.length, 0);
});
