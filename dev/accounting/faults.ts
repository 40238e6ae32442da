import { nextFailure, type Failure } from '../simulator/failures.js';
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

/** Key of the faults for all organisations. Those of one organisation have its tenant id as the key. */
const EVERYTHING = 'settings';

/** The faults that apply to an organisation now: its own if it has any, otherwise those for all. */
export function currentFaults(store: Store, tenant: string | null): Faults {
  return store.settings.get(scopeOf(store, tenant))?.faults ?? NO_FAULTS;
}

/** Replaces the faults of an organisation, or without a tenant all faults. `null` clears those of the organisation. */
export function setFaults(store: Store, tenant: string | null, faults: Faults | null): void {
  if (tenant === null) for (const key of store.settings.keys()) store.settings.delete(key);
  if (faults) store.settings.set(tenant ?? EVERYTHING, { faults });
  else store.settings.delete(tenant ?? EVERYTHING);
}

/** Returns the failure that applies to a call, and counts it. */
export function takeFailure(
  store: Store,
  tenant: string | null,
  method: string,
  path: string,
): Failure | undefined {
  const faults = currentFaults(store, tenant);
  const next = nextFailure(faults.fail, method, path);
  if (!next) return undefined;
  store.settings.set(scopeOf(store, tenant), { faults: { ...faults, fail: next.left } });
  return next.failure;
}

function scopeOf(store: Store, tenant: string | null): string {
  return tenant !== null && store.settings.get(tenant) ? tenant : EVERYTHING;
}
