import Stripe from 'stripe';
import { failures, isAccountUnusable } from '../failures.js';
import type { Processor } from './processor.js';
import { accountCalls } from './stripe-accounts.js';
import { call } from './stripe-call.js';
import { cardSetupCalls } from './stripe-card-setup.js';
import { chargeCalls } from './stripe-charges.js';
import { checkoutCalls } from './stripe-checkouts.js';
import { eventCalls } from './stripe-events.js';
import { OtherPlatform } from './stripe-platform.js';
import type { KeySuffixes } from './stripe-once.js';
import { refundCalls } from './stripe-refunds.js';
import { savedCardCalls } from './stripe-saved-card.js';
import { tierCalls } from './stripe-tiers.js';

export interface StripeOptions {
  secretKey: string;
  /** A URL other than Stripe's own, for development. */
  apiUrl: string | null;
  /** The API's public URL, to which payers return after the checkout. */
  publicUrl: string;
}

/**
 * The newest version of Stripe's API that `stripe-mock` describes: tests check our requests against it. Its
 * sessions accept `payment_method_types`, which the client's own types no longer have.
 */
export const API_VERSION = '2026-08-26.dahlia';
/** Stripe's own client without retries: Temporal retries. */
export function createStripeClient({
  secretKey,
  apiUrl,
}: Pick<StripeOptions, 'secretKey' | 'apiUrl'>): Stripe {
  const at = apiUrl ? new URL(apiUrl) : null;
  // The client can't be created without a key. A service that has none still starts;
  // Stripe refuses its calls.
  return new Stripe(secretKey || 'sk_not_set', {
    apiVersion: API_VERSION as never,
    maxNetworkRetries: 0,
    timeout: 5_000,
    telemetry: false,
    ...(at && { host: at.hostname, port: at.port, protocol: at.protocol === 'https:' ? 'https' : 'http' }),
  });
}

/**
 * Stripe with direct charges on connected accounts. The failure of each call is classified. An account counts
 * as unusable only once `assertOwnKey` has passed: to the key of another platform all accounts are, and
 * nothing final may follow.
 */
export function createStripeProcessor(
  stripe: Stripe,
  publicUrl: string,
  suffixes: KeySuffixes,
  assertOwnKey: () => Promise<void>,
): Processor {
  const calls = {
    ...checkoutCalls(stripe, publicUrl, suffixes),
    ...savedCardCalls(stripe, suffixes),
    ...cardSetupCalls(stripe, publicUrl, suffixes),
    ...refundCalls(stripe, suffixes),
    ...chargeCalls(stripe),
    ...tierCalls(stripe, suffixes),
    ...eventCalls(stripe),
    ...accountCalls(stripe, suffixes),
  };
  return classified(calls, assertOwnKey);
}

function classified(processor: Processor, assertOwnKey: () => Promise<void>): Processor {
  const confirm = async (error: unknown): Promise<never> => {
    if (isAccountUnusable(error)) await assertOwnKey().catch(asRefusedKey);
    throw error;
  };
  const calls: [string, (...args: never[]) => Promise<unknown>][] = Object.entries(processor);
  return Object.fromEntries(
    calls.map(([name, work]) => [name, (...args: never[]) => call(() => work(...args)).catch(confirm)]),
  ) as unknown as Processor;
}

function asRefusedKey(error: unknown): never {
  throw error instanceof OtherPlatform ? failures.processorKeyRefused(error.message) : error;
}
