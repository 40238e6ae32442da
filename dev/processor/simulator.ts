import { settingsFor } from './settings.js';
import type { RefundMode } from './state/records.js';
import type { Store } from './state/store.js';
import type { Timers } from './timers.js';
import type { Webhooks } from './webhooks.js';

/** What every part of the simulator works with. */
export interface Simulator {
  store: Store;
  timers: Timers;
  webhooks: Webhooks;
  /** The platform's secret key. */
  secretKey: string;
  /** Where the hosted pages are: `http://127.0.0.1:12111`. */
  baseUrl: string;
}

/** The time as Stripe writes it. */
export function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** How an account's refunds end at the moment. */
export function refundMode({ store }: Simulator, account: string | null): RefundMode {
  return settingsFor(store, 'refund_mode', account).refund_mode ?? 'succeed';
}
