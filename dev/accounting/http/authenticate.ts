import type { Context } from 'koa';
import type { Simulator } from '../simulator.js';
import type { AccessToken, Organisation } from '../state/records.js';
import type { Area } from './endpoint.js';
import { problem } from './errors.js';

/** The scopes that allow writing to an area. With the suffix `.read` they allow reading. */
const SCOPES: Record<Area, string[]> = {
  invoices: ['accounting.invoices'],
  payments: ['accounting.payments'],
  contacts: ['accounting.contacts'],
  settings: ['accounting.settings'],
};

/** The bearer token of a request. Throws a 401 if it is unknown or expired. */
export function authenticate({ store }: Simulator, ctx: Context): AccessToken {
  const [scheme = '', value = ''] = ctx.get('authorization').split(' ');
  const token = scheme.toLowerCase() === 'bearer' ? store.access_tokens.get(value) : undefined;
  if (!token) throw problem(401, 'Unauthorized', 'AuthenticationUnsuccessful');
  if (token.expires_at > Date.now()) return token;
  const when = new Date(token.expires_at).toISOString();
  throw problem(401, 'Unauthorized', `TokenExpired: token expired at ${when}`);
}

/** The organisation in the header. Throws a 403 unless the token's user has connected it. */
export function requireOrganisation({ store }: Simulator, ctx: Context, token: AccessToken): Organisation {
  const tenantId = ctx.get('xero-tenant-id');
  const connected = [...store.connections.values()].some(
    ({ tenant_id, user }) => tenant_id === tenantId && user === token.user,
  );
  const organisation = connected && store.organisations.get(tenantId);
  if (!organisation) throw problem(403, 'Forbidden', 'AuthenticationUnsuccessful');
  return organisation;
}

/** Throws a 401 unless the token has the scope. */
export function requireScope(token: AccessToken, area: Area, method: string): void {
  const granted = token.scope.split(' ');
  const enough = SCOPES[area].flatMap((scope) => (method === 'get' ? [scope, `${scope}.read`] : [scope]));
  if (enough.some((scope) => granted.includes(scope))) return;
  const headers = { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' };
  throw problem(401, 'Unauthorized', 'AuthorizationUnsuccessful', headers);
}
