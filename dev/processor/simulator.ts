import { settingsFor } from '../simulator/settings.js';
import type { RefundMode, Via } from './state/records.js';
import type { Store } from './state/store.js';
import type { Timers } from './timers.js';
import type { Webhooks } from './webhooks.js';

/** Shared by all parts of the simulator. */
export interface Simulator {
  store: Store;
  timers: Timers;
  webhooks: Webhooks;
  /** The secrets that registrations get; a random one where there is none. */
  webhookSecrets: Partial<Record<Via, string>>;
  /** The platform's secret key. */
  secretKey: string;
  /** Address of the hosted pages: `http://127.0.0.1:12111`. */
  baseUrl: string;
}

/** The time in Unix seconds. */
export function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** The current refund mode of an account. */
export function refundMode({ store }: Simulator, account: string | null): RefundMode {
  return settingsFor(store.settings, 'refund_mode', account).refund_mode ?? 'succeed';
}
