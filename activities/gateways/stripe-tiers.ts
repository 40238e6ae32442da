import Stripe from 'stripe';
import { TIERS } from '../../domain/price.js';
import type { TierQuoted, TierSide, TierSwap } from './processor.js';

type Item = Stripe.SubscriptionItem;

/** True if an item is for this tier: by the name on the item or its price, or else by the amount. */
function isForTier(item: Item, { tier, price_minor }: TierSide): boolean {
  const { lookup_key, nickname, metadata, unit_amount } = item.price;
  const names = [item.metadata.tier, metadata?.tier, lookup_key, nickname].map((name) => name?.toLowerCase());
  const named = names.find((name) => TIERS.some((known) => known === name));
  return named ? named === tier : unit_amount === price_minor;
}

/**
 * The subscription that prorates for a workspace: the one with its id in the metadata, or else one that does not
 * collect payments. Other subscriptions on the operator's account are ignored.
 */
export async function findTierSubscription(
  stripe: Stripe,
  { account_id, workspace_id, currency }: TierSwap,
): Promise<Stripe.Subscription | null> {
  const page = await stripe.subscriptions.list(
    { status: 'active', limit: 100 },
    { stripeAccount: account_id },
  );
  const inCurrency = page.data.filter((candidate) => candidate.currency === currency.toLowerCase());
  const own = inCurrency.find(({ metadata }) => metadata.workspace_id === workspace_id);
  return own ?? inCurrency.find(({ pause_collection }) => pause_collection?.behavior === 'void') ?? null;
}

interface ItemChange {
  id?: string;
  quantity: number;
  price_data?: Stripe.SubscriptionUpdateParams.Item.PriceData;
  metadata: Record<string, string>;
}

/** The item of a tier with its quantity: the existing one or a new one; none for a new one with quantity 0. */
function itemWith(subscription: Stripe.Subscription, side: TierSide, quantity: number): ItemChange[] {
  const { data } = subscription.items;
  const metadata = { tier: side.tier };
  const known = data.find((item) => isForTier(item, side));
  if (known) return [{ id: known.id, quantity, metadata }];
  if (quantity === 0) return [];
  const { product, recurring } = data[0]!.price;
  return [
    {
      quantity,
      metadata,
      price_data: {
        currency: subscription.currency,
        product: typeof product === 'string' ? product : product.id,
        recurring: { interval: recurring!.interval, interval_count: recurring!.interval_count },
        unit_amount: side.price_minor,
      },
    },
  ];
}

/** Sets the quantity of each tier, without proration and without collecting a payment. */
async function setCounts(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  { account_id, from, to }: TierSwap,
): Promise<Stripe.Subscription> {
  const items = [...itemWith(subscription, from, from.members), ...itemWith(subscription, to, to.members)];
  return stripe.subscriptions.update(
    subscription.id,
    { items, proration_behavior: 'none', pause_collection: { behavior: 'void' } },
    { stripeAccount: account_id },
  );
}

/**
 * Prorates an upgrade for the rest of the subscription's period: sets the quantities from before the upgrade, then
 * previews the change. Null if the workspace has no subscription.
 */
export async function quoteTierSwap(stripe: Stripe, swap: TierSwap): Promise<TierQuoted | null> {
  const found = await findTierSubscription(stripe, swap);
  if (!found) return null;
  const before = {
    ...swap,
    from: { ...swap.from, members: swap.from.members + 1 },
    to: { ...swap.to, members: Math.max(0, swap.to.members - 1) },
  };
  const subscription = await setCounts(stripe, found, before);
  const [first] = subscription.items.data as [Item];
  const requested = Math.floor(swap.at.getTime() / 1000);
  const proration_date = Math.min(Math.max(requested, first.current_period_start), first.current_period_end);
  const items = [
    ...itemWith(subscription, swap.from, swap.from.members),
    ...itemWith(subscription, swap.to, before.to.members + 1),
  ].map(({ metadata: _metadata, ...item }) => item);
  const preview = await stripe.invoices.createPreview(
    {
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice', proration_date },
    },
    { stripeAccount: swap.account_id },
  );
  // Other pending items of the subscription do not belong to this change.
  const own = preview.lines.data.filter(({ period }) => period.start === proration_date);
  return { subscription_id: subscription.id, net_minor: own.reduce((sum, { amount }) => sum + amount, 0) };
}

/** Sets the quantities of both tiers to their numbers of members. */
export async function setTierCounts(stripe: Stripe, subscriptionId: string, swap: TierSwap): Promise<void> {
  const options = { stripeAccount: swap.account_id };
  await setCounts(stripe, await stripe.subscriptions.retrieve(subscriptionId, {}, options), swap);
}
