import Stripe from 'stripe';
import { dev, newWorkspace, until, type TestWorkspace } from './stack.js';

/** Monthly prices by tier, in minor units. The owner has the enterprise tier and pays nothing. */
const PRICES = { basic: 1_000, plus: 2_000, pro: 4_000, enterprise: 0 };

const { hostname, port } = new URL(dev.processorUrl!);
/** Stripe's own client, as an operator of a connected account might use it. */
export const stripe = new Stripe('sk_test_holdfast', {
  host: hostname,
  port,
  protocol: 'http',
  telemetry: false,
});

/** Creates a workspace with tier prices. */
export async function newTierWorkspace(overrides: Record<string, unknown> = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace(overrides);
  await workspace.api.patch('/v1/workspace', { tier_prices: PRICES });
  return workspace;
}

/** Creates a subscription on the workspace's account, as an operator would: an item for each tier, collection paused. */
export async function newSubscription({ accountId }: TestWorkspace): Promise<Stripe.Subscription> {
  const on = { stripeAccount: accountId! };
  const product = await stripe.products.create({ name: 'Membership' }, on);
  const price = (nickname: string, unit_amount: number) =>
    stripe.prices.create(
      { currency: 'gbp', nickname, unit_amount, product: product.id, recurring: { interval: 'month' } },
      on,
    );
  const [basic, pro] = [await price('Basic', 1_000), await price('Pro', 4_000)];
  const customer = await stripe.customers.create({}, on);
  const { id } = await stripe.subscriptions.create(
    {
      customer: customer.id,
      items: [
        { price: basic.id, quantity: 1 },
        { price: pro.id, quantity: 0 },
      ],
      collection_method: 'send_invoice',
      days_until_due: 14,
    },
    on,
  );
  return stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } }, on);
}

/** The quantities of a subscription, by tier. */
export async function quantities({ accountId }: TestWorkspace, id: string): Promise<Record<string, number>> {
  const { items } = await stripe.subscriptions.retrieve(id, {}, { stripeAccount: accountId! });
  return Object.fromEntries(
    items.data.map((item) => [item.metadata.tier ?? item.price.nickname!.toLowerCase(), item.quantity!]),
  );
}

export const invoicesOf = async ({ api }: TestWorkspace): Promise<any[]> =>
  (await api.get('/v1/invoices')).body.data;

/** Waits until a workspace has `count` invoices. Returns all of them. */
export const untilInvoiced = (workspace: TestWorkspace, count = 1, withinMs = 60_000): Promise<any[]> =>
  until(async () => {
    const invoices = await invoicesOf(workspace);
    return invoices.length >= count && invoices;
  }, withinMs);
