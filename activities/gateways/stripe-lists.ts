import type Stripe from 'stripe';
import { DAY_MS } from '../../domain/durations.js';

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
