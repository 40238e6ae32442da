import type { Limits } from './limits.js';
import type { Store } from './state/store.js';

/** Shared by all parts of the simulator. */
export interface Simulator {
  store: Store;
  limits: Limits;
  /** The only registered client: Holdfast. */
  clientId: string;
  clientSecret: string;
  /** Address of the identity service: `http://127.0.0.1:8126`. */
  baseUrl: string;
}
