import type { Organisation } from '../state/records.js';
import type { Simulator } from '../simulator.js';

/** A part of the API. Each corresponds to one of Xero's granular scopes. */
export type Area = 'invoices' | 'payments' | 'contacts' | 'settings';

/** A validated API call. */
export interface Call {
  sim: Simulator;
  organisation: Organisation;
  path: string;
  query: Query;
  /** The parsed body; undefined for a GET. */
  body: unknown;
  /** The id in the path; empty if there is none. */
  id: string;
  idempotencyKey: string | null;
}

/** The query. Repeated names are joined with commas. */
export type Query = Record<string, string | undefined>;

/**
 * An API method with its path. `run` is synchronous and is one transaction, which is reverted if it throws.
 */
export interface Endpoint {
  method: 'get' | 'put' | 'post';
  path: string;
  area: Area;
  /** Returns the content of the response's envelope: `{Invoices: […]}`. */
  run(call: Call): object;
}

/** Defines an API method. */
export function endpoint(
  method: Endpoint['method'],
  path: string,
  area: Area,
  run: (call: Call) => object,
): Endpoint {
  return { method, path: `/api.xro/2.0${path}`, area, run };
}
