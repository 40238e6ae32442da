import type { ApiDependencies } from '../../api/dependencies.js';
import { isHttps } from '../../api/http/client.js';
import type { ApiContext } from '../../api/http/context.js';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.js';
import { ENGLISH } from '../../domain/words/words.js';

/** How long a browser keeps what a link has opened; the link opens it again. */
const HOURS = 24;

/**
 * How long the redirect target of a link works without the cookie, for programs and browsers that keep none.
 */
const OPENED_MS = MINUTE_MS;

type Deps = Pick<ApiDependencies, 'trustedProxies' | 'encryption'>;
type CookieDeps = Pick<ApiDependencies, 'trustedProxies'>;

/** Not `__Host-`, which requires the path `/`. */
const cookieName = (secure: boolean): string => (secure ? '__Secure-holdfast_link' : 'holdfast_link');

/**
 * Removes the token of a link from the browser's address (docs/rules/credentials.md#links) and keeps it in a
 * cookie for the pages at `path`, so that several links can be open in one browser, each at its own path.
 * Pages that are opened from here do not learn the link's address.
 */
export function keepToken(ctx: ApiContext, deps: CookieDeps, path: string, token: string): void {
  const secure = isHttps(ctx, deps.trustedProxies);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.cookies.set(cookieName(secure), token, {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: HOURS * HOUR_MS,
    overwrite: true,
  });
}

/** The token of the link that this browser opened for the pages at this path, or null. */
export const keptToken = (ctx: ApiContext, deps: CookieDeps): string | null =>
  ctx.cookies.get(cookieName(isHttps(ctx, deps.trustedProxies))) ?? null;

/** A token that a request has, which may be forged. */
interface GivenToken {
  token: string;
  /** In the address: the link was just followed, or a program uses it. */
  isInAddress: boolean;
}

/** What `opened` in an address is encrypted for. */
const CONTEXT = 'opened-link';

/** The token that the query contains, encrypted, in `opened`; null without it, and after it has expired. */
function openedToken(ctx: ApiContext, { encryption }: Deps): string | null {
  const { opened } = ctx.query;
  if (typeof opened !== 'string') return null;
  try {
    const [until, token] = encryption.decrypt(Buffer.from(opened, 'base64url'), CONTEXT).split(' ');
    return Number(until) > Date.now() ? token! : null;
  } catch {
    return null;
  }
}

/**
 * The token of a request to a page at `/…/:token`, where a token or the id in it is; null for an id without
 * its cookie, unless the link was opened a moment ago.
 */
export function readGivenToken(ctx: ApiContext, deps: Deps): GivenToken | null {
  const given = ctx.params.token!;
  if (given.includes('.')) return { token: given, isInAddress: true };
  const isOfId = (token: string | null): token is string => token?.startsWith(`${given}.`) ?? false;
  const [kept, opened] = [keptToken(ctx, deps), openedToken(ctx, deps)];
  if (isOfId(kept)) return { token: kept, isInAddress: isOfId(opened) };
  return isOfId(opened) ? { token: opened, isInAddress: false } : null;
}

/**
 * Redirects a browser that followed a link to the same page at `path` without the token and, once the cookie
 * has come back, to an address without any part of the link. Call after `keepToken`.
 */
export function leaveToken(ctx: ApiContext, { encryption }: Deps, path: string, token: string): void {
  const query = new URLSearchParams(ctx.querystring);
  if (query.has('opened')) query.delete('opened');
  else {
    const opened = encryption.encrypt(`${Date.now() + OPENED_MS} ${token}`, CONTEXT);
    query.set('opened', opened.toString('base64url'));
  }
  const search = query.size > 0 ? `?${query}` : '';
  ctx.status = 303;
  // What follows the token, such as `/move`, stays. Mail gateways encode the token's characters.
  const page = ctx.path.split('/').slice(path.split('/').length);
  ctx.redirect([path, ...page].join('/') + search);
}

/** The same for a page whose address only ends with the token: returns whether the browser was sent on. */
export function hasLeftToken(ctx: ApiContext, deps: Deps, path: string, given: GivenToken): boolean {
  if (!given.isInAddress || ctx.method === 'POST') return false;
  keepToken(ctx, deps, path, given.token);
  leaveToken(ctx, deps, path, given.token);
  return true;
}

/** Forgets the link that has opened the pages at `path`. */
export function forgetToken(ctx: ApiContext, deps: CookieDeps, path: string): void {
  const secure = isHttps(ctx, deps.trustedProxies);
  ctx.cookies.set(cookieName(secure), null, { path, httpOnly: true, sameSite: 'lax', secure });
}

/** Explains that the link's cookie is missing. */
export const noCookie = (): string => ENGLISH.say('payer.no_cookie');
