import { createHmac } from 'node:crypto';
import { deleteSession, SESSION_DAYS, type Session, touchSession } from '../../commands/sign-in/sessions.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { isHttps } from '../../api/http/client.js';
import type { ApiContext, BrowserSession } from '../../api/http/context.js';
import { hashSecret, newSecret } from '../../db/secrets.js';
import { DAY_MS } from '../../domain/durations.js';

/** The `__Host-` prefix makes browsers refuse the cookie from other hosts and paths; it requires https. */
const cookieName = (secure: boolean): string => (secure ? '__Host-holdfast' : 'holdfast');

type Deps = Pick<ApiDependencies, 'db' | 'trustedProxies'>;

/**
 * The CSRF token of a session, which only the session's own token reveals: it is computed from that token, or
 * part of it (`successorToken`).
 */
const computeCsrfToken = (token: string): string =>
  token.split('.')[1] ?? createHmac('sha256', token).update('csrf').digest('base64url');

/**
 * A new token for a session that keeps its CSRF token, so that forms which are open in other tabs can still
 * be sent.
 */
export const successorToken = ({ csrf }: Pick<BrowserSession, 'csrf'>): string => `${newSecret()}.${csrf}`;

/**
 * Sets the cookie of a new session to its token. Returns the hash of the token, which is what is stored, and
 * the CSRF token of its forms.
 */
export function setSessionCookie(
  ctx: ApiContext,
  deps: Pick<Deps, 'trustedProxies'>,
  token: string,
): Pick<BrowserSession, 'id_hash' | 'csrf'> {
  const secure = isHttps(ctx, deps.trustedProxies);
  const maxAge = SESSION_DAYS * DAY_MS;
  ctx.cookies.set(cookieName(secure), token, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge,
    overwrite: true,
  });
  return { id_hash: hashSecret(token), csrf: computeCsrfToken(token) };
}

/** Ends the session of the request, if there is one. */
export async function endSession(ctx: ApiContext, deps: Deps): Promise<void> {
  const { session } = ctx.state;
  if (session) await deleteSession(deps.db.manager, session.id_hash);
  const secure = isHttps(ctx, deps.trustedProxies);
  ctx.cookies.set(cookieName(secure), null, { httpOnly: true, sameSite: 'lax', secure });
}

/** The session of the request's cookie, or null. */
export async function readSession(ctx: ApiContext, deps: Deps): Promise<BrowserSession | null> {
  const id = ctx.cookies.get(cookieName(isHttps(ctx, deps.trustedProxies)));
  if (!id) return null;
  const id_hash = hashSecret(id);
  const session = await touchSession(deps.db.manager, id_hash);
  return session && { ...session, id_hash, csrf: computeCsrfToken(id) };
}

/** Where a person is sent after signing in: a path of this service, never another site. */
export function localPath(path: unknown): string {
  const isLocal =
    typeof path === 'string' &&
    path.length <= 2_000 &&
    /^\/(dashboard|account|oauth)\b[\x21-\x7e]*$/.test(path);
  return isLocal ? path : '/dashboard';
}

const NEXT_STEP = { second_factor: '/sign-in/code', enrolment: '/sign-in/authenticator' } as const;

/** The next page of a session: the missing step, or the page that the person requested. */
export const nextPage = (session: Session): string => {
  if (session.stage === 'complete') return session.return_to;
  if (session.provider && session.stage === 'enrolment') return '/sso/second-factor';
  return NEXT_STEP[session.stage];
};
