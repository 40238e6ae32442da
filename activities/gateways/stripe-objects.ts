import type Stripe from 'stripe';
import type { ReceivedPayment } from '../../commands/billing/payments.js';
import { DAY_MS } from '../../domain/durations.js';
import { fromProcessorAmount } from '../../domain/processor-amounts.js';
import type { Period } from './processor.js';

/** The id of an object that Stripe returns as an id or expanded. */
export const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The options for a call on a connected account. */
export const on = (stripeAccount: string): Stripe.RequestOptions => ({ stripeAccount });

/** The booking or checkout in our metadata, which Stripe copies from the intent to its charges. */
export const ownerOf = ({ booking_id, checkout_id }: Stripe.Metadata): string | null =>
  booking_id ?? checkout_id ?? null;

/** The payment of an intent that has succeeded; `latest_charge` may be expanded. */
export function moneyOf(intent: Stripe.PaymentIntent, accountId: string): ReceivedPayment {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  return {
    payment_intent_id: intent.id,
    account_id: accountId,
    amount_minor: fromProcessorAmount(intent.amount_received, intent.currency),
    currency: intent.currency.toUpperCase(),
    method: charge?.payment_method_details?.type ?? 'card',
    paid_at: new Date((charge?.created ?? intent.created) * 1000),
  };
}

/** Allowed between our clock and Stripe's. */
const CLOCK_DIFFERENCE_MS = 300_000;

type CreatedRange = { created: { gte: number }; limit: 100 };

/** List parameters for what was created since a time, as measured by our clock. */
export const createdSince = (time: Date): CreatedRange => ({
  created: { gte: Math.floor((time.getTime() - CLOCK_DIFFERENCE_MS) / 1000) },
  limit: 100,
});

/** List parameters for what was created within the validity of an idempotency key. */
export const createdInLastDay = (): CreatedRange => createdSince(new Date(Date.now() - DAY_MS));

/** The first object of a list that carries this metadata. Reads as many pages as it needs. */
export async function firstWith<T extends { metadata?: Stripe.Metadata | null }>(
  list: AsyncIterable<T>,
  metadata: Record<string, string>,
): Promise<T | null> {
  const wanted = Object.entries(metadata);
  for await (const object of list)
    if (wanted.every(([name, value]) => object.metadata?.[name] === value)) return object;
  return null;
}

/** List parameters for a page of what was created in a period. Stripe's times are in seconds. */
export const pageOf = ({ from, to, after }: Period) => ({
  created: { gte: Math.floor(from.getTime() / 1000), ...(to && { lt: Math.floor(to.getTime() / 1000) }) },
  limit: 100,
  ...(after && { starting_after: after }),
});
