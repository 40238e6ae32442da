import type { Failure as SimulatedFailure } from '../../simulator/failures.js';

/** A call that is made to fail. */
export interface Failure extends SimulatedFailure {
  /** Stripe's error code, for a client that looks at it. */
  code?: string;
}

/** What goes wrong on purpose. */
export interface Faults {
  drop_webhooks: string[];
  /** How many extra copies of each webhook are sent. */
  duplicate_webhooks: number;
  webhook_delay_ms: number;
  shuffle_webhooks: boolean;
  /** As the service's specification has it, or as Stripe really does it. */
  webhook_routing: 'specification' | 'stripe';
  latency_ms: number;
  fail: Failure[];
}
