import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import { newAccount, Rig, sessionParams } from '../../support/processor-rig.js';
import { gateway, lost } from './stripe-gateway.js';

let rig: Rig;
test.before(async () => {
  rig = await Rig.start();
});
test.after.always(() => rig.close());

/** An account with a card on file, and the charge of an invoice to it. */
async function cardOnFile(card?: string) {
  const account = newAccount();
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  await rig.sim(`checkout/${session.id}/pay`, { card });
  const paid = await rig.stripe.checkout.sessions.retrieve(session.id, {}, account);
  const customer_id = paid.customer as string;
  const [saved] = (await rig.stripe.paymentMethods.list({ customer: customer_id }, account)).data;
  const charge = {
    id: 'chk_of_an_invoice',
    booking_id: null as string | null,
    change_id: null as string | null,
    invoice_id: `inv_${account.stripeAccount}`,
    ordinal: 1,
    description: 'Invoice Holdfast #1',
    account_id: account.stripeAccount,
    customer_id,
    payment_method_id: saved!.id,
    amount_minor: 3_000,
    currency: 'GBP',
    created_at: new Date(),
  };
  const { payment_intent } = paid;
  return { account, charge, payment_intent_id: payment_intent as string };
}

/**
 * The charge is made under a separate key, as if the processor had forgotten its key, as it does after a day.
 */
const chargeBefore = (
  { customer_id, payment_method_id, account_id }: Awaited<ReturnType<typeof cardOnFile>>['charge'],
  metadata: Record<string, string>,
) =>
  rig.stripe.paymentIntents.create(
    {
      amount: 3_000,
      currency: 'gbp',
      customer: customer_id,
      payment_method: payment_method_id,
      off_session: true,
      confirm: true,
      metadata,
    },
    { stripeAccount: account_id },
  );

const listIntents = async (account: string, invoice_id: string) =>
  (await rig.ledger(account)).payment_intents!.filter(
    ({ metadata }) => (metadata as Record<string, string>)['invoice_id'] === invoice_id,
  );

test('a charge whose key has expired is found among several pages of later ones, and not repeated', async (t) => {
  const { account, charge } = await cardOnFile();
  const { processor } = gateway(rig);
  const { invoice_id } = charge;
  const first = await chargeBefore(charge, { invoice_id, purpose: 'charge', ordinal: '1' });
  for (let n = 0; n < 105; n++)
    await rig.stripe.paymentIntents.create({ amount: 700, currency: 'gbp' }, account);
  const yesterday = new Date(Date.now() - DAY_MS);
  const result = await processor.charge({ ...charge, created_at: yesterday });
  t.like(result, { kind: 'paid', money: { payment_intent_id: first.id } });
});

test('an invoice is charged once, even if the charge’s row is lost and stored again under another id', async (t) => {
  const { charge } = await cardOnFile();
  const { processor } = gateway(rig);
  const first = await processor.charge(charge);
  const again = await processor.charge({ ...charge, id: 'chk_after_a_restore' });
  t.deepEqual(again, first);
  const intents = await listIntents(charge.account_id, charge.invoice_id);
  t.deepEqual(
    intents.map(({ idempotency_key }) => idempotency_key),
    [`${charge.invoice_id}:charge:1`],
  );
  t.like(intents[0]!.metadata as object, { purpose: 'charge', ordinal: '1', checkout_id: charge.id });
  // The next attempt is separate.
  t.is((await processor.charge({ ...charge, id: 'chk_next', ordinal: 2 })).kind, 'paid');
  t.is((await listIntents(charge.account_id, charge.invoice_id)).length, 2);
});

test('where charges with expired keys may be lost, the processor is asked before the first charge', async (t) => {
  const { charge } = await cardOnFile();
  const { processor } = gateway(rig);
  const { invoice_id } = charge;
  const first = await chargeBefore(charge, {
    invoice_id,
    purpose: 'charge',
    ordinal: '1',
    checkout_id: 'chk_lost',
  });
  const result = await processor.charge({ ...charge, lost });
  t.like(result, { kind: 'paid', money: { payment_intent_id: first.id } });
  t.is((await listIntents(charge.account_id, invoice_id)).length, 1);
});

test('a declined charge whose row is lost stays declined', async (t) => {
  const { charge } = await cardOnFile('4000000000000341');
  const { processor } = gateway(rig);
  const first = await processor.charge(charge);
  t.is(first.kind, 'refused');
  const again = await processor.charge({ ...charge, id: 'chk_after_a_restore' });
  t.deepEqual(again, first);
  t.is((await listIntents(charge.account_id, charge.invoice_id)).length, 1);
});

const listRefunds = async (account: string) => (await rig.ledger(account)).refunds!;

