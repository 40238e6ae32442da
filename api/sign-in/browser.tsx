import { timingSafeEqual } from 'node:crypto';
import joi from 'joi';
import {
  deleteSession,
  type Session,
  SESSION_DAYS,
  touchSession,
} from '../../db/repositories/access/sessions.js';
import type { ApiDependencies } from '../app.js';
import { readBytes } from '../http/body.js';
import { cameByHttps } from '../http/client.js';
import { asApiError } from '../http/errors.js';
import type { ApiContext, BrowserSession, Handler } from '../http/context.js';
import { limiter } from '../http/limits.js';
import { validate } from '../http/validate.js';
import { showPage } from '../pages/layout.js';
import { csrfTokenOf, hashSecret, newSecret } from './secrets.js';

/** A page that can't be shown, said as a page. */
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

/** With https the cookie's name has browsers refuse it from any other host or path. */
const cookieName = (secure: boolean): string => (secure ? '__Host-holdfast' : 'holdfast');

type Deps = Pick<ApiDependencies, 'db' | 'trustedProxies'>;

/** Gives the browser the cookie of a new session; returns what is kept of its id. */
export function setSessionCookie(ctx: ApiContext, deps: Deps): Buffer {
  const id = newSecret();
  const secure = cameByHttps(ctx, deps.trustedProxies);
  const maxAge = SESSION_DAYS * 86_400_000;
  ctx.cookies.set(cookieName(secure), id, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge,
    overwrite: true,
  });
  return hashSecret(id);
}

/** Ends the request's session, if it has one. */
export async function endSession(ctx: ApiContext, deps: Deps): Promise<void> {
  const { session } = ctx.state;
  if (session) await deleteSession(deps.db.manager, session.id_hash);
  const secure = cameByHttps(ctx, deps.trustedProxies);
  ctx.cookies.set(cookieName(secure), null, { httpOnly: true, sameSite: 'lax', secure });
}

/** The session that a request's cookie names, or null. */
export async function sessionOf(ctx: ApiContext, deps: Deps): Promise<BrowserSession | null> {
  const id = ctx.cookies.get(cookieName(cameByHttps(ctx, deps.trustedProxies)));
  if (!id) return null;
  const id_hash = hashSecret(id);
  const session = await touchSession(deps.db.manager, id_hash);
  return session && { ...session, id_hash, csrf: csrfTokenOf(id) };
}

/** Where a person may be sent after sign-in: a page of ours, never another site. */
export function localPath(path: unknown): string {
  const isOurs =
    typeof path === 'string' &&
    path.length <= 2_000 &&
    /^\/(dashboard|account|oauth)\b[\x21-\x7e]*$/.test(path);
  return isOurs ? path : '/dashboard';
}

/** What a person has yet to do, by how far their sign-in has come. */
const NEXT_STEP = { second_factor: '/sign-in/code', enrolment: '/sign-in/authenticator' } as const;

/** Where a session goes next: the missing step, or where the person wanted to go. */
export const nextPage = (session: Session): string =>
  session.stage === 'complete' ? session.return_to : NEXT_STEP[session.stage];

/**
 * What every page for signed-in people and every form begins with: finds the session, refuses a form that came from
 * another site, counts what comes without a session against its address, and shows errors as pages.
 */
export function browser(deps: ApiDependencies): Handler {
  const limit = limiter(deps);
  return async (ctx, next) => {
    try {
      ctx.state.session = await sessionOf(ctx, deps);
      if (!ctx.state.session) await limit(ctx, { byAddress: true });
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') assertSameOrigin(ctx, deps);
      await next();
    } catch (error) {
      showError(ctx, deps, error);
    }
  };
}

/** What people are told of an error. What is ours to mend is no matter of the page's: it is noted in the log. */
export function identify(ctx: ApiContext, log: ApiDependencies['log'], error: unknown): string {
  const known = error instanceof PageError ? error : asApiError(error);
  if (known && known.status < 500) return known.message;
  log.error({ err: error, requestId: ctx.state.requestId, path: ctx.path }, 'page failed');
  return 'It has been noted. Try again in a moment.';
}

function showError(ctx: ApiContext, { log }: Pick<ApiDependencies, 'log'>, error: unknown): void {
  const known = error instanceof PageError ? error : asApiError(error);
  const told = identify(ctx, log, error);
  const wait = known && 'context' in known ? known.context.retry_after_ms : undefined;
  if (wait !== undefined) ctx.set('Retry-After', String(Math.ceil(wait / 1000)));
  const title =
    known instanceof PageError
      ? known.title
      : known
        ? 'That did not work'
        : 'Something went wrong on our side';
  showPage(ctx, known?.status ?? 500, {
    title,
    mark: 'bad',
    children: (
      <>
        <p role="alert">{told}</p>
        <p>
          <a href="/dashboard">To the dashboard</a>
        </p>
      </>
    ),
  });
}

/** Browsers name the site that a form was sent from. The host is ours as the browser knows it, or as we do. */
function assertSameOrigin(ctx: ApiContext, { publicUrl }: Pick<ApiDependencies, 'publicUrl'>): void {
  const origin = ctx.get('origin');
  const ours = [ctx.host, new URL(publicUrl).host];
  if (URL.canParse(origin) && ours.includes(new URL(origin).host)) return;
  throw new PageError(403, 'This form was not sent from here', 'Open the page again and send it from there.');
}

/** Lets in who is signed in; others are sent to what is missing, and come back afterwards. */
export const signedIn: Handler = async (ctx, next) => {
  const { session } = ctx.state;
  if (session?.stage === 'complete') return next();
  if (session) return ctx.redirect(nextPage(session));
  const wanted = ctx.method === 'GET' ? ctx.originalUrl : '/dashboard';
  ctx.redirect(`/sign-in?return_to=${encodeURIComponent(wanted)}`);
};

/** Reads and checks a form into `state.body`; with a session it must bring the session's own form token. */
export function pageForm(fields: Record<string, joi.Schema> = {}): Handler {
  const schema = joi.object({ ...fields, csrf: joi.string() });
  return async (ctx, next) => {
    if (!ctx.is('urlencoded')) throw new PageError(415, 'That did not work', 'Send the form from its page.');
    const fields = new URLSearchParams((await readBytes(ctx)).toString());
    const form = Object.fromEntries(
      [...fields.keys()].map((name) => {
        const values = fields.getAll(name);
        return [name, values.length > 1 ? values : values[0]!];
      }),
    );
    const { session } = ctx.state;
    if (session && !isSame(form.csrf, session.csrf)) {
      throw new PageError(403, 'This form has expired', 'Open the page again and send it from there.');
    }
    ctx.state.typed = form;
    ctx.state.body = validate(schema, form, true);
    await next();
  };
}

function isSame(given: unknown, expected: string): boolean {
  const [a, b] = [Buffer.from(String(given ?? '')), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
