import ava from 'ava';
import { newAccount, refused, Rig } from '../support/processor-rig.js';

const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());

/** A paused subscription with one member on `basic`, as the service keeps one per payer. */
async function pausedSubscription() {
  const account = newAccount();
  const { stripe } = rig;
  const product = await stripe.products.create({ name: 'Membership' }, account);
  const price = (unit_amount: number) =>
    stripe.prices.create(
      { currency: 'gbp', unit_amount, product: product.id, recurring: { interval: 'month' } },
      account,
    );
  const [basic, pro] = [await price(1000), await price(4000)];
  const customer = await stripe.customers.create({ email: 'payer@example.com' }, account);
  const { id } = await stripe.subscriptions.create(
    {
      customer: customer.id,
      items: [{ price: basic.id, quantity: 1 }],
      collection_method: 'send_invoice',
      days_until_due: 14,
      metadata: { payer: 'company' },
    },
    account,
  );
  const subscription = await stripe.subscriptions.update(
    id,
    { pause_collection: { behavior: 'void' } },
    account,
  );
  const [item] = subscription.items.data;
  if (!item) throw new Error('The subscription has no item.');
  const halfway = item.current_period_start + (item.current_period_end - item.current_period_start) / 2;
  return { account, basic, pro, subscription, item, halfway: Math.floor(halfway) };
}

test('a preview shows the price of an upgrade for the rest of the period', async (t) => {
  const { account, pro, subscription, item, halfway } = await pausedSubscription();
  t.is(subscription.pause_collection?.behavior, 'void');
  const preview = await rig.stripe.invoices.createPreview(
    {
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: item.id, price: pro.id }],
        proration_behavior: 'always_invoice',
        proration_date: halfway,
      },
    },
    account,
  );
  // Half of 1000 is credited, half of 4000 charged: -500 + 2000 = 1500.
  t.deepEqual(
    preview.lines.data.map(({ amount }) => amount),
    [-500, 2000],
  );
  t.is(preview.total, 1500);
  t.true(preview.lines.data.every(({ parent }) => parent?.subscription_item_details?.proration));
  const unchanged = await rig.stripe.subscriptions.retrieve(subscription.id, {}, account);
  t.is(unchanged.items.data[0]?.price.unit_amount, 1000);
});

test('an upgrade is invoiced with the next invoice or immediately, and void while collection is paused', async (t) => {
  const { account, basic, pro, subscription, item, halfway } = await pausedSubscription();
  const { stripe } = rig;
  await stripe.subscriptions.update(
    subscription.id,
    {
      items: [{ id: item.id, price: pro.id }],
      proration_behavior: 'create_prorations',
      proration_date: halfway,
    },
    account,
  );
  const next = await stripe.invoices.createPreview({ subscription: subscription.id }, account);
  // The 1500 of the change, and 4000 for the next month.
  t.is(next.total, 5500);
  const params = { subscription: subscription.id, price: basic.id, quantity: 2, proration_date: halfway };
  await stripe.subscriptionItems.create({ ...params, proration_behavior: 'always_invoice' }, account);
  const { latest_invoice } = await stripe.subscriptions.retrieve(
    subscription.id,
    { expand: ['latest_invoice'] },
    account,
  );
  if (!latest_invoice || typeof latest_invoice === 'string') throw new Error('There is no invoice.');
  // The 1500 from before, and half of 2 × 1000.
  t.is(latest_invoice.total, 2500);
  t.is(latest_invoice.status, 'void');
});

test('proration none creates none, an invalid item, date or price is refused, and a cancelled subscription cannot change', async (t) => {
  const { account, pro, subscription, item } = await pausedSubscription();
  const { stripe } = rig;
  const update = (params: object) => stripe.subscriptions.update(subscription.id, params, account);
  await update({ items: [{ id: item.id, price: pro.id }], proration_behavior: 'none' });
  t.is((await stripe.invoices.createPreview({ subscription: subscription.id }, account)).total, 4000);
  t.is((await refused(update({ items: [{ id: 'si_nobody', quantity: 2 }] }))).code, 'resource_missing');
  t.is((await refused(update({ proration_date: 1 }))).param, 'proration_date');
  t.is((await refused(update({ items: [{ price: 'price_nobody' }] }))).statusCode, 400);
  t.is((await update({ pause_collection: '' })).pause_collection, null);
  t.is((await stripe.subscriptions.cancel(subscription.id, {}, account)).status, 'canceled');
  t.is((await refused(update({ items: [{ id: item.id, quantity: 2 }] }))).statusCode, 400);
  t.is((await stripe.subscriptions.list({}, account)).data.length, 0);
});

test('credit follows the quantity in classic billing, and the billed amount in flexible billing', async (t) => {
  const { stripe } = rig;
  const account = newAccount();
  const product = await stripe.products.create({ name: 'Membership' }, account);
  const customer = await stripe.customers.create({}, account);
  const totals = [];
  for (const type of ['classic', 'flexible', undefined] as const) {
    const price_data = {
      currency: 'gbp',
      product: product.id,
      recurring: { interval: 'month' as const },
      unit_amount: 100,
    };
    const { id, items } = await stripe.subscriptions.create(
      {
        customer: customer.id,
        items: [{ price_data, quantity: 10 }],
        collection_method: 'send_invoice',
        days_until_due: 14,
        ...(type && { billing_mode: { type } }),
      },
      account,
    );
    const [item] = items.data;
    const [start, end] = [item!.current_period_start, item!.current_period_end];
    const raised = { items: [{ id: item!.id, quantity: 20 }], proration_behavior: 'none' as const };
    await stripe.subscriptions.update(id, raised, account);
    const preview = await stripe.invoices.createPreview(
      {
        subscription: id,
        subscription_details: {
          items: [{ id: item!.id, quantity: 10 }],
          proration_behavior: 'always_invoice',
          proration_date: Math.ceil(end - (end - start) / 3),
        },
      },
      account,
    );
    totals.push(preview.total);
  }
  // A third of the month: 20 is credited and 10 charged, or 10 credited and 10 charged.
  t.deepEqual(totals, [-334, 0, 0]);
});
