import type { Context, Middleware } from 'koa';
import type { Principal } from '../../domain/policies.js';
import type { Session } from '../../db/repositories/access/sessions.js';
import type { Membership } from '../../db/repositories/members/membership-queries.js';

/** The session of a person's browser. */
export interface BrowserSession extends Session {
  id_hash: Buffer;
  /** What the session's forms must bring back. */
  csrf: string;
}

/** What the middlewares of a route leave for its handler. */
export interface RequestState {
  requestId: string;
  /** Set by `authenticated`. */
  principal: Principal;
  /** Set by `browser`. */
  session?: BrowserSession | null;
  /** Set by `inWorkspace`. */
  membership?: Membership;
  /** Set by `validBody`, `validForm` and `validQuery`, already checked. */
  body: unknown;
  query: unknown;
  /** Set by `pageForm`: a form's fields as they came. */
  typed?: Record<string, string | string[]>;
  /** Set by `orAgain`, for the page that shows a refused form again. */
  refusal?: Refusal;
}

/** What is wrong with a form, in people's words, and which field it is about. */
export interface Problem {
  field: string | null;
  words: string;
}

/** A form that was not taken: where it was sent, with what, and why not. */
export interface Refusal {
  action: string;
  typed: Record<string, string | string[]>;
  problems: Problem[];
}

export type ApiContext = Context & { state: RequestState; params: Record<string, string> };
export type Handler = (ctx: ApiContext, next: () => Promise<void>) => Promise<void>;

/** The route list's own type; koa's is wider than what our middlewares guarantee. */
export const route = (...handlers: Handler[]): Middleware[] => handlers as unknown as Middleware[];
