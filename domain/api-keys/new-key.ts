import { DAY_MS } from '../durations.js';
import { ApiError, invalidField } from '../errors.js';
import type { Principal } from '../policies.js';
import { assertCanEnd, assertNarrower, assertSomeScope, type KeyKind, type KeyScope } from './key-scope.js';

const DEFAULT_DAYS = 90;

/** The expiry of a key that does not expire. */
const NO_EXPIRY = new Date('9999-12-31T00:00:00Z');

/** A key to be created. Missing parts of its scope are taken from the caller. */
export interface NewKey {
  name: string;
  kind?: KeyKind;
  origins?: string[];
  room_ids?: string[] | null;
  member_id?: string;
  expires_at?: Date;
  scope: Partial<KeyScope>;
}

/** A change of a key. Missing parts of its scope stay the same. */
export type KeyChanges = Partial<Pick<NewKey, 'name' | 'expires_at' | 'scope'>>;

/** All publishable keys permit the same, which is not a right of any member. */
const NO_SCOPE: KeyScope = { resources: [], actions: [], ip_allowlist: [] };

/** What a key needs to create a publishable key, with which public guests read rooms and book. */
const PUBLISHABLE_RIGHTS = {
  resources: ['calendar'],
  actions: ['read', 'write'],
} satisfies Partial<KeyScope>;

/** Errors: 422 for fields that only the other kind of key has. */
function assertFieldsOfKind({ kind = 'secret', scope, ...key }: NewKey): void {
  if (kind === 'publishable') {
    if (!key.origins) throw invalidField('origins', 'is required for a publishable key');
    if (Object.keys(scope).length > 0) throw invalidField('scope', 'is only allowed for secret keys');
    for (const field of ['member_id', 'expires_at'] as const)
      if (key[field] !== undefined) throw invalidField(field, 'is only allowed for secret keys');
    return;
  }
  for (const field of ['origins', 'room_ids'] as const)
    if (key[field] !== undefined) throw invalidField(field, 'is only allowed for publishable keys');
}

/**
 * Returns the key that is created at `now`: by default for the caller, with their scope and for 90 days.
 * `needs` is what the caller needs to create it. Errors: 422 if resources and actions do not result in any
 * scope, or for fields of the other kind of key.
 */
export function newKey(sent: NewKey, caller: Principal, now: Date) {
  const { name, kind = 'secret', origins = [], room_ids = null, member_id = caller.member_id } = sent;
  const { resources, actions, ip_allowlist } = caller;
  const isPublic = kind === 'publishable';
  const own = { resources, actions, ip_allowlist };
  const scope: KeyScope = isPublic ? NO_SCOPE : { ...own, ...sent.scope };
  if (!isPublic) assertSomeScope(scope);
  assertFieldsOfKind(sent);
  const expires_at = sent.expires_at ?? new Date(now.getTime() + DEFAULT_DAYS * DAY_MS);
  return {
    columns: {
      name,
      kind,
      origins,
      room_ids,
      member_id,
      ...scope,
      expires_at: isPublic ? NO_EXPIRY : expires_at,
    },
    needs: isPublic ? { ...own, ...PUBLISHABLE_RIGHTS } : scope,
    /** The fields of its audit entry. */
    limits: isPublic ? { kind, origins, room_ids } : { scope, expires_at: expires_at.toISOString() },
  };
}

/**
 * Returns a key with a new name, a narrower scope or an earlier expiry. For another member's key, a narrower
 * scope and an earlier expiry need the same rights as its revocation, since they can make the key useless,
 * and a role that is not below that member's. Errors: 403 `auth_scope_insufficient`, `role_insufficient`; 422
 * `scope_not_narrower`, or `validation_failed` if no scope would be left.
 */
export function narrowedKey(
  key: KeyScope & Parameters<typeof assertCanEnd>[1] & { name: string; member_id: string; expires_at: Date },
  { name = key.name, expires_at = key.expires_at, scope }: KeyChanges,
  caller: Principal,
) {
  const narrowed = { ...key, ...scope, name, expires_at };
  assertSomeScope(narrowed);
  assertNarrower(narrowed, key);
  if (expires_at > key.expires_at) {
    const message = 'expires_at must not be later than the current expires_at of the key.';
    throw new ApiError('scope_not_narrower', message, { param: 'expires_at' });
  }
  const isNarrower = expires_at < key.expires_at || scope !== undefined;
  if (isNarrower && key.member_id !== caller.member_id) assertCanEnd(caller, key);
  const { resources, actions, ip_allowlist } = narrowed;
  return { name, resources, actions, ip_allowlist, expires_at };
}

/** Returns the error for a key that the workspace does not have. */
export const noSuchKey = (): ApiError => new ApiError('key_not_found', 'No such API key.');
