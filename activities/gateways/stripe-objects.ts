import type Stripe from 'stripe';
import type { ReceivedPayment } from '../../commands/payments/payments.js';
import { DAY_MS } from '../../domain/durations.js';
import { fromProcessorAmount } from '../../domain/processor/amounts.js';
import type { Period } from './processor-reads.js';

/** Returns the id of an object that Stripe returns either as an id or expanded. */
export const referenceId = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** Returns the options for a call on a connected account. */
export const on = (stripeAccount: string): Stripe.RequestOptions => ({ stripeAccount });

/** Returns the payment of an intent that has succeeded. `latest_charge` may be expanded. */
export function toReceivedPayment(intent: Stripe.PaymentIntent, accountId: string): ReceivedPayment {
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

/** The tolerated difference between our clock and Stripe's. */
const CLOCK_DIFFERENCE_MS = 300_000;

interface CreatedRange {
  created: { gte: number; lte?: number };
  limit: 100;
}

/**
 * Returns list parameters for what was created from one time on, or until another, as measured by our clock.
 */
export const createdSince = (from: Date, until: Date | null = null): CreatedRange => ({
  created: {
    gte: Math.floor((from.getTime() - CLOCK_DIFFERENCE_MS) / 1000),
    ...(until && { lte: Math.ceil((until.getTime() + CLOCK_DIFFERENCE_MS) / 1000) }),
  },
  limit: 100,
});

/** Returns list parameters for what was created within the validity of an idempotency key. */
export const createdInLastDay = (): CreatedRange => createdSince(new Date(Date.now() - DAY_MS));

/**
 * Returns list parameters for what was created for a row, or under its idempotency key for a row that is now
 * lost. Such a key was used within its validity, and the row that replaces the lost one is newer.
 */
export const createdFor = ({ created_at }: { created_at: Date }): CreatedRange =>
  createdSince(new Date(Math.min(created_at.getTime(), Date.now() - 2 * DAY_MS)));

interface WithMetadata {
  metadata?: Stripe.Metadata | null;
}

/** True if an object has this metadata. Fields that are undefined must be missing. */
export const has = ({ metadata }: WithMetadata, wanted: Record<string, string | undefined>): boolean =>
  Object.entries(wanted).every(([name, value]) => metadata?.[name] === value);

/** Returns the first object of a list that meets a condition, or null. Reads as many pages as it needs. */
export async function first<T>(list: AsyncIterable<T>, isWanted: (object: T) => boolean): Promise<T | null> {
  for await (const object of list) if (isWanted(object)) return object;
  return null;
}

/** Returns list parameters for a page of what was created in a period. Stripe's times are in seconds. */
export const pageParams = ({ from, to, after }: Period) => ({
  created: { gte: Math.floor(from.getTime() / 1000), ...(to && { lt: Math.floor(to.getTime() / 1000) }) },
  limit: 100,
  ...(after && { starting_after: after }),
});

/** Returns the first object of a list that has this metadata, or null. */
export const firstWith = <T extends WithMetadata>(
  list: AsyncIterable<T>,
  wanted: Record<string, string | undefined>,
): Promise<T | null> => first(list, (object) => has(object, wanted));
