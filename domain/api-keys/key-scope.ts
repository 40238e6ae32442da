import { ApiError } from '../errors.js';
import { isWithin, parseRange, type IpRange } from '../ip-range.js';
import {
  authorize,
  hasScope,
  SCOPE_ACTIONS,
  SCOPE_RESOURCES,
  type KeyResource,
  type Principal,
  type Role,
  type Scope,
  type ScopeAction,
  type ScopeResource,
} from '../policies.js';

/**
 * The kinds of keys. `secret`: for programs, with the rights of a member. `publishable`: for websites on
 * which public guests book (docs/rules/credentials.md#publishable-keys).
 */
export const KEY_KINDS = ['secret', 'publishable'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a key permits, and from which addresses. An empty allowlist permits all addresses. */
export interface KeyScope {
  resources: KeyResource[];
  actions: ScopeAction[];
  ip_allowlist: string[];
}

/** All scopes: read, write and delete of each resource, and `members:invite`. */
export const SCOPES: Scope[] = SCOPE_RESOURCES.flatMap((resource) =>
  SCOPE_ACTIONS.filter((action) => action !== 'invite' || resource === 'members').map(
    (action): Scope => `${resource}:${action}`,
  ),
);

/** Lists the scopes of a key: all combinations of its resources and actions. */
export const listScopes = (key: Pick<KeyScope, 'resources' | 'actions'>): Scope[] =>
  SCOPES.filter((scope) => hasScope(key, scope));

/** Errors: 422 `validation_failed` if resources and actions do not result in any scope. */
export function assertSomeScope(key: KeyScope): void {
  if (listScopes(key).length > 0) return;
  const message =
    'This combination of resources and actions does not contain a scope. The action invite requires ' +
    'the resource members.';
  throw new ApiError('validation_failed', message, { param: 'scope.actions' });
}

/**
 * Returns the first part of `inner` that exceeds `outer` (a scope, or `ip_allowlist`); null if nothing does.
 */
function firstExcess(inner: KeyScope, outer: KeyScope): Scope | 'ip_allowlist' | null {
  const scope = listScopes(inner).find((one) => !hasScope(outer, one));
  if (scope) return scope;
  const allowedRanges = ({ ip_allowlist }: KeyScope): IpRange[] =>
    ip_allowlist.map((range) => parseRange(range)!);
  const [ranges, allowed] = [allowedRanges(inner), allowedRanges(outer)];
  const outside = (range: IpRange): boolean => !allowed.some((one) => isWithin(range, one));
  const wider = allowed.length > 0 && (ranges.length === 0 || ranges.some(outside));
  return wider ? 'ip_allowlist' : null;
}

/** owner > admin > billing_contact, front_desk, member (docs/rules/members.md#roles). */
const RANK: Record<Role, number> = { member: 0, front_desk: 0, billing_contact: 0, admin: 1, owner: 2 };

/**
 * Checks that a caller does not issue more rights than they have, by a key with a wider scope or for a member
 * with a higher role (docs/rules/credentials.md#scopes). Errors: 403 `auth_scope_insufficient`,
 * `role_insufficient`.
 */
export function assertWithinCaller(caller: KeyScope & { role: Role }, key: KeyScope & { role: Role }): void {
  const required = firstExcess(key, caller);
  if (required) {
    throw new ApiError(
      'auth_scope_insufficient',
      `A key cannot create or rotate a key that has more rights. The calling key lacks ${required}.`,
      { details: { required } },
    );
  }
  assertRank(caller.role, key.role, 'create or rotate');
}

/**
 * Checks that a caller may make another member's key expire earlier. It needs the rights of a revocation,
 * because it is a revocation at a later time. Errors: 403 `auth_scope_insufficient`, `role_insufficient`.
 */
export function assertCanEnd(
  caller: Pick<Principal, 'resources' | 'actions' | 'role'>,
  key: { role: Role },
): void {
  authorize(caller, 'credentials:delete', 'manage_keys');
  assertRank(caller.role, key.role, 'end');
}

/** Errors: 403 `role_insufficient` if the caller's role is below that of the key's member. */
function assertRank(caller: Role, member: Role, what: string): void {
  if (RANK[member] <= RANK[caller]) return;
  const message = `The role ${caller} cannot ${what} keys of members with the role ${member}.`;
  throw new ApiError('role_insufficient', message);
}

/** Errors: 422 `scope_not_narrower` if the scope exceeds the old one. */
export function assertNarrower(scope: KeyScope, old: KeyScope): void {
  const excess = firstExcess(scope, old);
  if (!excess) return;
  const field =
    excess === 'ip_allowlist'
      ? excess
      : old.resources.includes(scopeResource(excess))
        ? 'actions'
        : 'resources';
  const message =
    `The scope of a key can only be narrowed, and ${excess} exceeds its current scope. Create a new ` +
    'key instead.';
  throw new ApiError('scope_not_narrower', message, { param: `scope.${field}` });
}

const scopeResource = (scope: Scope): ScopeResource => scope.split(':')[0] as ScopeResource;
