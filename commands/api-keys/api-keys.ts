import type { DataSource } from 'typeorm';
import { DAY_SECONDS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { assertWithinCaller } from '../../domain/api-keys/key-scope.js';
import {
  narrowedKey,
  newKey,
  noSuchKey,
  type KeyChanges,
  type NewKey as KeySent,
} from '../../domain/api-keys/new-key.js';
import { presentApiKey, presentCreatedApiKey, presentRotation } from '../../domain/api-keys/presenter.js';
import type { Principal, Role } from '../../domain/policies.js';
import { isId, newId } from '../../db/ids.js';
import { affected, execute, many, maybeOne, one } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { ApiKey, ApiToken } from '../../db/entities/access.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit, auditEdit, type Actor } from '../audit-log/audit.js';
import { findApiKey, findRotation, type ApiKeyRow } from '../../db/queries/api-keys/api-key.js';
import { deleteFeeds } from '../feeds/feeds.js';
import { deleteAuthorizations } from '../applications/artifacts.js';
import { findApplicationGrant, lockGrants } from '../applications/keys.js';
import { enqueueMail } from '../mail/mails.js';
import { assertRooms } from '../rooms/known-rooms.js';
import { bindKey, type Created, type IdempotencyKey } from './idempotency.js';

/** A new token: the plaintext, which is shown once, and its stored form. */
interface MintedToken {
  token: string;
  record: TokenRecord;
}

/**
 * Creates a key for the caller, or for another member whose role is no higher than the caller's
 * (docs/rules/credentials.md#scopes). Its scope never exceeds that of the calling key. For a publishable key
 * (docs/rules/credentials.md#publishable-keys) the caller must be allowed to read and write the calendar. A
 * repeat returns the key without its secret token. Errors: 403 `auth_scope_insufficient`,
 * `role_insufficient`; 404 `member_not_found`; 409 `idempotency_conflict`, `too_many_keys`; 422.
 */
export async function createApiKey(
  db: DataSource,
  caller: Principal,
  sent: KeySent,
  { token, record }: MintedToken,
  idempotency: IdempotencyKey | null,
): Promise<Created<ReturnType<typeof presentCreatedApiKey>>> {
  const { workspace_id } = caller;
  const { columns, needs, limits } = newKey(sent, caller, new Date());
  const { name, kind, member_id, room_ids } = columns;
  return transaction(db, async (tx) => {
    const role = await lockIssueeRole(tx, workspace_id, member_id);
    if (!role) throw new ApiError('member_not_found', 'No such member.', { param: 'member_id' });
    assertWithinCaller(caller, { ...needs, role });
    await assertRooms(tx, workspace_id, 'room_ids', room_ids);
    const id = newId('key');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    const isNew = bound === id;
    if (isNew) {
      await assertRoomForKey(tx, workspace_id);
      const public_token = kind === 'publishable' ? token : null;
      await insertApiKey(tx, { ...columns, id, workspace_id, public_token, token: record, by: caller });
      const details = { name, fingerprint: record.fingerprint, member_id, ...limits };
      await audit(tx, caller, { action: 'api_key.created', object: id, details });
      await enqueueMail(tx, { kind: 'api_key_created', workspace_id, about: id });
    }
    const key = (await findApiKey(tx, workspace_id, bound))!;
    return { object: presentCreatedApiKey(key, isNew ? token : null), isNew };
  });
}

/** The fields of a key that can change, as the audit log records them. */
const changeable = ({ name, scope, expires_at }: ReturnType<typeof presentApiKey>) => ({
  name,
  scope,
  expires_at,
});

/**
 * Renames a key, narrows its scope or makes it expire earlier. Errors: 403 `auth_scope_insufficient`,
 * `role_insufficient`; 404 `key_not_found`; 409 `key_not_live`; 422 `scope_not_narrower`.
 */
export const narrowApiKey = (
  db: DataSource,
  caller: Principal,
  id: string,
  sent: KeyChanges,
): Promise<ReturnType<typeof presentApiKey>> =>
  transaction(db, async (tx) => {
    const key = await lockLiveKey(tx, caller.workspace_id, id);
    await tx.update(ApiKey, { id }, narrowedKey(key, sent, caller));
    const before = changeable(presentApiKey(key));
    const after = presentApiKey((await findApiKey(tx, caller.workspace_id, id))!);
    const edit = { action: 'api_key.narrowed', object: id, before, after: changeable(after) };
    await auditEdit(tx, caller, { ...edit, details: { fingerprint: key.fingerprint } });
    return after;
  });

/**
 * Gives a key a new token, which is valid immediately. The previous one stays valid for the given number of
 * days (docs/rules/credentials.md#rotation). Id, scope and expiry stay. A repeat does not rotate again and
 * returns the original rotation with a null token. Errors: 403 if the key has more rights than the calling
 * key; 404 `key_not_found`; 409 `key_not_live`.
 */
export const rotateApiKey = (
  db: DataSource,
  caller: Principal,
  { id, graceDays }: { id: string; graceDays: number },
  { token, record }: MintedToken,
  idempotency: IdempotencyKey | null,
): Promise<ReturnType<typeof presentRotation>> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    const newest = newId('rot');
    const rotation_id = await bindKey(tx, workspace_id, idempotency, newest);
    const isNew = rotation_id === newest;
    if (isNew) {
      const key = await lockLiveKey(tx, workspace_id, id);
      assertWithinCaller(caller, key);
      const ends = await rotateToken(tx, caller, key, { ...record, rotation_id }, graceDays * DAY_SECONDS);
      const details = {
        rotation_id,
        fingerprint: record.fingerprint,
        previous_fingerprint: key.fingerprint,
        previous_expires_at: ends.toISOString(),
      };
      await audit(tx, caller, { action: 'api_key.rotated', object: id, details });
    }
    const rotation = await findRotation(tx, workspace_id, id, rotation_id);
    return presentRotation({ ...rotation, key_id: id, rotation_id }, isNew ? token : null);
  });

