import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Simulator } from '../simulator.js';
import type { Grant, Organisation, RefreshToken } from '../state/records.js';
import { signToken } from './jwt.js';

const ACCESS_LIFETIME_SECONDS = 30 * 60;
const REFRESH_LIFETIME_MS = 60 * 24 * 60 * 60_000;
/** An exchanged refresh token stays valid this long, in case the response was lost. */
const GRACE_MS = 30 * 60_000;

/** An error of the token endpoint: `{error: 'invalid_grant'}`. */
export class GrantError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Exchanges a code or a refresh token for new tokens. */
export function exchange(sim: Simulator, form: URLSearchParams): object {
  const type = form.get('grant_type');
  if (type === 'authorization_code') return issue(sim, redeemCode(sim, form));
  if (type === 'refresh_token') return issue(sim, redeemRefreshToken(sim, form.get('refresh_token') ?? ''));
  throw new GrantError('unsupported_grant_type');
}

/** Revokes a refresh token and, as Xero does, all connections of its user. */
export function revoke({ store }: Simulator, token: string): void {
  const user = store.refresh_tokens.get(token)?.grant.user;
  if (user === undefined) return;
  for (const [id, { grant }] of store.refresh_tokens.entries())
    if (grant.user === user) store.refresh_tokens.delete(id);
  for (const [id, connection] of store.connections.entries())
    if (connection.user === user) store.connections.delete(id);
}

/** Expires all access tokens, or those of one organisation's user. Returns their number. */
export function expireAccessTokens({ store }: Simulator, tenant?: string): number {
  const now = Date.now();
  const user = tenant && store.organisations.get(tenant)?.user;
  const valid = [...store.access_tokens.entries()].filter(
    ([, token]) => token.expires_at > now && (tenant === undefined || token.user === user),
  );
  for (const [id, token] of valid) store.access_tokens.set(id, { ...token, expires_at: now });
  return valid.length;
}

/** Deletes the refresh tokens of an organisation's user. Returns their number. */
export function forgetRefreshTokens({ store }: Simulator, { user }: Organisation): number {
  const own = [...store.refresh_tokens.entries()].filter(([, { grant }]) => grant.user === user);
  for (const [id] of own) store.refresh_tokens.delete(id);
  return own.length;
}

/** Redeems an authorization code, which works once and for the client that requested it. */
function redeemCode({ store }: Simulator, form: URLSearchParams): Grant {
  const code = form.get('code') ?? '';
  const found = store.codes.get(code);
  store.codes.delete(code);
  if (!found || found.expires_at <= Date.now() || found.redirect_uri !== form.get('redirect_uri'))
    throw new GrantError('invalid_grant');
  const verifier = form.get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  if (found.code_challenge !== null && found.code_challenge !== challenge)
    throw new GrantError('invalid_grant');
  return found.grant;
}

function redeemRefreshToken({ store }: Simulator, token: string): Grant {
  const found = store.refresh_tokens.get(token);
  const now = Date.now();
  const tooLate = (used: RefreshToken['used_at']) => used !== null && used <= now - GRACE_MS;
  if (!found || found.expires_at <= now || tooLate(found.used_at)) throw new GrantError('invalid_grant');
  store.refresh_tokens.set(token, { ...found, used_at: found.used_at ?? now });
  return { ...found.grant, nonce: null };
}

function issue({ store, baseUrl, clientId }: Simulator, grant: Grant): object {
  const { user, scope, auth_event_id, nonce } = grant;
  const now = Math.floor(Date.now() / 1000);
  const common = { iss: baseUrl, iat: now, nbf: now, sub: user, xero_userid: user };
  const access_token = signToken(store, {
    ...common,
    exp: now + ACCESS_LIFETIME_SECONDS,
    aud: `${baseUrl}/resources`,
    client_id: clientId,
    authentication_event_id: auth_event_id,
    jti: randomUUID(),
    scope: scope.split(' '),
  });
  store.access_tokens.set(access_token, {
    user,
    scope,
    expires_at: Date.now() + ACCESS_LIFETIME_SECONDS * 1000,
  });
  const response = { access_token, expires_in: ACCESS_LIFETIME_SECONDS, token_type: 'Bearer', scope };
  const scopes = scope.split(' ');
  return {
    ...response,
    ...(scopes.includes('openid') && {
      id_token: signToken(store, { ...common, exp: now + 300, aud: clientId, ...(nonce && { nonce }) }),
    }),
    ...(scopes.includes('offline_access') && { refresh_token: newRefreshToken() }),
  };

  function newRefreshToken(): string {
    const token = randomBytes(32).toString('base64url');
    store.refresh_tokens.set(token, { grant, expires_at: Date.now() + REFRESH_LIFETIME_MS, used_at: null });
    return token;
  }
}
