import type { Store } from './state/store.js';

/** A call that is made to fail. */
export interface Failure {
  method?: string;
  /** A path, or the beginning of one with `*` at its end. */
  path: string;
  /** The status that is answered; 0 closes the connection without an answer. */
  status: number;
  /** For how many calls it holds. */
  times: number;
  /** Does the work first: the answer is lost, not the request. */
  after_effect: boolean;
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
  const failure = settings?.faults.fail.find((each) => matches(each, method, path));
  if (!settings || !failure) return undefined;
  const left = settings.faults.fail
    .map((each) => (each === failure ? { ...each, times: each.times - 1 } : each))
    .filter((each) => each.times > 0);
  store.settings.set('settings', { ...settings, faults: { ...settings.faults, fail: left } });
  return failure;
}

function matches(failure: Failure, method: string, path: string): boolean {
  if (failure.method && failure.method.toUpperCase() !== method) return false;
  return failure.path.endsWith('*') ? path.startsWith(failure.path.slice(0, -1)) : path === failure.path;
}