/**
 * Revokes a key permanently (docs/rules/credentials.md#revocation). Does nothing if it is already revoked.
 * Errors: 404 `key_not_found`.
 */
export const revokeApiKey = (db: DataSource, caller: Principal, id: string): Promise<void> =>
  transaction(db, async (tx) => {
    if (!(await lockApiKey(tx, caller.workspace_id, id))) throw noSuchKey();
    await revokeApiKeys(tx, caller, { id }, 'revoked_by_member');
  });

/** Revokes every key of the workspace, including the caller's. Returns how many were revoked. */
export const revokeAllApiKeys = (db: DataSource, caller: Principal): Promise<number> =>
  transaction(db, (tx) => revokeApiKeys(tx, caller, {}, 'revoked_by_member'));

/**
 * Returns a key of a workspace, locked until the transaction ends; null if there is none. Every change of a
 * key takes this lock first.
 */
async function lockApiKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow | null> {
  if (isId('key', id))
    await execute(tx, `SELECT FROM api_keys WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
      id,
      workspaceId,
    ]);
  return findApiKey(tx, workspaceId, id);
}

/**
 * Returns a valid secret key, locked. Errors: 404 `key_not_found`; 409 `key_not_live` for a revoked or
 * expired key; 422 for a publishable key.
 */
async function lockLiveKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow> {
  const key = await lockApiKey(tx, workspaceId, id);
  if (!key) throw noSuchKey();
  if (key.revoked_at || key.expires_at <= new Date())
    throw new ApiError(
      'key_not_live',
      'This key has been revoked or has expired, so it can no longer be changed. Create a new key.',
    );
  if (key.kind === 'publishable')
    throw new ApiError(
      'validation_failed',
      'A publishable key has no scope, expiry or secret to change. Create another key, then revoke ' +
        'this one.',
      { param: 'id' },
    );
  return key;
}

/**
 * Returns the role of a member for whom a key can be issued, locked so that it does not change until the key
 * is stored; null for an archived, erased or unknown member.
 */
async function lockIssueeRole(tx: Tx, workspaceId: string, memberId: string): Promise<Role | null> {
  const member = await maybeOne<{ role: Role }>(
    tx,
    `SELECT role FROM members WHERE id = $1 AND workspace_id = $2 AND status NOT IN ('archived', 'deleted')
     FOR SHARE`,
    [memberId, workspaceId],
  );
  return member?.role ?? null;
}

/** The maximum number of live keys of a workspace, without OAuth grants. */
const MAX_LIVE_KEYS = 100;

/**
 * Serializes the creation of a workspace's keys until the transaction ends. Errors: 409 `too_many_keys` if it
 * already has the maximum number of live keys.
 */
async function assertRoomForKey(tx: Tx, workspaceId: string): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('api_keys'), hashtext($1))`, [workspaceId]);
  const live = await affected(
    tx,
    `SELECT FROM api_keys
     WHERE workspace_id = $1 AND oauth_grant_id IS NULL AND revoked_at IS NULL AND expires_at > now()
       LIMIT $2`,
    [workspaceId, MAX_LIVE_KEYS],
  );
  if (live < MAX_LIVE_KEYS) return;
  const message =
    `A workspace can have at most ${MAX_LIVE_KEYS} live keys. ` +
    'Revoke keys that you no longer use, then try again.';
  throw new ApiError('too_many_keys', message);
}

