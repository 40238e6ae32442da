import type { Failure as SimulatedFailure } from '../../simulator/failures.js';

/** An injected failure of calls. */
export interface Failure extends SimulatedFailure {
  /** Stripe's error code. */
  code?: string;
}

/** Injected faults. */
export interface Faults {
  drop_webhooks: string[];
  /** Number of extra copies of each webhook. */
  duplicate_webhooks: number;
  webhook_delay_ms: number;
  shuffle_webhooks: boolean;
  /** Checkout events to the platform's endpoint, or as Stripe itself routes them. */
  webhook_routing: 'specification' | 'stripe';
  latency_ms: number;
  fail: Failure[];
}
