import Stripe from 'stripe';
import { HOUR_MS } from '../../domain/durations.js';

/**
 * Stripe keeps idempotency keys for 24 h. With a margin, a call may be repeated under its key for this long.
 */
export const KEY_VALID_MS = 20 * HOUR_MS;

/** Stores which idempotency keys can no longer be used. */
export interface KeySuffixes {
  /** Returns the suffix for the next attempt after the key itself. */
  find(key: string): Promise<number>;
  /** Records that the key with this suffix cannot be used any more either. */
  advance(key: string, spent: number): Promise<void>;
}

/** A creation that must happen once. */
export interface Creation<T> {
  key: string;
  create(idempotencyKey: string): Promise<T>;
  /** Looks for the object by our metadata. */
  find(): Promise<T | null>;
}

/**
 * True if the key says nothing about the outcome, and will not for a day. Stripe saves a 500 and replays it,
 * although the work may have been done. It also refuses a key that was first used with other parameters, such
 * as those of another release.
 */
function isKeySpent(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeIdempotencyError) return error.statusCode === 400;
  return error instanceof Stripe.errors.StripeError && error.statusCode === 500;
}

/** True if Stripe refused the request itself. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError
  );
}

/**
 * Creates an object once. If its key cannot be used any more, the object is looked up by our metadata, and if
 * there is none, created under the key with a suffix. A refusal under a suffix counts only if no earlier
 * attempt created the object.
 */
export async function createUnlessFound<T>(
  suffixes: KeySuffixes,
  { key, create, find }: Creation<T>,
): Promise<T> {
  try {
    return await create(key);
  } catch (error) {
    if (!isKeySpent(error)) throw error;
  }
  const existing = await find();
  if (existing) return existing;
  const suffix = await suffixes.find(key);
  try {
    return await create(`${key}:${suffix}`);
  } catch (error) {
    const isSpent = isKeySpent(error);
    const created = isSpent || isRefusal(error) ? await find() : null;
    if (created) return created;
    if (isSpent) await suffixes.advance(key, suffix);
    throw error;
  }
}
