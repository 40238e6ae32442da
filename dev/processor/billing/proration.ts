import type Stripe from 'stripe';
import { newId } from '../state/ids.js';
import type { Line, Price } from '../state/records.js';
import type { Period } from './period.js';

/** The fields of an item that determine its amount. */
export interface Billed {
  id: string;
  price: Price;
  quantity: number;
}

interface Context {
  subscription: string;
  period: Period;
  /** When the change takes effect. */
  at: number;
  /** The quantity for which an item's unused time is credited. */
  creditable(item: Billed): number;
  priceName(price: Price): string;
}

/**
 * The proration of changed items for the rest of the period: a credit for the unused time of the old items
 * and a charge for the new ones, by the second.
 */
export function prorate(before: Billed[], after: Billed[], context: Context): Line[] {
  const { period, at } = context;
  const share = (period.end - at) / (period.end - period.start);
  const lines: Line[] = [];
  for (const old of before) {
    const now = after.find(({ id }) => id === old.id);
    if (now && now.price.id === old.price.id && now.quantity === old.quantity) continue;
    const credited = { ...old, quantity: context.creditable(old) };
    if (credited.quantity > 0) lines.push(prorationLine(credited, -1, share, 'Unused time on', context));
    if (now) lines.push(prorationLine(now, 1, share, 'Remaining time on', context));
  }
  for (const added of after.filter(({ id }) => !before.some((old) => old.id === id))) {
    lines.push(prorationLine(added, 1, share, 'Remaining time on', context));
  }
  // Stripe adds lines for free items too. They are left out here.
  return lines;
}

/** A full period of an item. */
export function regularLine(
  item: Billed,
  period: Period,
  { subscription, priceName }: Pick<Context, 'subscription' | 'priceName'>,
): Line {
  const amount = (item.price.unit_amount ?? 0) * item.quantity;
  const description = `${item.quantity} × ${priceName(item.price)}`;
  return buildLine({ item, amount, description, period, subscription, proration: false });
}

function prorationLine(item: Billed, sign: 1 | -1, share: number, words: string, context: Context): Line {
  const { subscription, period, at, priceName } = context;
  const amount = sign * Math.round((item.price.unit_amount ?? 0) * item.quantity * share);
  const quantity = item.quantity === 1 ? '' : `${item.quantity} × `;
  const day = new Date(at * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const description = `${words} ${quantity}${priceName(item.price)} after ${day}`;
  return buildLine({
    item,
    amount,
    description,
    period: { start: at, end: period.end },
    subscription,
    proration: true,
  });
}

interface NewLine {
  item: Billed;
  amount: number;
  description: string;
  period: Period;
  subscription: string;
  proration: boolean;
}

function buildLine({ item, amount, description, period, subscription, proration }: NewLine): Line {
  return {
    id: newId('il'),
    object: 'line_item',
    // Avoids negative zero, which JSON does not have.
    amount: amount || 0,
    currency: item.price.currency,
    description,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration ? newId('ii') : null,
        proration,
        proration_details: { credited_items: null },
        subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    } as Stripe.InvoiceLineItem.Parent,
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details',
      unit_amount_decimal: item.price.unit_amount_decimal,
    },
    quantity: item.quantity,
    quantity_decimal: String(item.quantity),
    subscription,
    subtotal: amount || 0,
    taxes: [],
  };
}
