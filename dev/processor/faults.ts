import { settingsFor } from '../simulator/settings.js';
import type { Faults } from './state/faults.js';
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
  return settingsFor(store.settings, 'faults', account).faults ?? NO_FAULTS;
}

/** True if the webhook of an event to a registration is dropped. */
export function dropsWebhook({ drop_webhooks, break_endpoints }: Faults, type: string, via: Via): boolean {
  return drop_webhooks.includes('all') || drop_webhooks.includes(type) || break_endpoints.includes(via);
}
