import type joi from 'joi';
import type { Capability, Scope } from '../../domain/policies.js';
import type { Handler } from './context.js';

/**
 * What a route's middlewares require of a request. The API document is generated from it,
 * so the two cannot differ.
 */
export interface RouteFacts {
  /** A bearer token. */
  key?: true;
  /** A publishable key. */
  publishable?: true;
  scope?: Scope;
  capability?: Capability;
  query?: joi.Schema;
  body?: joi.Schema;
  /** The body may also be a form. */
  form?: true;
}

const FACTS = Symbol('route facts');
type WithFacts = { [FACTS]?: RouteFacts };

/** Attaches to a middleware what it requires. */
export const withFacts = (facts: RouteFacts, handler: Handler): Handler =>
  Object.assign(handler, { [FACTS]: facts });

/** What a list of middlewares requires, merged. */
export const mergeFacts = (middlewares: object[]): RouteFacts =>
  Object.assign({}, ...middlewares.map((middleware) => (middleware as WithFacts)[FACTS]));
