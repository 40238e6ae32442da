import type { Browser, StartedSession } from '../../commands/sign-in/start-session.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { isHttps } from '../../api/http/client.js';
import type { ApiContext } from '../../api/http/context.js';
import { DAY_MS } from '../../domain/durations.js';
import { parseDevice } from '../../domain/sign-in/device.js';
import { setSessionCookie } from '../ui/session.js';

type Deps = Pick<ApiDependencies, 'trustedProxies'>;

/** Browsers limit the lifetime of a cookie to about this long. */
const REMEMBERED_DAYS = 400;

/** The cookie of the people whom a browser remembers (docs/rules/credentials.md#new-devices). */
const cookieName = (secure: boolean): string => (secure ? '__Host-holdfast_devices' : 'holdfast_devices');

/** The browser of a request that signs in. */
export const readBrowser = (ctx: ApiContext, { trustedProxies }: Deps): Browser => ({
  device: parseDevice(ctx.get('user-agent')),
  devices: ctx.cookies.get(cookieName(isHttps(ctx, trustedProxies))) ?? '',
  session_hash: ctx.state.session?.id_hash ?? null,
});

/** Sets the cookies of a session that has started. */
export function setSignInCookies(ctx: ApiContext, deps: Deps, { token, devices }: StartedSession): void {
  setSessionCookie(ctx, deps, token);
  const secure = isHttps(ctx, deps.trustedProxies);
  ctx.cookies.set(cookieName(secure), devices, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: REMEMBERED_DAYS * DAY_MS,
    overwrite: true,
  });
}
