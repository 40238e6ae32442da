import { nextFailure, type Failure as SimulatedFailure } from '../simulator/failures.js';
import { changeSettings, settingsFor } from './settings.js';
import type { Store } from './state/store.js';

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

/** Nothing goes wrong. */
export const NO_FAULTS: Faults = {
  drop_webhooks: [],
  duplicate_webhooks: 0,
  webhook_delay_ms: 0,
  shuffle_webhooks: false,
  webhook_routing: 'specification',
  latency_ms: 0,
  fail: [],
};

/** The faults that apply to an account now: its own, or those set for everything. */
export function currentFaults(store: Store, account: string | null): Faults {
  return settingsFor(store, 'faults', account).faults ?? NO_FAULTS;
}

/** True when this type of webhook is lost. */
export function dropsWebhook({ drop_webhooks }: Faults, type: string): boolean {
  return drop_webhooks.includes('all') || drop_webhooks.includes(type);
}

/** Takes the failure that is meant for this call, and counts it. */
export function takeFailure(
  store: Store,
  account: string | null,
  method: string,
  path: string,
): Failure | undefined {
  const { scope, faults } = settingsFor(store, 'faults', account);
  const next = faults && nextFailure(faults.fail, method, path);
  if (!next) return undefined;
  changeSettings(store, scope, { faults: { ...faults, fail: next.left } });
  return next.failure;
}
