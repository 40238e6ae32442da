import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import ava from 'ava';
import { createStripeClient, createStripeProcessor } from '../../activities/gateways/stripe.js';
import { newAccount, Rig, sessionParams } from '../dev/processor-rig.js';

// Faults of the platform are faults of every account: one test at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());

/** The gateway in front of the simulator, and the keys that it has stored as spent. */
function gateway() {
  const suffixes = new Map<string, number>();
  const stored = {
    find: (key: string) => Promise.resolve(suffixes.get(key) ?? 2),
    advance: (key: string, spent: number) => Promise.resolve(void suffixes.set(key, spent + 1)),
  };
  const stripe = createStripeClient({ secretKey: 'sk_test_holdfast', apiUrl: rig.url('') });
  return {
    processor: createStripeProcessor(stripe, 'https://example.com', stored, async () => undefined),
    suffixes,
  };
}

const checkout = (account_id: string) => ({
  id: `chk_${account_id}`,
  account_id,
  booking_id: `bk_${account_id}`,
  invoice_id: null,
  currency: 'GBP',
  amount_minor: 3_000,
  description: 'Blue room',
  session_expires_at: new Date(Date.now() + HOUR_MS),
  created_at: new Date(),
});

const failing = (account: string, path: string, after_effect: boolean, times = 1) =>
  rig.sim('faults', { account, fail: [{ method: 'POST', path, status: 500, after_effect, times }] });

test('a session is found among more than one page of others', async (t) => {
  const account = newAccount();
  await failing(account.stripeAccount, '/v1/checkout/sessions', true);
  const request = checkout(account.stripeAccount);
  const { processor } = gateway();
  // The response of the first attempt is lost with the process that made it.
  await rig.stripe.checkout.sessions
    .create(sessionParams({ metadata: { booking_id: request.booking_id } }), {
      ...account,
      idempotencyKey: `${request.id}:open`,
    })
    .catch(() => undefined);
  for (let n = 0; n < 105; n++) await rig.stripe.checkout.sessions.create(sessionParams(), account);
  // The parameters differ from those of the first attempt as well, as after a deployment.
  const { id } = await processor.openCheckout(request);
  const found = await rig.stripe.checkout.sessions.retrieve(id, {}, account);
  t.is(found.metadata!.booking_id, request.booking_id);
  t.is((await rig.ledger(account.stripeAccount)).sessions!.length, 106);
});

test('each saved 500 spends one key, which is stored', async (t) => {
  const { stripeAccount } = newAccount();
  const request = checkout(stripeAccount);
  const { processor, suffixes } = gateway();
  await failing(stripeAccount, '/v1/checkout/sessions', false, 3);
  await t.throwsAsync(processor.openCheckout(request));
  t.is(suffixes.get(`${request.id}:open`), 3);
  await t.throwsAsync(processor.openCheckout(request));
  const { id } = await processor.openCheckout(request);
  const { sessions } = await rig.ledger(stripeAccount);
  t.deepEqual(
    sessions!.map((session) => [session.id, session.idempotency_key]),
    [[id, `${request.id}:open:4`]],
  );
});

test('a connected account whose creation got a saved 500 is found, and created once', async (t) => {
  const workspace_id = `ws_${process.pid}_${Date.now()}`;
  const { processor } = gateway();
  await rig.sim('faults', {
    fail: [{ method: 'POST', path: '/v1/accounts', status: 500, after_effect: true }],
  });
  const first = await processor.createAccount({ workspace_id, instead_of: null });
  t.is((await processor.createAccount({ workspace_id, instead_of: null })).id, first.id);
  const next = await processor.createAccount({ workspace_id, instead_of: first.id });
  t.not(next.id, first.id);
});

test('a charge whose key has lapsed is found among more than one page of later ones, and not made again', async (t) => {
  const account = newAccount();
  const on = { stripeAccount: account.stripeAccount };
  const { processor } = gateway();
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  await rig.sim(`checkout/${session.id}/pay`);
  const paid = await rig.stripe.checkout.sessions.retrieve(session.id, {}, account);
  const customer = paid.customer as string;
  const [card] = (await rig.stripe.paymentMethods.list({ customer }, account)).data;
  const request = {
    id: 'chk_of_an_invoice',
    invoice_id: 'inv_of_a_company',
    account_id: account.stripeAccount,
    customer_id: customer,
    payment_method_id: card!.id,
    amount_minor: 3_000,
    currency: 'GBP',
  };
  // Its own key, as the processor forgets keys after a day.
  const first = await rig.stripe.paymentIntents.create(
    {
      amount: request.amount_minor,
      currency: 'gbp',
      customer,
      payment_method: card!.id,
      off_session: true,
      confirm: true,
      metadata: { checkout_id: request.id, invoice_id: request.invoice_id },
    },
    on,
  );
  for (let n = 0; n < 105; n++)
    await rig.stripe.paymentIntents.create({ amount: 700, currency: 'gbp', customer }, on);
  const yesterday = new Date(Date.now() - DAY_MS);
  const result = await processor.chargeCard({ ...request, created_at: yesterday });
  t.like(result, { kind: 'paid', money: { payment_intent_id: first.id } });
});
