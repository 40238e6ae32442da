import type { Context, Middleware } from 'koa';
import type { Principal } from '../../domain/policies.js';

/** What the middlewares of a route leave for its handler. */
export interface RequestState {
  requestId: string;
  /** Set by `authenticated`. */
  principal: Principal;
  /** Set by `validBody` and `validQuery`, already checked. */
  body: unknown;
  query: unknown;
}

export type ApiContext = Context & { state: RequestState; params: Record<string, string> };
export type Handler = (ctx: ApiContext, next: () => Promise<void>) => Promise<void>;

/** The route list's own type; koa's is wider than what our middlewares guarantee. */
export const route = (...handlers: Handler[]): Middleware[] => handlers as unknown as Middleware[];
