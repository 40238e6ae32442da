import type { Context, Middleware } from 'koa';
import type { Site } from '../../commands/api-keys/authenticate-publishable.js';
import type { Principal } from '../../domain/policies.js';
import type { Session } from '../../commands/sign-in/sessions.js';
import type { Workspace } from '../../db/entities/workspaces.js';
import type { Membership } from '../../db/queries/members/membership.js';
import type { Language } from '../../domain/words/languages.js';
import type { Words } from '../../domain/words/words.js';
import type { SentFile } from './body.js';
import type { Deprecation } from './meta.js';

/** A session of a person's browser. */
export interface BrowserSession extends Session {
  id_hash: Buffer;
  /** The CSRF token that the session's forms must contain. */
  csrf: string;
}

/** How a workspace presents itself to its payers. */
export type Branding = Pick<Workspace, 'name' | 'logo_url' | 'accent_color' | 'locale'>;

/** What a route's middlewares pass on to its handler. */
export interface RequestState {
  requestId: string;
  /** Set by `authenticated`. */
  principal: Principal;
  /** Set by `publishable`. */
  site: Site;
  /** Set by pages of a workspace's payers: how it presents itself to them. */
  branding?: Branding;
  /** Set by pages of payers: the words in their language. Other pages are in English. */
  words?: Words;
  /** Set by `announce`: the deprecated things that a request uses. */
  deprecations?: Deprecation[];
  /** Set by booking pages: the languages in which they are offered. All languages if not set. */
  languages?: Language[];
  /** Set by booking pages: the origins of sites that may show them in a frame. */
  framedBy?: string[];
  /** Set by booking pages in a frame: the colours of the site that shows them. */
  frameScheme?: 'light' | 'dark' | 'auto';
  /** Set by `keepsAnswers`: the browser's Back shows the response again. */
  keepsAnswer?: boolean;
  /** Set by `browser`. */
  session?: BrowserSession | null;
  /** Set by `inWorkspace`. */
  membership?: Membership;
  /** Set by what writes times on a page of the dashboard: its foot names their zone. */
  showsTimes?: boolean;
  /** Set by `pageForm`: the form's fields, validated. */
  body: unknown;
  /** Set by `validQuery`, for pages that are shown with their query. */
  query: unknown;
  /** Set by `pageForm`: the form's fields as submitted. */
  submitted?: Record<string, string | string[]>;
  /** Set by `pageForm` for a form with a file. */
  file?: SentFile | null;
  /** Set by `redisplayOnError`, for the page that shows a rejected form again. */
  rejection?: FormRejection;
}

/** What is wrong with a form, for people, and the field that the problem is about. */
export interface Problem {
  field: string | null;
  message: string;
}

/** A form that was rejected: its address, its fields as submitted, and why. */
export interface FormRejection {
  action: string;
  submitted: Record<string, string | string[]>;
  problems: Problem[];
  /** The workspace has no working account at the processor. */
  lacksAccount?: boolean;
  /** The object was changed in the meantime. The form is shown again for the new version. */
  isStale?: boolean;
}

/** The context of a request whose body and query have been validated by `validBody` and `validQuery`. */
export type ApiContext<Body = unknown, Query = unknown> = Context & {
  state: RequestState & { body: Body; query: Query };
  params: Record<string, string>;
};
export type Handler<Body = unknown, Query = unknown> = (
  ctx: ApiContext<Body, Query>,
  next: () => Promise<void>,
) => Promise<void>;

/** A route's middlewares; koa's own type is wider than what ours guarantee. */
export const route = (...handlers: Handler[]): Middleware[] => handlers as unknown as Middleware[];