/** The stored form of a token: its SHA-256 and two shortened forms. */
type TokenRecord = Pick<ApiToken, 'hash' | 'fingerprint' | 'prefix'>;

/** The members who create a token, and their role. Empty for members who create their own token. */
type Issuers = Pick<ApiToken, 'issuer_ids' | 'issuer_role'>;
const NO_ISSUERS: Issuers = { issuer_ids: [], issuer_role: null };

/**
 * Returns the issuers of a token that the caller creates for a member: those who may know it besides that
 * member. If the caller's own token was issued by others, any of them may be the caller.
 */
function issuersFor(caller: Principal, memberId: string): Issuers {
  const issuer_ids = [...new Set([caller.member_id, ...caller.issuer_ids])].filter((id) => id !== memberId);
  return { issuer_ids, issuer_role: issuer_ids.length > 0 ? caller.role : null };
}

/** Returns who may know a token that the caller creates for a member, besides that member. */
async function knownBy(tx: Tx, caller: Principal, memberId: string) {
  return { ...issuersFor(caller, memberId), granted_by: await findApplicationGrant(tx, caller) };
}

type NewKey = Pick<ApiKey, 'workspace_id' | 'member_id' | 'name' | 'resources' | 'actions' | 'expires_at'> &
  Partial<
    Pick<
      ApiKey,
      | 'id'
      | 'ip_allowlist'
      | 'oauth_client_id'
      | 'oauth_grant_id'
      | 'kind'
      | 'public_token'
      | 'origins'
      | 'room_ids'
    >
  >;

/** Stores a key with its token. `by`: who created it; the key's member by default. */
export async function insertApiKey(
  tx: Tx,
  key: NewKey & { token: TokenRecord; by?: Principal },
): Promise<string> {
  const { token, by, ...columns } = key;
  const { hash, fingerprint, prefix } = token;
  const { id, workspace_id } = await insertReturning(tx, ApiKey, { ...columns, id: key.id ?? newId('key') });
  const known = by ? await knownBy(tx, by, key.member_id) : NO_ISSUERS;
  await tx.insert(ApiToken, { hash, fingerprint, prefix, workspace_id, key_id: id, ...known });
  return id;
}

/**
 * Gives a key a new token (docs/rules/credentials.md#rotation). The current token stays live for
 * `graceSeconds`, but not beyond the key's expiry. A token that was in its grace period ends now. Returns
 * when the old token ends.
 */
async function rotateToken(
  tx: Tx,
  by: Principal,
  key: ApiKeyRow,
  token: TokenRecord & { rotation_id: string },
  graceSeconds: number,
): Promise<Date> {
  await execute(
    tx,
    `UPDATE api_tokens SET ends_at = date_trunc('milliseconds', now()) WHERE key_id = $1 AND ends_at > now()`,
    [key.id],
  );
  const previous = await one<{ ends_at: Date; hash: Buffer }>(
    tx,
    `UPDATE api_tokens SET ends_at = least(now() + $2 * interval '1 second', $3)
     WHERE key_id = $1 AND ends_at IS NULL RETURNING ends_at, hash`,
    [key.id, graceSeconds, key.expires_at],
  );
  const { hash, fingerprint, prefix, rotation_id } = token;
  await tx.insert(ApiToken, {
    hash,
    fingerprint,
    prefix,
    rotation_id,
    workspace_id: key.workspace_id,
    key_id: key.id,
    replaces: previous.hash,
    ...(await knownBy(tx, by, key.member_id)),
  });
  return previous.ends_at;
}

