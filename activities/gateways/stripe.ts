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
import { payoutCalls } from './stripe-payouts.js';
import { refundCalls } from './stripe-refunds.js';
import { savedCardCalls } from './stripe-saved-card.js';
import { tierCalls } from './stripe-tiers.js';

export interface StripeOptions {
  secretKey: string;
  /** A URL to use instead of Stripe's, for development. */
  apiUrl: string | null;
  /** The public URL of the service, to which payers return after the checkout. */
  publicUrl: string;
}

/**
 * The latest version of Stripe's API that `stripe-mock` describes, against which tests check our requests.
 * Its sessions accept `payment_method_types`, which the client's own types no longer have.
 */
export const API_VERSION = '2026-08-26.dahlia';
/** Creates Stripe's own client, without retries, because Temporal retries. */
export function createStripeClient({
  secretKey,
  apiUrl,
}: Pick<StripeOptions, 'secretKey' | 'apiUrl'>): Stripe {
  const at = apiUrl ? new URL(apiUrl) : null;
  // The client cannot be created without a key. A service without one still starts, and Stripe refuses its
  // calls.
  return new Stripe(secretKey || 'sk_not_set', {
    apiVersion: API_VERSION as never,
    maxNetworkRetries: 0,
    timeout: 5_000,
    telemetry: false,
    ...(at && { host: at.hostname, port: at.port, protocol: at.protocol === 'https:' ? 'https' : 'http' }),
  });
}

/**
 * Creates the processor gateway for Stripe, with direct charges on connected accounts. The failure of each
 * call is classified. An account counts as unusable only once `assertOwnKey` has passed: with the key of
 * another platform, all accounts would seem unusable, and that must not have final consequences.
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
    ...payoutCalls(stripe),
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
