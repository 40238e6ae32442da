import Stripe from 'stripe';
import { Decimal } from 'decimal.js';
import { TIERS, type Tier } from '../../domain/rates/price.js';
import { fromProcessorAmount, roundToUnit, toProcessorAmount } from '../../domain/processor/amounts.js';
import type { TierCalls, ProcessorSubscription, WorkspaceTiers } from './processor-tiers.js';
import { createdInLastDay, firstWith, on } from './stripe-objects.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';

type Item = Stripe.SubscriptionItem;

/** Returns a monthly price in the processor's units, rounded to what it can charge. */
const unitAmount = (price_minor: number, currency: string): number =>
  toProcessorAmount({ amount_minor: roundToUnit(new Decimal(price_minor), currency), currency });

/** Nothing is collected, so the due date does not matter, but Stripe requires one. */
const COLLECTS_NOTHING = { collection_method: 'send_invoice', days_until_due: 30 } as const;

const priceData = (
  product: string,
  currency: string,
  price_minor: number,
): Stripe.SubscriptionUpdateParams.Item.PriceData => ({
  currency: currency.toLowerCase(),
  product,
  recurring: { interval: 'month' },
  unit_amount: unitAmount(price_minor, currency),
});

const findTierItem = ({ items }: Stripe.Subscription, tier: Tier): Item | undefined =>
  items.data.find((item) => item.metadata.tier === tier);

/**
 * True if collection is paused, and each given tier has an item with its price and at least that many
 * members.
 */
function isReady(
  subscription: Stripe.Subscription,
  { currency, prices }: WorkspaceTiers,
  tiers: { tier: Tier; atLeast: number }[],
): boolean {
  if (subscription.pause_collection?.behavior !== 'void') return false;
  return tiers.every(({ tier, atLeast }) => {
    const item = findTierItem(subscription, tier);
    return (
      item && item.price.unit_amount === unitAmount(prices[tier], currency) && (item.quantity ?? 0) >= atLeast
    );
  });
}

