import ava from 'ava';
import { newAccount, refused, Rig, sessionParams } from '../support/processor-rig.js';
import { CARD_EXPIRY } from '../support/days.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.reset());

test('an account can take charges once its owner has finished the hosted onboarding', async (t) => {
  const { id } = await rig.stripe.accounts.create({ type: 'standard', email: 'owner@example.com' });
  const account = { stripeAccount: id };
  await refused(rig.stripe.checkout.sessions.create(sessionParams(), account));
  const link = await rig.stripe.accountLinks.create({
    account: id,
    type: 'account_onboarding',
    refresh_url: 'http://127.0.0.1:1/refresh',
    return_url: 'http://127.0.0.1:1/return',
  });
  t.regex(await (await fetch(link.url)).text(), /Finish/);
  const finished = await fetch(link.url, { method: 'POST', redirect: 'manual' });
  t.is(finished.headers.get('location'), 'http://127.0.0.1:1/return');
  const updated = await rig.webhook('account.updated', id);
  t.is(updated.via, 'connect');
  t.is(updated.event.account, id);
  t.true((await rig.stripe.accounts.retrieve(id)).charges_enabled);
  await t.notThrowsAsync(rig.stripe.checkout.sessions.create(sessionParams(), account));
});

test('a person can pay on the hosted page after a decline, and the page then shows it as paid', async (t) => {
  const account = newAccount();
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  const url = session.url ?? '';
  t.regex(await (await fetch(url)).text(), /£42\.00/);
  const send = (fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const form = {
    email: 'ann@example.com',
    name: 'Ann',
    number: '4000 0000 0000 0002',
    expiry: CARD_EXPIRY,
    cvc: '123',
  };
  const declined = await send({ ...form, action: 'pay' });
  t.is(declined.status, 402);
  t.regex(await declined.text(), /Your card was declined/);
  t.is((await send({ ...form, number: '4242', action: 'pay' })).status, 422);
  t.is((await send({ ...form, action: 'leave' })).headers.get('location'), 'http://127.0.0.1:1/left');
  const paid = await send({ ...form, number: '4242 4242 4242 4242', action: 'pay' });
  t.is(paid.headers.get('location'), `http://127.0.0.1:1/done?session=${session.id}`);
  t.regex(await (await fetch(url)).text(), /This has been paid/);
  const { customer_details } = await rig.stripe.checkout.sessions.retrieve(session.id, {}, account);
  t.is(customer_details?.email, 'ann@example.com');
});
