import type Stripe from 'stripe';
import { changeItems } from '../billing/items.js';
import { periodAt } from '../billing/period.js';
import { applyChange, quantitiesById, upToDate } from '../billing/subscription.js';
import { endpoint, type Call, type Target } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { LIST_PARAMS, listInside, listObjects } from '../http/listing.js';
import { flag, ignored, oneOf, text } from '../http/params.js';
import { unixNow } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { StoredSubscription } from '../state/records.js';
import { mergeMetadata } from '../http/resource.js';
import { CREATE_PARAMS, UPDATE_PARAMS } from './subscription-params.js';
import { nulls } from '../names.js';

/** Subscriptions. They compute prorations; nothing is collected. */
export const subscriptionEndpoints = [
  endpoint('post', '/v1/subscriptions', CREATE_PARAMS, (call) => create(call).object),

  endpoint(
    'get',
    '/v1/subscriptions',
    {
      ...LIST_PARAMS,
      customer: text(),
      price: text(),
      status: oneOf(
        'active',
        'all',
        'canceled',
        'ended',
        'incomplete',
        'past_due',
        'paused',
        'trialing',
        'unpaid',
      ),
      ...ignored('collection_method'),
    },
    ({ sim, params: { customer, price, status, ...page }, account }) => {
      for (const stored of sim.store.subscriptions.values()) upToDate(sim, stored);
      return listObjects(sim.store.subscriptions, '/v1/subscriptions', account, page, (subscription) => {
        if (customer && subscription.customer !== customer) return false;
        if (price && !subscription.items.data.some((item) => item.price.id === price)) return false;
        if (status === 'all') return true;
        const wanted = status === 'ended' ? 'canceled' : status;
        return wanted ? subscription.status === wanted : subscription.status !== 'canceled';
      });
    },
  ),

  endpoint('get', '/v1/subscriptions/:id', {}, (call) => findSubscription(call).object),

  endpoint('post', '/v1/subscriptions/:id', UPDATE_PARAMS, (call) => update(call)),

  endpoint(
    'delete',
    '/v1/subscriptions/:id',
    { invoice_now: flag(), prorate: flag(), ...ignored('cancellation_details') },
    (call) => cancel(call),
  ),
];

/** The subscription of a call, moved to the current period. */
export function findSubscription({ sim, id, account }: Target): StoredSubscription {
  return upToDate(sim, sim.store.require(sim.store.subscriptions, id, account, 'id'));
}

function create({ sim, params, account, origin }: Call<typeof CREATE_PARAMS>): StoredSubscription {
  const { store } = sim;
  store.require(store.customers, params.customer, account, 'customer', 400);
  if (params.default_payment_method) {
    store.require(
      store.payment_methods,
      params.default_payment_method,
      account,
      'default_payment_method',
      400,
    );
  }
  checkCollection(params);
  const id = newId('sub');
  const anchor = params.billing_cycle_anchor ?? unixNow();
  if (anchor < unixNow() - 60) {
    throw invalidRequest('billing_cycle_anchor cannot be in the past.', 'billing_cycle_anchor');
  }
  const priced = changeItems(store, account, [], params.items, {
    subscription: id,
    period: { start: 0, end: 0 },
  });
  const [first] = priced;
  const rhythm = first?.price.recurring ?? { interval: 'month', interval_count: 1 };
  // With an anchor in the future, the first period is shorter.
  const period = anchor > unixNow() ? { start: unixNow(), end: anchor } : periodAt(anchor, rhythm, unixNow());
  const items = priced.map((item) => ({
    ...item,
    current_period_start: period.start,
    current_period_end: period.end,
  }));
  return store.add(store.subscriptions, buildSubscription(id, anchor, items, params), origin, {
    pending: [],
    debited: quantitiesById(items),
    quantity_updates: [],
  });
}

function update(call: Call<typeof UPDATE_PARAMS>): Stripe.Subscription {
  const { sim, params } = call;
  const stored = findSubscription(call);
  if (stored.object.status === 'canceled') {
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
  }
  const {
    pause_collection: pause,
    cancel_at_period_end,
    description,
    collection_method,
    days_until_due,
  } = params;
  const object: Stripe.Subscription = {
    ...stored.object,
    metadata: mergeMetadata(stored.object.metadata, params.metadata),
    ...(pause !== undefined && {
      pause_collection: pause && { ...pause, resumes_at: pause.resumes_at ?? null },
    }),
    ...(cancel_at_period_end !== undefined && { cancel_at_period_end }),
    ...(collection_method && { collection_method }),
    ...(days_until_due !== undefined && { days_until_due }),
    ...(description && { description }),
  };
  return applyChange(sim, { ...stored, object }, params.items ?? [], params).object;
}

function cancel(call: Call<{ prorate: ReturnType<typeof flag>; invoice_now: ReturnType<typeof flag> }>) {
  const stored = findSubscription(call);
  if (stored.object.status === 'canceled') {
    throw invalidRequest(`No such subscription: '${call.id}'`, { code: 'resource_missing', param: 'id' });
  }
  const now = unixNow();
  return call.sim.store.patch(call.sim.store.subscriptions, stored, {
    canceled_at: now,
    cancellation_details: { comment: null, feedback: null, reason: 'cancellation_requested' } as never,
    ended_at: now,
    status: 'canceled',
  }).object;
}

function checkCollection({
  collection_method,
  days_until_due,
  default_payment_method,
}: Call<typeof CREATE_PARAMS>['params']) {
  if (collection_method === 'send_invoice') {
    if (days_until_due !== undefined) return;
    throw invalidRequest(
      'If using `collection_method` `send_invoice`, you must specify `days_until_due`.',
      'days_until_due',
    );
  }
  if (default_payment_method) return;
  throw invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a ' +
      'default payment method.',
    { code: 'resource_missing' },
  );
}

function buildSubscription(
  id: string,
  anchor: number,
  items: Stripe.SubscriptionItem[],
  params: Call<typeof CREATE_PARAMS>['params'],
): Stripe.Subscription {
  const now = unixNow();
  return {
    ...nulls(`
      application application_fee_percent billing_cycle_anchor_config billing_thresholds cancel_at canceled_at
      cancellation_details customer_account default_source ended_at latest_invoice managed_payments
      next_pending_invoice_item_invoice on_behalf_of pause_collection payment_settings
      pending_invoice_item_interval pending_setup_intent pending_update schedule test_clock transfer_data
      trial_end trial_settings trial_start
    `),
    id,
    object: 'subscription',
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: anchor,
    billing_mode: (params.billing_mode?.type === 'classic'
      ? { type: 'classic', flexible: null }
      : {
          type: 'flexible',
          flexible: { proration_discounts: 'included' },
        }) as Stripe.Subscription.BillingMode,
    billing_schedules: [],
    cancel_at_period_end: params.cancel_at_period_end ?? false,
    collection_method: params.collection_method ?? 'charge_automatically',
    created: now,
    currency: items[0]?.price.currency ?? params.currency ?? 'gbp',
    customer: params.customer,
    days_until_due: params.days_until_due ?? null,
    default_payment_method: params.default_payment_method ?? null,
    default_tax_rates: [],
    description: params.description ?? null,
    discounts: [],
    invoice_settings: {
      account_tax_ids: null,
      issuer: { type: 'self' },
    } as Stripe.Subscription.InvoiceSettings,
    items: listInside(`/v1/subscription_items?subscription=${id}`, items),
    livemode: false,
    metadata: params.metadata ?? {},
    start_date: now,
    status: 'active',
  };
}
