import type { Failure } from '../../simulator/failures.js';

/** The registration that a webhook is sent to, whose secret signs it. Both are of the Connect kind. */
export type Via = 'platform' | 'connect';

/** Injected faults. */
export interface Faults {
  drop_webhooks: string[];
  /** Number of extra copies of each webhook. */
  duplicate_webhooks: number;
  webhook_delay_ms: number;
  shuffle_webhooks: boolean;
  /** Checkout events to the platform's registration and all others to the Connect one, or all to the Connect one. */
  webhook_routing: 'specification' | 'stripe';
  /** Registrations to which nothing is sent. */
  break_endpoints: Via[];
  latency_ms: number;
  fail: Failure[];
}