/** Why a key was revoked, for the audit log. */
export type RevocationReason =
  | 'revoked_by_member'
  | 'member_archived'
  | 'member_deleted'
  | 'member_promoted'
  | 'address_changed'
  | 'ownership_transferred';

interface KeySelection {
  id?: string;
  /** The keys of a member, and those that they issued to others. */
  member_id?: string;
  /** The keys of a member that others issued. */
  issued_to?: string;
  /** The grants of a client, and the keys that it may know through them. */
  oauth_client_id?: string;
  /** A grant, and the keys that its application may know through it. */
  oauth_grant_id?: string;
}

/**
 * Revokes a workspace's keys, including OAuth grants: all of them, or those selected. If all keys of a member
 * are revoked, their calendar feeds also end. Publishable keys do not belong to the member and stay. Grants
 * end even if no token has been issued for them yet. Each newly revoked key gets an audit entry with the
 * reason. Returns how many were revoked.
 */
export async function revokeApiKeys(
  tx: Tx,
  by: Actor & { profile_id?: string | null },
  only: KeySelection,
  reason: RevocationReason,
): Promise<number> {
  // First, as a token locks its grant before its key.
  if (!only.id && !only.issued_to) await deleteAuthorizations(tx, by.workspace_id, only);
  await lockGrants(tx, only);
  const revoked = await many<{ id: string; oauth_client_id: string | null; fingerprint: string }>(
    tx,
    `UPDATE api_keys k SET revoked_at = now()
     WHERE k.workspace_id = $1 AND k.revoked_at IS NULL AND ($2::text IS NULL OR k.id = $2)
       AND ($3::text IS NULL OR k.kind = 'secret' AND (k.member_id = $3 OR EXISTS (
         SELECT FROM api_tokens t
         WHERE t.key_id = k.id AND (t.ends_at IS NULL OR t.ends_at > now()) AND $3 = ANY (t.issuer_ids))))
       AND ($4::text IS NULL OR k.kind = 'secret' AND k.member_id = $4 AND EXISTS (
         SELECT FROM api_tokens t
         WHERE t.key_id = k.id AND (t.ends_at IS NULL OR t.ends_at > now()) AND t.issuer_ids <> '{}'))
       AND ($5::text IS NULL
         OR k.oauth_grant_id IN (SELECT g.oauth_grant_id FROM api_keys g WHERE g.oauth_client_id = $5)
         OR EXISTS (
           SELECT FROM api_tokens t WHERE t.key_id = k.id AND (t.ends_at IS NULL OR t.ends_at > now())
             AND t.granted_by IN (SELECT g.oauth_grant_id FROM api_keys g WHERE g.oauth_client_id = $5)))
       AND ($6::text IS NULL OR k.oauth_grant_id = $6 OR EXISTS (
         SELECT FROM api_tokens t
         WHERE t.key_id = k.id AND (t.ends_at IS NULL OR t.ends_at > now()) AND t.granted_by = $6))
     RETURNING k.id, k.oauth_client_id,
       (SELECT t.fingerprint FROM api_tokens t WHERE t.key_id = k.id
        ORDER BY t.ends_at DESC NULLS FIRST LIMIT 1) AS fingerprint`,
    [
      by.workspace_id,
      only.id ?? null,
      only.member_id ?? null,
      only.issued_to ?? null,
      only.oauth_client_id ?? null,
      only.oauth_grant_id ?? null,
    ],
  );
  if (only.member_id && !only.oauth_grant_id) await deleteFeeds(tx, by.workspace_id, only.member_id);
  for (const { id: object, oauth_client_id: client_id, fingerprint } of revoked) {
    const details = { fingerprint, reason, revoker_profile_id: by.profile_id ?? null };
    const entry = client_id
      ? { action: 'oauth_grant.revoked', details: { client_id, ...details } }
      : { action: 'api_key.revoked', details };
    await audit(tx, by, { ...entry, object });
  }
  return revoked.length;
}
