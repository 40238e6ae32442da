import { ApiError } from './errors.js';
import { isWithin, parseRange } from './ip-range.js';
import {
  hasScope,
  SCOPE_ACTIONS,
  SCOPE_RESOURCES,
  type KeyResource,
  type Role,
  type Scope,
  type ScopeAction,
  type ScopeResource,
} from './policies.js';

/** What a key may do, and from where; an empty allowlist means anywhere. */
export interface KeyScope {
  resources: KeyResource[];
  actions: ScopeAction[];
  ip_allowlist: string[];
}

/** Every scope there is: a resource's read, write and delete, and the members' invite. */
export const SCOPES: Scope[] = SCOPE_RESOURCES.flatMap((resource) =>
  SCOPE_ACTIONS.filter((action) => action !== 'invite' || resource === 'members').map(
    (action): Scope => `${resource}:${action}`,
  ),
);

/** The scopes that a key carries: resources × actions. */
export const scopesOf = (key: Pick<KeyScope, 'resources' | 'actions'>): Scope[] =>
  SCOPES.filter((scope) => hasScope(key, scope));

/** Refuses resources and actions that make no scope at all. Errors: 422 `validation_failed`. */
export function assertSomeScope(key: KeyScope): void {
  if (scopesOf(key).length > 0) return;
  const message = 'These resources and actions form no scope: invite applies to members only.';
  throw new ApiError('validation_failed', message, { param: 'scope.actions' });
}

/** The first thing that `inner` may and `outer` may not: a scope, or `ip_allowlist`; null if there is none. */
export function firstScopeBeyond(inner: KeyScope, outer: KeyScope): Scope | 'ip_allowlist' | null {
  const scope = scopesOf(inner).find((one) => !hasScope(outer, one));
  if (scope) return scope;
  const outside = (range: string): boolean =>
    !outer.ip_allowlist.some((allowed) => isWithin(parseRange(range)!, parseRange(allowed)!));
  const anywhere = inner.ip_allowlist.length === 0;
  const wider = outer.ip_allowlist.length > 0 && (anywhere || inner.ip_allowlist.some(outside));
  return wider ? 'ip_allowlist' : null;
}

/** owner > admin > billing_contact, member (decisions.md, "Members"). */
const RANK: Record<Role, number> = { member: 0, billing_contact: 0, admin: 1, owner: 2 };

/**
 * Refuses what would give a caller, or whoever they hand it to, more than they have: a key with a wider scope, or of
 * somebody with a higher role. Errors: 403 `auth_scope_insufficient`, `role_insufficient`.
 */
export function assertWithinCaller(caller: KeyScope & { role: Role }, key: KeyScope & { role: Role }): void {
  const required = firstScopeBeyond(key, caller);
  if (required) {
    const message = 'A key cannot create or rotate a key with more rights than its own.';
    throw new ApiError('auth_scope_insufficient', message, { details: { required } });
  }
  if (RANK[key.role] > RANK[caller.role])
    throw new ApiError(
      'role_insufficient',
      `The role ${caller.role} cannot issue keys for the role ${key.role}.`,
    );
}

/** Refuses a scope that is not a part of the old one. Errors: 422 `scope_not_narrower`. */
export function assertNarrower(scope: KeyScope, old: KeyScope): void {
  const excess = firstScopeBeyond(scope, old);
  if (!excess) return;
  const field =
    excess === 'ip_allowlist' ? excess : old.resources.includes(resourceOf(excess)) ? 'actions' : 'resources';
  const message = `A key's scope can only become narrower; ${excess} exceeds its current scope.`;
  throw new ApiError('scope_not_narrower', message, { param: `scope.${field}` });
}

const resourceOf = (scope: Scope): ScopeResource => scope.split(':')[0] as ScopeResource;
