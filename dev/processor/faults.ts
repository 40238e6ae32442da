import { nextFailure } from '../simulator/failures.js';
import { changeSettings, settingsFor } from './settings.js';
import type { Failure, Faults } from './state/faults.js';
import type { Store } from './state/store.js';

/** No faults. */
export const NO_FAULTS: Faults = {
  drop_webhooks: [],
  duplicate_webhooks: 0,
  webhook_delay_ms: 0,
  shuffle_webhooks: false,
  webhook_routing: 'specification',
  latency_ms: 0,
  fail: [],
};

/** The faults that apply to an account now: its own if it has any, otherwise those for all accounts. */
export function currentFaults(store: Store, account: string | null): Faults {
  return settingsFor(store, 'faults', account).faults ?? NO_FAULTS;
}

/** True if webhooks of this type are dropped. */
export function dropsWebhook({ drop_webhooks }: Faults, type: string): boolean {
  return drop_webhooks.includes('all') || drop_webhooks.includes(type);
}

/** Returns the failure that applies to a call, and counts it. */
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
