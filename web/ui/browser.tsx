import { timingSafeEqual } from 'node:crypto';
import joi from 'joi';
import { takePage, takePageDocument } from '../../commands/api-keys/buckets.js';
import type { SessionProvider } from '../../commands/sign-in/sessions.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { readFields, readFileForm } from '../../api/http/body.js';
import { asApiError } from '../../api/http/errors.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { applyBucket, limiter } from '../../api/http/limits.js';
import { routePattern } from '../../api/http/telemetry.js';
import { typed } from '../../api/http/typed.js';
import { validate } from '../../api/http/validate.js';
import { wordsIn } from './language.js';
import { showPage } from './layout.js';
import { payerSentence } from './sentences.js';
import { nextPage, readSession } from './session.js';

export class PageError extends Error {
  override readonly name = 'PageError';

  constructor(
    readonly status: number,
    readonly title: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Lets the browser cache the response to a form, so that Back works: otherwise Chromium shows
 * `ERR_CACHE_MISS`, and other browsers say that the document has expired. For forms whose pages show no
 * secret (docs/rules/api.md#caching).
 */
export const keepsAnswers: Handler = (ctx, next) => {
  ctx.state.keepsAnswer = ctx.method === 'POST';
  return next();
};

/** Shows errors of pages and forms as pages. */
export function errorPages(deps: Pick<ApiDependencies, 'log'>): Handler {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      showError(ctx, deps, error);
    }
  };
}

/**
 * The first middleware of every page and form for browsers: finds the session, counts the request against its
 * person or without a session against its address, refuses forms from other sites, and shows errors as pages.
 */
export function browser(deps: ApiDependencies): Handler {
  const limit = limiter(deps);
  const shown = errorPages(deps);
  return (ctx, next) =>
    shown(ctx, async () => {
      ctx.state.session = await readSession(ctx, deps);
      const isForm = ctx.method !== 'GET' && ctx.method !== 'HEAD';
      const { session } = ctx.state;
      if (session)
        applyBucket(ctx, await takePage(deps.db.manager, countedAs(session), isForm, deps.buckets));
      else await limit(ctx, { byAddress: true });
      if (isForm) assertSameOrigin(ctx, deps);
      await next();
    });
}

/** Sessions through a provider have a rate limit separate from the person's own sessions. */
const countedAs = ({ profile_id, provider }: BrowserSession): string =>
  provider ? `${profile_id}_${provider.workspace_id}` : profile_id;

/** Counts a PDF or export against the person's rate limit. Errors: 429 `rate_limited`. */
export const countDocument =
  ({ db, buckets }: Pick<ApiDependencies, 'db' | 'buckets'>): Handler =>
  async (ctx, next) => {
    applyBucket(ctx, await takePageDocument(db.manager, countedAs(ctx.state.session!), buckets));
    await next();
  };

/**
 * An error's message for people: what is known about the request. Unexpected errors are
 * logged and not explained.
 */
export function publicMessage(ctx: ApiContext, log: ApiDependencies['log'], error: unknown): string {
  const known = error instanceof PageError ? error : asApiError(error);
  if (!known || known.status >= 500)
    log.error(
      { err: error, requestId: ctx.state.requestId, route: routePattern(ctx as never) },
      'page failed',
    );
  return known?.message ?? wordsIn(ctx).say('payer.error_is_logged');
}

function showError(ctx: ApiContext, { log }: Pick<ApiDependencies, 'log'>, error: unknown): void {
  const known = error instanceof PageError ? error : asApiError(error);
  const words = wordsIn(ctx);
  const isPayer = ctx.state.words !== undefined;
  const said = publicMessage(ctx, log, error);
  const message = isPayer && known instanceof ApiError ? payerSentence(words, known, said) : said;
  const wait = known && 'context' in known ? known.context.retry_after_ms : undefined;
  if (wait !== undefined) ctx.set('Retry-After', String(Math.ceil(wait / 1000)));
  const title =
    known instanceof PageError
      ? known.title
      : known
        ? words.say('payer.failed')
        : words.say('payer.wrong_on_our_side');
  showPage(ctx, known?.status ?? 500, {
    title,
    mark: 'bad',
    children: (
      <>
        <p role="alert">{message}</p>
        {!isPayer && (
          <p>
            <a href="/dashboard">Go to dashboard</a>
          </p>
        )}
      </>
    ),
  });
}

/** Whether an origin is this host, as the browser or the configuration names it. */
function isOwn(origin: string, ctx: ApiContext, { publicUrl }: Pick<ApiDependencies, 'publicUrl'>): boolean {
  return URL.canParse(origin) && [ctx.host, new URL(publicUrl).host].includes(new URL(origin).host);
}

const fromOtherSite = (ctx: ApiContext): PageError =>
  new PageError(403, wordsIn(ctx).say('payer.from_other_site'), wordsIn(ctx).say('payer.reload'));

/** Browsers send the origin of a form: it must be this host. */
function assertSameOrigin(ctx: ApiContext, deps: Pick<ApiDependencies, 'publicUrl'>): void {
  if (!isOwn(ctx.get('origin'), ctx, deps)) throw fromOtherSite(ctx);
}

/**
 * Rejects forms that another site makes the browser send, which could carry the cookie of a link that is open
 * in this browser. Pages of links have the referrer policy `no-referrer`, so their own forms have the origin
 * `null`. In browsers without `Sec-Fetch-Site`, `SameSite=Lax` protects the cookie. Programs send neither
 * header. Errors: 403.
 */
export function assertNotFromOtherSite(ctx: ApiContext, deps: Pick<ApiDependencies, 'publicUrl'>): void {
  const site = ctx.get('sec-fetch-site');
  const origin = ctx.get('origin');
  if (
    site
      ? site === 'same-origin' || site === 'none'
      : !origin || origin === 'null' || isOwn(origin, ctx, deps)
  )
    return;
  throw fromOtherSite(ctx);
}

/**
 * Requires that the person signed in by themselves: a session through one workspace's provider must not reach
 * what belongs to the person in all workspaces (docs/rules/single-sign-on.md#what-it-opens). Others are
 * redirected to the missing step and return afterwards.
 */
export const signedIn: Handler = async (ctx, next) => {
  const { session } = ctx.state;
  if (session?.provider && session.stage === 'complete') return showOwnSignIn(ctx, session.provider);
  return signedInAnyhow(ctx, next);
};

/** The same for pages of a workspace, which check themselves whether the session is for that workspace. */
export const signedInAnyhow: Handler = async (ctx, next) => {
  const { session } = ctx.state;
  if (session?.stage === 'complete') return next();
  if (session) return ctx.redirect(nextPage(session));
  const returnTo = ctx.method === 'GET' ? ctx.originalUrl : '/dashboard';
  ctx.redirect(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
};

/** Asks a person who is signed in through a provider to sign in by themselves. */
export function showOwnSignIn(ctx: ApiContext, { name, workspace_id }: SessionProvider): void {
  const returnTo = ctx.method === 'GET' ? ctx.originalUrl : '/dashboard';
  showPage(ctx, 403, {
    title: 'Sign in with your email address',
    children: (
      <>
        <p>You’re signed in through {name}, which gives you access to one workspace only.</p>
        <p>
          <a class="button" href={`/sign-in?return_to=${encodeURIComponent(returnTo)}`}>
            Sign in with your email address
          </a>
        </p>
        <p>
          <a href={`/dashboard/${workspace_id}`}>Back to workspace</a>
        </p>
      </>
    ),
  });
}

/**
 * Reads and validates a form into `state.body`; with `maxFileBytes` one with a file, into `state.file`. With
 * a session, the form must contain the session's CSRF token.
 */
export function pageForm(
  fields: Record<string, joi.Schema> = {},
  { maxFileBytes }: { maxFileBytes?: number } = {},
): Handler {
  const schema = typed(joi.object({ ...fields, csrf: joi.string() }));
  return async (ctx, next) => {
    const hasFile = maxFileBytes !== undefined && ctx.is('multipart/form-data');
    if (!hasFile && !ctx.is('urlencoded'))
      throw new PageError(415, 'This request failed', 'Submit the form from its page.');
    const form = await (hasFile ? submittedFile(ctx, maxFileBytes) : submitted(ctx));
    assertOwnForm(ctx, form.csrf);
    ctx.state.submitted = form;
    ctx.state.body = validate(schema, form, true);
    await next();
  };
}

/** Refuses a form without the CSRF token of the session, if there is one. Errors: 403. */
export function assertOwnForm({ state: { session } }: ApiContext, csrf: unknown): void {
  if (session && !isSame(csrf, session.csrf))
    throw new PageError(403, 'This form has expired', 'Reload the page and submit the form again.');
}

/**
 * The form of a page that a link opens: the link is the credential, so whoever has it may send
 * the form without the page.
 */
export function linkForm(fields: Record<string, joi.Schema> = {}): Handler {
  const schema = typed(joi.object(fields).options({ stripUnknown: true }));
  return async (ctx, next) => {
    ctx.state.body = validate(schema, await submitted(ctx), true);
    await next();
  };
}

type Submitted = Record<string, string | string[]>;

/** A repeated field becomes a list. */
const toSubmitted = (fields: Map<string, string[]>): Submitted =>
  Object.fromEntries([...fields].map(([name, values]) => [name, values.length > 1 ? values : values[0]!]));

export const submitted = async (ctx: ApiContext): Promise<Submitted> => toSubmitted(await readFields(ctx));

/** The same of a form with a file. */
async function submittedFile(ctx: ApiContext, maxBytes: number): Promise<Submitted> {
  const { fields, file } = await readFileForm(ctx, maxBytes);
  ctx.state.file = file;
  return toSubmitted(fields);
}

function isSame(given: unknown, expected: string): boolean {
  const [a, b] = [Buffer.from(String(given ?? '')), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
