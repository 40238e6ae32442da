import ava from 'ava';
import { newAccount, Rig, sessionParams } from '../../support/processor-rig.js';
import { checkout, gateway, lost } from './stripe-gateway.js';

// Faults of the platform affect every account: one test at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());

const failing = (account: string, path: string, after_effect: boolean, times = 1) =>
  rig.sim('faults', { account, fail: [{ method: 'POST', path, status: 500, after_effect, times }] });

test('a session is found among more than one page of others', async (t) => {
  const account = newAccount();
  await failing(account.stripeAccount, '/v1/checkout/sessions', true);
  const request = checkout(account.stripeAccount);
  const { processor } = gateway(rig);
  // The response of the first attempt is lost with its process.
  await rig.stripe.checkout.sessions
    .create(
      sessionParams({ metadata: { booking_id: request.booking_id, purpose: 'checkout', ordinal: '1' } }),
      {
        ...account,
        idempotencyKey: `${request.booking_id}:checkout`,
      },
    )
    .catch(() => undefined);
  for (let n = 0; n < 105; n++) await rig.stripe.checkout.sessions.create(sessionParams(), account);
  // The parameters also differ from those of the first attempt, as after a deployment.
  const { id } = await processor.openCheckout(request);
  const found = await rig.stripe.checkout.sessions.retrieve(id, {}, account);
  t.is(found.metadata!.booking_id, request.booking_id);
  t.is((await rig.ledger(account.stripeAccount)).sessions!.length, 106);
});

test('each saved 500 uses up one key, which is stored', async (t) => {
  const { stripeAccount } = newAccount();
  const request = checkout(stripeAccount);
  const { processor, suffixes } = gateway(rig);
  await failing(stripeAccount, '/v1/checkout/sessions', false, 3);
  await t.throwsAsync(processor.openCheckout(request));
  t.is(suffixes.get(`${request.booking_id}:checkout`), 3);
  await t.throwsAsync(processor.openCheckout(request));
  const { id } = await processor.openCheckout(request);
  const { sessions } = await rig.ledger(stripeAccount);
  t.deepEqual(
    sessions!.map((session) => [session.id, session.idempotency_key]),
    [[id, `${request.booking_id}:checkout:4`]],
  );
});

test('a connected account whose creation got a saved 500 is found, and created once', async (t) => {
  const workspace_id = `ws_${process.pid}_${Date.now()}`;
  const { processor } = gateway(rig);
  await rig.sim('faults', {
    fail: [{ method: 'POST', path: '/v1/accounts', status: 500, after_effect: true }],
  });
  const first = await processor.createAccount({ workspace_id, instead_of: null });
  t.is((await processor.createAccount({ workspace_id, instead_of: null })).id, first.id);
  const next = await processor.createAccount({ workspace_id, instead_of: first.id });
  t.not(next.id, first.id);
});

test('an invoice page is opened once, even if its row is lost, and a paid one continues with the next step', async (t) => {
  const { stripeAccount } = newAccount();
  const { processor } = gateway(rig);
  const invoice_id = `inv_${stripeAccount}`;
  const request = { ...checkout(stripeAccount), booking_id: null, invoice_id };
  const first = await processor.openCheckout(request);
  const again = { ...request, id: 'chk_after_a_restore' };
  t.deepEqual(await processor.openCheckout(again), first);
  await rig.sim(`checkout/${first.id}/pay`);
  const found = await processor.openCheckout(again);
  t.is(found.id, first.id);
  t.is(found.url, `https://example.com/checkout/success?session_id=${first.id}`, 'callers see it: no secret');
  const [{ success_url }] = (await rig.ledger(stripeAccount)).sessions as [{ success_url: string }];
  t.is(
    success_url,
    'https://example.com/checkout/success?session_id={CHECKOUT_SESSION_ID}&secret=of-the-payer',
  );
  t.deepEqual(await processor.openCheckout({ ...again, lost }), found);
  // A page that nobody can pay any more is replaced.
  const next = { ...request, ordinal: 2 };
  const second = await processor.openCheckout(next);
  await processor.closeCheckout(stripeAccount, second.id);
  const third = await processor.openCheckout({ ...next, id: 'chk_after_a_restore' });
  t.not(third.id, second.id);
  t.is((await rig.ledger(stripeAccount)).sessions!.length, 3);
});

test("the hosted page starts with the payer's address, unless the processor refuses that address", async (t) => {
  const { stripeAccount } = newAccount();
  const { processor } = gateway(rig);
  const request = checkout(stripeAccount);
  const opened = async (id: string) => {
    await processor.openCheckout({ ...request, id, booking_id: `bk_${id}` });
    return (await rig.ledger(stripeAccount)).sessions!.find(
      (session) => session.client_reference_id === `bk_${id}`,
    )!;
  };
  t.is((await opened('one')).customer_email, 'grace@example.com');
  const path = '/v1/checkout/sessions';
  await rig.sim('faults', {
    account: stripeAccount,
    fail: [{ method: 'POST', path, status: 400, code: 'email_invalid', times: 1 }],
  });
  t.is((await opened('two')).customer_email, null);
});
