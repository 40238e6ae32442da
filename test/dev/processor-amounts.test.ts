import ava from 'ava';
import type Stripe from 'stripe';
import { newAccount, refused, Rig, sessionParams } from '../support/processor-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());

const session = (currency: string, unit_amount: number): Stripe.Checkout.SessionCreateParams =>
  sessionParams({
    line_items: [{ quantity: 1, price_data: { currency, unit_amount, product_data: { name: 'Room' } } }],
  });
const create = (currency: string, amount: number) =>
  rig.stripe.checkout.sessions.create(session(currency, amount), newAccount());
const charge = (currency: string, amount: number) =>
  rig.stripe.paymentIntents.create({ currency, amount }, newAccount());

test('a charge under the minimum is refused with amount_too_small', async (t) => {
  for (const [currency, minimum] of [
    ['usd', 50],
    ['gbp', 30],
    ['aed', 200],
    ['czk', 1_500],
    ['huf', 17_500],
    ['jpy', 50],
    ['mxn', 1_000],
    ['thb', 1_000],
  ] as const) {
    for (const attempt of [create, charge]) {
      t.is((await refused(attempt(currency, minimum - 1))).code, 'amount_too_small', currency);
      await t.notThrowsAsync(attempt(currency, minimum), currency);
    }
  }
  const error = await refused(create('gbp', 29));
  t.regex(error.message, /total amount due must add up to at least £0\.30/);
});

test('amounts in dinars must end in 0, and in krónur and shillings in 00', async (t) => {
  for (const [currency, wrong, right] of [
    ['kwd', 5_125, 5_120],
    ['bhd', 5_001, 5_000],
    ['isk', 5_050, 5_000],
    ['ugx', 100_001, 100_000],
  ] as const) {
    t.is((await refused(create(currency, wrong))).statusCode, 400, currency);
    t.is((await refused(charge(currency, wrong))).statusCode, 400, currency);
    await t.notThrowsAsync(create(currency, right), currency);
  }
});

test('a currency that Stripe does not list is refused', async (t) => {
  for (const currency of ['iqd', 'lyd', 'uyi', 'xxx'])
    t.regex((await refused(create(currency, 10_000))).message, /Stripe currently supports/, currency);
});
