import type { Simulator } from '../simulator.js';
import type { ApiObject, Origin } from '../state/records.js';
import type { Parsed, Shape } from './params.js';

/** A validated API call. */
export interface Call<S extends Shape> {
  sim: Simulator;
  params: Parsed<S>;
  /** The id in the path; empty if there is none. */
  id: string;
  /** The account of the platform whose key was sent. */
  platform: string;
  account: string | null;
  /** The version of the API that the request asks for: `2026-08-26.dahlia`. */
  version: string;
  origin: Origin;
}

/** What identifies the object of a call. */
export type Target = Pick<Call<Shape>, 'sim' | 'id' | 'account'>;

/** An API method with its path and parameters. `run` is synchronous and is one transaction. */
export interface Endpoint<S extends Shape = Shape> {
  method: 'get' | 'post' | 'delete';
  path: string;
  params: S;
  run(call: Call<S>): ApiObject | object;
}

/** Defines an API method. */
export function endpoint<S extends Shape>(
  method: Endpoint['method'],
  path: string,
  params: S,
  run: (call: Call<S>) => object,
): Endpoint {
  return { method, path, params, run } as unknown as Endpoint;
}
