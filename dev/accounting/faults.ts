import { nextFailure, type Failure } from '../simulator/failures.js';
import type { Faults } from './state/faults.js';
import type { Store } from './state/store.js';

/** Nothing goes wrong; the limits are Xero's. */
export const NO_FAULTS: Faults = {
  latency_ms: 0,
  fail: [],
  minute_limit: 60,
  day_limit: 5000,
  minute_seconds: 60,
};

/** The faults that are set now. */
export function currentFaults(store: Store): Faults {
  return store.settings.get('settings')?.faults ?? NO_FAULTS;
}

/** Takes the failure that is meant for this call, and counts it. */
export function takeFailure(store: Store, method: string, path: string): Failure | undefined {
  const faults = currentFaults(store);
  const next = nextFailure(faults.fail, method, path);
  if (!next) return undefined;
  store.settings.set('settings', { faults: { ...faults, fail: next.left } });
  return next.failure;
}
