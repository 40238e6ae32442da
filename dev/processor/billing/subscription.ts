import type Stripe from 'stripe';
import { invalidRequest, StripeError } from '../http/errors.js';
import { unixNow, type Simulator } from '../simulator.js';
import type { Line, Price, StoredSubscription } from '../state/records.js';
import type { Store } from '../state/store.js';
import { buildInvoice } from './invoice.js';
import { billed, changeItems, type ItemChange } from './items.js';
import { periodAt, type Period } from './period.js';
import { prorate, regularLine, type Billed } from './proration.js';

/** How a change during a period is billed. */
export interface ProrationOptions {
  proration_behavior?: 'always_invoice' | 'create_prorations' | 'none';
  /** Unix seconds, within the current period. Default: now. */
  proration_date?: number;
}

const QUANTITY_UPDATES_PER_HOUR = 200;
const HOUR_SECONDS = 3_600;

interface Change {
  items: Stripe.SubscriptionItem[];
  lines: Line[];
}

/** The subscription, moved to the period that contains the present. */
export function upToDate({ store }: Simulator, stored: StoredSubscription): StoredSubscription {
  const [first] = stored.object.items.data;
  if (!first?.price.recurring || stored.object.status === 'canceled') return stored;
  if (first.current_period_end > unixNow()) return stored;
  const { start, end } = periodAt(stored.object.billing_cycle_anchor, first.price.recurring, unixNow());
  const data = stored.object.items.data.map((item) => ({
    ...item,
    current_period_start: start,
    current_period_end: end,
  }));
  // The invoice at the start of the period included the pending prorations.
  const next = {
    ...stored,
    pending: [],
    debited: quantitiesById(data),
    object: { ...stored.object, items: { ...stored.object.items, data } },
  };
  store.subscriptions.set(stored.object.id, next);
  return next;
}

/** The items after a change and its proration. Does not store anything. */
function computeChange(
  { store }: Simulator,
  { object, account, debited }: StoredSubscription,
  changes: ItemChange[],
  { proration_behavior = 'create_prorations', proration_date }: ProrationOptions,
): Change {
  const period = subscriptionPeriod(object);
  const at = proration_date ?? unixNow();
  if (at < period.start || at > period.end) {
    throw invalidRequest(
      'Cannot specify proration date outside of the current billing period.',
      'proration_date',
    );
  }
  const items = changeItems(store, account, object.items.data, changes, { subscription: object.id, period });
  if (proration_behavior === 'none') return { items, lines: [] };
  // Classic billing credits what the item says, flexible billing what was billed for it.
  const isClassic = object.billing_mode.type === 'classic';
  const creditable = ({ id, quantity }: Billed) =>
    isClassic ? quantity : Math.min(quantity, debited[id] ?? 0);
  const context = { subscription: object.id, period, at, creditable, priceName: nameIn(store) };
  return { items, lines: prorate(billed(object.items.data), billed(items), context) };
}

/** Changes the items. The proration is added to the next invoice, or with `always_invoice` to a new one. */
export function applyChange(
  sim: Simulator,
  stored: StoredSubscription,
  changes: ItemChange[],
  options: ProrationOptions,
): StoredSubscription {
  const { items, lines } = computeChange(sim, stored, changes, options);
  const object = { ...stored.object, items: { ...stored.object.items, data: items } };
  const next: StoredSubscription = {
    ...stored,
    object,
    pending: [...stored.pending, ...lines],
    ...(options.proration_behavior !== 'none' && { debited: quantitiesById(items) }),
    ...(changes.some(({ quantity }) => quantity !== undefined) && {
      quantity_updates: countUpdate(stored.quantity_updates),
    }),
  };
  if (options.proration_behavior === 'always_invoice' && next.pending.length > 0) {
    next.object = { ...object, latest_invoice: invoiceNow(sim, next).id };
    next.pending = [];
  }
  sim.store.subscriptions.set(object.id, next);
  return next;
}

/** The quantity of each item by its id. */
export const quantitiesById = (items: Stripe.SubscriptionItem[]): Record<string, number> =>
  Object.fromEntries(items.map(({ id, quantity = 1 }) => [id, quantity]));

/** The last hour's updates of quantities, including this one. Stripe allows 200 per subscription. */
function countUpdate(updates: number[]): number[] {
  const recent = updates.filter((at) => at > unixNow() - HOUR_SECONDS);
  if (recent.length >= QUANTITY_UPDATES_PER_HOUR)
    throw new StripeError(429, 'invalid_request_error', 'Too many quantity updates of this subscription.', {
      code: 'rate_limit',
    });
  return [...recent, unixNow()];
}

/**
 * A preview of the next invoice after changes, or with `always_invoice` of the invoice that they would
 * create.
 */
export function previewInvoice(
  sim: Simulator,
  stored: StoredSubscription,
  changes: ItemChange[],
  options: ProrationOptions,
): Stripe.Invoice {
  const { items, lines } = computeChange(sim, stored, changes, options);
  const { object } = stored;
  const period = subscriptionPeriod(object);
  const next = following(object, period);
  const context = { subscription: object.id, priceName: nameIn(sim.store) };
  const regular = billed(items).map((item) => regularLine(item, next, context));
  const immediate = options.proration_behavior === 'always_invoice';
  const all = [...stored.pending, ...lines, ...(immediate ? [] : regular)];
  return buildInvoice({ subscription: object, lines: all, period, status: 'draft', reason: 'upcoming' });
}

function invoiceNow({ store }: Simulator, { object, account, pending }: StoredSubscription): Stripe.Invoice {
  // The invoices of a paused subscription are void from the start.
  const status = object.pause_collection?.behavior === 'void' ? 'void' : 'open';
  const period = subscriptionPeriod(object);
  const invoice = buildInvoice({
    subscription: object,
    lines: pending,
    period,
    status,
    reason: 'subscription_update',
  });
  return store.add(store.invoices, invoice, { account }).object;
}

function subscriptionPeriod({ items }: Stripe.Subscription): Period {
  const [first] = items.data;
  return { start: first?.current_period_start ?? 0, end: first?.current_period_end ?? 0 };
}

function following({ billing_cycle_anchor, items }: Stripe.Subscription, { end }: Period): Period {
  const recurring = items.data[0]?.price.recurring;
  return recurring ? periodAt(billing_cycle_anchor, recurring, end) : { start: end, end };
}

function nameIn(store: Store): (price: Price) => string {
  return ({ product, nickname }) =>
    store.products.get(String(product))?.object.name ?? nickname ?? String(product);
}
