import { nextFailure, type Failure } from '../simulator/failures.js';
import type { Store } from './state/store.js';

/** What goes wrong on purpose, and how narrow the rate limits are. */
export interface Faults {
  latency_ms: number;
  fail: Failure[];
  /** Calls an organisation may be asked in a minute, and in a day. */
  minute_limit: number;
  day_limit: number;
  /** How long a minute is, for tests that cannot wait for one. */
  minute_seconds: number;
}

/** Nothing goes wrong; the limits are Xero's. */
export const NO_FAULTS: Faults = {
  latency_ms: 0,
  fail: [],
  minute_limit: 60,
  day_limit: 5000,
  minute_seconds: 60,
};

/** Faults for everything are kept under this name; an organisation's under its tenant id. */
const EVERYTHING = 'settings';

/** The faults that apply to an organisation now: its own, or those set for everything. */
export function currentFaults(store: Store, tenant: string | null): Faults {
  return store.settings.get(scopeOf(store, tenant))?.faults ?? NO_FAULTS;
}

/** Sets the faults of an organisation, or, without one, all faults; `null` takes an organisation's back. */
export function setFaults(store: Store, tenant: string | null, faults: Faults | null): void {
  if (tenant === null) for (const key of store.settings.keys()) store.settings.delete(key);
  if (faults) store.settings.set(tenant ?? EVERYTHING, { faults });
  else store.settings.delete(tenant ?? EVERYTHING);
}

/** Takes the failure that is meant for this call, and counts it. */
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
