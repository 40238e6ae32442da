import type { Organisation } from '../state/records.js';
import type { Simulator } from '../simulator.js';

/** What a token must allow; each word stands for one of Xero's scopes and its wider or older relatives. */
export type Area = 'invoices' | 'payments' | 'contacts' | 'settings';

/** One call of the API, checked and read. */
export interface Call {
  sim: Simulator;
  organisation: Organisation;
  query: Query;
  /** What was sent; undefined for a GET. */
  body: unknown;
  /** The id in the address; empty where there is none. */
  id: string;
  idempotencyKey: string | null;
}

/** The query, each name once. */
export type Query = Record<string, string | undefined>;

/** A method and a path. `run` is synchronous: it is one transaction, taken back when it throws. */
export interface Endpoint {
  method: 'get' | 'put' | 'post';
  path: string;
  area: Area;
  /** Gives what the answer holds beside the envelope: `{Invoices: […]}`. */
  run(call: Call): object;
}

/** Describes one call of the API. */
export function endpoint(
  method: Endpoint['method'],
  path: string,
  area: Area,
  run: (call: Call) => object,
): Endpoint {
  return { method, path: `/api.xro/2.0${path}`, area, run };
}
