import { createSigner } from '../../db/signed-links.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { isHttps } from '../../api/http/client.js';
import type { ApiContext } from '../../api/http/context.js';
import { DAY_MS } from '../../domain/durations.js';

/** Browsers keep no cookie for longer than about this. */
const REMEMBERED_DAYS = 400;
/** How many people a browser remembers. */
const MAX_PEOPLE = 5;

const cookieName = (secure: boolean): string => (secure ? '__Host-holdfast_devices' : 'holdfast_devices');

/** A person who signs in with a kind of browser. Sign-ins before `devices_since` do not count. */
interface SignIn {
  profile_id: string;
  device: string;
  devices_since: Date | null;
}

/**
 * Remembers in a cookie that a person has signed in with this browser
 * (docs/rules/credentials.md#new-devices). Returns whether they had before. The cookie has a signature of
 * each person and kind of browser, and names neither.
 */
export function rememberDevice(
  ctx: ApiContext,
  deps: Pick<ApiDependencies, 'encryption' | 'trustedProxies'>,
  { profile_id, device, devices_since }: SignIn,
): boolean {
  const { sign, verify } = createSigner(deps.encryption, 'holdfast:devices');
  const secure = isHttps(ctx, deps.trustedProxies);
  const text = `${profile_id}\n${device}\n${devices_since?.toISOString() ?? ''}`;
  const signatures = (ctx.cookies.get(cookieName(secure)) ?? '').split('.').slice(0, MAX_PEOPLE);
  const isKnown = signatures.some((signature) => verify(text, signature));
  const others = signatures.filter((signature) => signature && !verify(text, signature));
  ctx.cookies.set(cookieName(secure), [sign(text), ...others].slice(0, MAX_PEOPLE).join('.'), {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: REMEMBERED_DAYS * DAY_MS,
    overwrite: true,
  });
  return isKnown;
}
