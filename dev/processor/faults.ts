import { nextFailure } from '../simulator/failures.js';
import type { Failure, Faults } from './state/faults.js';
import type { Store } from './state/store.js';

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

/** The faults that are set now. */
export function currentFaults(store: Store): Faults {
  return store.settings.get('settings')?.faults ?? NO_FAULTS;
}

/** True when this type of webhook is lost. */
export function dropsWebhook({ drop_webhooks }: Faults, type: string): boolean {
  return drop_webhooks.includes('all') || drop_webhooks.includes(type);
}

/** Takes the failure that is meant for this call, and counts it. */
export function takeFailure(store: Store, method: string, path: string): Failure | undefined {
  const settings = store.settings.get('settings');
  const next = settings && nextFailure(settings.faults.fail, method, path);
  if (!next) return undefined;
  store.settings.set('settings', { ...settings, faults: { ...settings.faults, fail: next.left } });
  return next.failure;
}
