import type joi from 'joi';
import type { Capability, Scope } from '../../domain/policies.js';
import type { Handler } from './context.js';

/** What a route's middlewares ask of a request. The API's document is read off these, so it can't say otherwise. */
export interface RouteFacts {
  /** A bearer token. */
  key?: true;
  scope?: Scope;
  capability?: Capability;
  query?: joi.Schema;
  body?: joi.Schema;
  /** The body may come as a form, too. */
  form?: true;
}

const FACTS = Symbol('route facts');
type Stated = { [FACTS]?: RouteFacts };

/** A middleware with what it asks written on it. */
export const stating = (facts: RouteFacts, handler: Handler): Handler =>
  Object.assign(handler, { [FACTS]: facts });

/** What a list of middlewares asks, all together. */
export const factsOf = (middlewares: object[]): RouteFacts =>
  Object.assign({}, ...middlewares.map((middleware) => (middleware as Stated)[FACTS]));