/** The subscription that prorates a workspace's upgrades (docs/rules/billing.md#tier-upgrades). */
export function tierCalls(stripe: Stripe, suffixes: KeySuffixes): TierCalls {
  /** Returns the subscription if it still prorates; null if it no longer exists or has ended. */
  async function findSubscription(
    { account_id }: WorkspaceTiers,
    { subscription_id }: ProcessorSubscription,
  ): Promise<Stripe.Subscription | null> {
    try {
      const found = await stripe.subscriptions.retrieve(subscription_id, {}, on(account_id));
      return found.status === 'active' ? found : null;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
        return null;
      throw error;
    }
  }

  /**
   * Sets price and number of members of every tier in one request, without proration and without collecting.
   */
  async function setTiers(
    subscription: Stripe.Subscription,
    { product_id }: ProcessorSubscription,
    { account_id, currency, prices }: WorkspaceTiers,
    members: Record<Tier, number>,
  ): Promise<Stripe.Subscription> {
    const items = TIERS.map((tier) => {
      const item = findTierItem(subscription, tier);
      const isPriced = item?.price.unit_amount === unitAmount(prices[tier], currency);
      return {
        ...(item && { id: item.id }),
        quantity: members[tier],
        metadata: { tier },
        ...(!isPriced && { price_data: priceData(product_id, currency, prices[tier]) }),
      };
    });
    return stripe.subscriptions.update(
      subscription.id,
      { items, proration_behavior: 'none', pause_collection: { behavior: 'void' } },
      on(account_id),
    );
  }

  return {
    /**
     * Creates the subscription with its customer and product: an item per tier, all without members, so that
     * its first invoice is zero. It uses classic billing mode, the only one in which credit for unused time
     * does not depend on what was collected. Idempotent per generation for a day.
     */
    async createTierSubscription({ account_id, workspace_id, currency, prices }, generation) {
      const metadata = { workspace_id, generation: String(generation) };
      const description = 'Computes the proration of tier upgrades. Nothing is collected.';
      const once = <T extends { metadata?: Stripe.Metadata | null }>(
        step: string,
        create: (options: Stripe.RequestOptions) => Promise<T>,
        list: () => AsyncIterable<T>,
      ): Promise<T> =>
        createUnlessFound(suffixes, {
          key: `${workspace_id}:tiers:${generation}:${step}`,
          create: (idempotencyKey) => create({ ...on(account_id), idempotencyKey }),
          find: () => firstWith(list(), metadata),
        });

      const customer = await once(
        'customer',
        (options) => stripe.customers.create({ description, metadata }, options),
        () => stripe.customers.list(createdInLastDay(), on(account_id)),
      );
      const product = await once(
        'product',
        (options) => stripe.products.create({ name: 'Membership', metadata }, options),
        () => stripe.products.list(createdInLastDay(), on(account_id)),
      );
      const params: Stripe.SubscriptionCreateParams = {
        customer: customer.id,
        description,
        metadata,
        ...COLLECTS_NOTHING,
        billing_mode: { type: 'classic' },
        items: TIERS.map((tier) => ({
          quantity: 0,
          metadata: { tier },
          price_data: priceData(product.id, currency, prices[tier]),
        })),
      };
      const subscription = await once(
        'subscription',
        (options) => stripe.subscriptions.create(params, options),
        () => stripe.subscriptions.list({ ...createdInLastDay(), customer: customer.id }, on(account_id)),
      );
      return { product_id: product.id, subscription_id: subscription.id };
    },

    /**
     * Returns the price of one member's move for the rest of the period, as the processor prorates it. The
     * subscription is changed only if it lacks the member who moves or has other prices. Null if it no longer
     * exists.
     */
    async quoteTierSwap(known, swap) {
      let subscription = await findSubscription(swap, known);
      if (!subscription) return null;
      const { from, to, members } = swap;
      const needed = [
        { tier: from, atLeast: 1 },
        { tier: to, atLeast: 0 },
      ];
      if (!isReady(subscription, swap, needed)) {
        const before = { ...members, [from]: members[from] + 1, [to]: Math.max(0, members[to] - 1) };
        subscription = await setTiers(subscription, known, swap, before);
      }
      const [fromItem, toItem] = [findTierItem(subscription, from)!, findTierItem(subscription, to)!];
      const { current_period_start: start, current_period_end: end } = fromItem;
      const proration_date = end - Math.ceil((end - start) * swap.remaining_share);
      const preview = await stripe.invoices.createPreview(
        {
          subscription: subscription.id,
          subscription_details: {
            items: [
              { id: fromItem.id, quantity: fromItem.quantity! - 1 },
              { id: toItem.id, quantity: toItem.quantity! + 1 },
            ],
            proration_behavior: 'always_invoice',
            proration_date,
          },
        },
        on(swap.account_id),
      );
      // Pending items of the subscription do not belong to this change.
      const own = preview.lines.data.filter(
        ({ period, parent }) =>
          parent?.subscription_item_details?.proration && period.start === proration_date,
      );
      const net = own.reduce((sum, { amount }) => sum + amount, 0);
      const { currency } = subscription;
      return { net_minor: roundToUnit(new Decimal(fromProcessorAmount(net, currency)), currency) };
    },

    /** Does nothing if the subscription no longer exists. */
    async syncTierSubscription(known, tiers) {
      const subscription = await findSubscription(tiers, known);
      if (!subscription) return;
      const { members } = tiers;
      const all = TIERS.map((tier) => ({ tier, atLeast: 0 }));
      const isCounted = TIERS.every((tier) => findTierItem(subscription, tier)?.quantity === members[tier]);
      if (isCounted && isReady(subscription, tiers, all)) return;
      await setTiers(subscription, known, tiers, members);
    },
  };
}
