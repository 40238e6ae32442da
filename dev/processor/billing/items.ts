import type Stripe from 'stripe';
import { invalidRequest, resourceMissing, parameterMissing } from '../http/errors.js';
import { unixNow } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Price } from '../state/records.js';
import type { Store } from '../state/store.js';
import type { Period } from './period.js';
import { buildPrice } from './price.js';
import type { Billed } from './proration.js';

/** An item in a request: a new one, or with an id a change of an existing one. */
export interface ItemChange {
  id?: string;
  price?: string;
  price_data?: {
    currency: string;
    product: string;
    unit_amount?: number;
    recurring: { interval: 'day' | 'week' | 'month' | 'year'; interval_count?: number };
  };
  quantity?: number;
  deleted?: boolean;
  metadata?: Record<string, string>;
}

/** The items of a subscription, reduced to what determines amounts. */
export function billed(items: Stripe.SubscriptionItem[]): Billed[] {
  return items.map(({ id, price, quantity = 1 }) => ({ id, price: price as unknown as Price, quantity }));
}

/** The items after the changes. Does not store anything. */
export function changeItems(
  store: Store,
  account: string | null,
  items: Stripe.SubscriptionItem[],
  changes: ItemChange[],
  { subscription, period }: { subscription: string; period: Period },
): Stripe.SubscriptionItem[] {
  let result = items;
  for (const [index, change] of changes.entries()) {
    const param = `items[${index}]`;
    const price = resolveItemPrice(store, account, change, param);
    const existing = change.id ? result.find(({ id }) => id === change.id) : undefined;
    if (change.id && !existing) throw resourceMissing('subscription_item', change.id, `${param}[id]`, 400);
    if (!existing) {
      if (!price)
        throw invalidRequest(`Missing required param: ${param}[price].`, {
          code: 'parameter_missing',
          param,
        });
      if (result.some((item) => item.price.id === price.id)) {
        const message = `Cannot add multiple subscription items with the same price: ${price.id}`;
        throw invalidRequest(message, `${param}[price]`);
      }
      result = [...result, buildItem(subscription, price, change, period)];
    } else if (change.deleted) result = result.filter((item) => item !== existing);
    else result = result.map((item) => (item === existing ? changed(existing, change, price) : item));
  }
  if (result.length === 0)
    throw invalidRequest('A subscription must have at least one active item.', 'items');
  checkAlike(result);
  return result;
}

function changed(
  item: Stripe.SubscriptionItem,
  { quantity, metadata }: ItemChange,
  price: Price | undefined,
) {
  return {
    ...item,
    quantity: quantity ?? item.quantity ?? 1,
    metadata: { ...item.metadata, ...metadata },
    ...(price && { price: price as unknown as Stripe.Price, plan: toPlan(price) }),
  };
}

function buildItem(
  subscription: string,
  price: Price,
  change: ItemChange,
  period: Period,
): Stripe.SubscriptionItem {
  return {
    id: newId('si', 14),
    object: 'subscription_item',
    billing_thresholds: null,
    created: unixNow(),
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: change.metadata ?? {},
    plan: toPlan(price),
    price: price as unknown as Stripe.Price,
    quantity: change.quantity ?? 1,
    subscription,
    tax_rates: [],
  };
}

function resolveItemPrice(
  store: Store,
  account: string | null,
  change: ItemChange,
  param: string,
): Price | undefined {
  const { price_data, price: id } = change;
  if (price_data) {
    const { unit_amount, product } = price_data;
    if (unit_amount === undefined) throw parameterMissing(`${param}[price_data][unit_amount]`);
    store.require(store.products, product, account, `${param}[price_data][product]`, 400);
    const price = buildPrice({ ...price_data, unit_amount, active: false });
    return store.add(store.prices, price, { account }).object;
  }
  if (!id) return undefined;
  const { object } = store.require(store.prices, id, account, `${param}[price]`, 400);
  if (object.recurring) return object;
  throw invalidRequest(
    'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
    `${param}[price]`,
  );
}

/** All items of a subscription have the same currency and interval. */
function checkAlike(items: Stripe.SubscriptionItem[]): void {
  const kinds = new Set(
    items.map(
      ({ price }) => `${price.currency} ${price.recurring?.interval} ${price.recurring?.interval_count}`,
    ),
  );
  if (kinds.size > 1) {
    throw invalidRequest(
      'All prices on a subscription must have the same currency and `recurring.interval`.',
      'items',
    );
  }
}

/** The legacy `plan` object of an item. */
function toPlan(price: Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal as never,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}
