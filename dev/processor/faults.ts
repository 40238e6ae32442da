import { nextFailure } from '../simulator/failures.js';
import { changeSettings, settingsFor } from './settings.js';
import type { Failure, Faults } from './state/faults.js';
import type { Via } from './state/records.js';
import type { Store } from './state/store.js';

/** No faults. */
export const NO_FAULTS: Faults = {
  drop_webhooks: [],
  duplicate_webhooks: 0,
  webhook_delay_ms: 0,
  shuffle_webhooks: false,
  webhook_routing: 'specification',
  break_endpoints: [],
  latency_ms: 0,
  fail: [],
};

/** The faults that apply to an account now: its own if it has any, otherwise those for all accounts. */
export function currentFaults(store: Store, account: string | null): Faults {
  return settingsFor(store, 'faults', account).faults ?? NO_FAULTS;
}

/** True if the webhook of an event to a registration is dropped. */
export function dropsWebhook({ drop_webhooks, break_endpoints }: Faults, type: string, via: Via): boolean {
  return drop_webhooks.includes('all') || drop_webhooks.includes(type) || break_endpoints.includes(via);
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
