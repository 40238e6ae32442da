import { settingsFor } from '../simulator/settings.js';
import type { Faults } from './state/faults.js';
import type { Store } from './state/store.js';

/** No faults, and Xero's limits. */
export const NO_FAULTS: Faults = {
  latency_ms: 0,
  fail: [],
  minute_limit: 60,
  day_limit: 5000,
  minute_seconds: 60,
  day_seconds: 24 * 60 * 60,
};

/** The faults that apply to an organisation now: its own if it has any, otherwise those for all. */
export function currentFaults(store: Store, tenant: string | null): Faults {
  return settingsFor(store.settings, 'faults', tenant).faults ?? NO_FAULTS;
}