test('a refund is made once, even if its row is lost and stored again under another id', async (t) => {
  const { charge, payment_intent_id } = await cardOnFile();
  const { account_id, currency } = charge;
  const { processor } = gateway(rig);
  const refund = {
    id: 'pay_refund',
    payment_id: 'pay_1',
    purpose: 'cancellation',
    ordinal: 1,
    account_id,
    payment_intent_id,
    amount_minor: 500,
    currency,
    attempt: 0,
    request_hash: null,
  } as const;
  const first = await processor.submitRefund(refund);
  // The payment is stored again too.
  const again = { ...refund, id: 'pay_after_a_restore', payment_id: 'pay_2' };
  t.deepEqual(await processor.submitRefund(again), first);
  t.deepEqual(await processor.findRefund(again), first);
  const [made] = await listRefunds(account_id);
  t.is(made!.idempotency_key, `${payment_intent_id}:refund:500:1`);
  t.deepEqual(made!.metadata, {
    refund_id: 'pay_refund',
    payment_id: 'pay_1',
    purpose: 'cancellation',
    amount_minor: '500',
    ordinal: '1',
  });
  t.is(await processor.findRefund({ ...again, ordinal: 2 }), null);
  t.not((await processor.submitRefund({ ...again, ordinal: 2 })).refund_id, first.refund_id);
  t.is((await listRefunds(account_id)).length, 2);
});

test('a lost refund is matched only to the same request, unless it was requested without a key', async (t) => {
  const { charge, payment_intent_id } = await cardOnFile();
  const { account_id, currency } = charge;
  const { processor } = gateway(rig);
  const request = {
    payment_id: 'pay_1',
    purpose: 'request',
    ordinal: 1,
    amount_minor: 500,
    attempt: 0,
  } as const;
  const refund = { ...request, account_id, payment_intent_id, currency };
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const first = await processor.submitRefund({ ...refund, id: 'pay_1', request_hash: one });
  t.like((await listRefunds(account_id))[0]!.metadata, { request: one.toString('hex') });
  t.deepEqual(await processor.submitRefund({ ...refund, id: 'pay_2', request_hash: one }), first);
  for (const request_hash of [other, null])
    t.is(await processor.findRefund({ ...refund, id: 'pay_3', request_hash }), null);
  const second = await processor.submitRefund({ ...refund, id: 'pay_3', request_hash: null });
  t.not(second.refund_id, first.refund_id);
  t.deepEqual(await processor.findRefund({ ...refund, id: 'pay_4', request_hash: other }), second);
});

test('a lost change that is requested again is charged once, as the booking and the amount are the same', async (t) => {
  const { charge, account } = await cardOnFile();
  const { processor } = gateway(rig);
  const booking_id = `bk_${charge.account_id}`;
  const difference = { amount_minor: charge.amount_minor, ordinal: 1 };
  const of = (change_id: string) => ({
    ...charge,
    booking_id,
    change_id,
    invoice_id: null,
    id: 'chk_1',
    difference,
  });
  const first = await processor.charge(of('chg_lost'));
  t.like(first, { kind: 'paid' });
  t.deepEqual(await processor.charge(of('chg_again')), first);
  const other = { ...of('chg_other'), difference: { ...difference, ordinal: 2 } };
  t.notDeepEqual(await processor.charge(other), first, 'a further change is another purpose');
  const { payment_intent_id } = (first as { money: { payment_intent_id: string } }).money;
  await rig.stripe.refunds.create({ payment_intent: payment_intent_id }, account);
  const next = await processor.charge(of('chg_third'));
  t.like(next, { kind: 'paid' });
  t.notDeepEqual(next, first, 'money that went back pays nothing');
});

test('a payment for a change on its hosted page is not taken for the charge of the change', async (t) => {
  const { charge } = await cardOnFile();
  const { account_id } = charge;
  const { processor } = gateway(rig);
  const ids = { booking_id: `bk_${account_id}`, change_id: `chg_${account_id}`, invoice_id: null };
  const { booking_id, change_id } = ids;
  const named = { booking_id, change_id, checkout_id: 'chk_1' };
  for (const metadata of [named, { ...named, purpose: 'checkout', ordinal: '1' }]) {
    await rig.stripe.paymentIntents.create(
      {
        amount: 3_000,
        currency: 'gbp',
        customer: charge.customer_id,
        payment_method: charge.payment_method_id,
        off_session: true,
        confirm: true,
        metadata,
      },
      { stripeAccount: account_id },
    );
    const difference = { amount_minor: charge.amount_minor, ordinal: 1 };
    const ofChange = { ...charge, ...ids, id: 'chk_2', difference };
    t.deepEqual(await processor.endCharge(ofChange), { kind: 'refused', reason: 'not_charged' });
  }
});
