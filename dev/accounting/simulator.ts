import type { Limits } from './limits.js';
import type { Store } from './state/store.js';

/** What every part of the simulator works with. */
export interface Simulator {
  store: Store;
  limits: Limits;
  /** The one app that is registered: Holdfast. */
  clientId: string;
  clientSecret: string;
  /** Issuer and API in one: `http://127.0.0.1:8126`. */
  baseUrl: string;
}
