import type { Origin } from '../events.js';
import type { Simulator } from '../simulator.js';
import type { ApiObject } from '../state/records.js';
import type { Parsed, Shape } from './params.js';

/** One call of the API, checked and read. */
export interface Call<S extends Shape> {
  sim: Simulator;
  params: Parsed<S>;
  /** The id in the address; empty where there is none. */
  id: string;
  account: string | null;
  idempotencyKey: string | null;
  origin: Origin & { idempotency_key: string | null };
}

/** What it takes to find the object a call is about. */
export type Target = Pick<Call<Shape>, 'sim' | 'id' | 'account'>;

/** A method and a path with the parameters it takes. `run` is synchronous: it is one transaction. */
export interface Endpoint<S extends Shape = Shape> {
  method: 'get' | 'post' | 'delete';
  path: string;
  params: S;
  run(call: Call<S>): ApiObject | object;
}

/** Describes one call of the API. */
export function endpoint<S extends Shape>(
  method: Endpoint['method'],
  path: string,
  params: S,
  run: (call: Call<S>) => object,
): Endpoint {
  return { method, path, params, run } as unknown as Endpoint;
}
