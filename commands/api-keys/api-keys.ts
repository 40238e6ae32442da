import { ApiError } from '../../domain/errors.js';
import type { KeyScope } from '../../domain/api-keys/key-scope.js';
import type { Principal, Role } from '../../domain/policies.js';
import { newId } from '../../db/ids.js';
import { affected, execute, many, maybeOne, one } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { ApiKey, ApiToken } from '../../db/entities/access.js';
import type { Tx } from '../../db/transaction.js';
import { audit, type Actor } from '../audit-log/audit.js';
import { findApiKey, type ApiKeyRow } from '../../db/queries/api-keys/api-key.js';
import { deleteFeeds } from '../feeds/feeds.js';
import { grantOf, isKnownToGrants, LIVE_TOKEN, lockGrants } from '../applications/keys.js';

/** A key of a workspace, locked until the transaction ends. Every change of a key takes this lock first. */
export async function lockApiKey(tx: Tx, workspaceId: string, id: string): Promise<ApiKeyRow | null> {
  await execute(tx, `SELECT FROM api_keys WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
    id,
    workspaceId,
  ]);
  return findApiKey(tx, workspaceId, id);
}

/**
 * The role of a member for whom a key can be issued, locked so that it does not change until the key is stored; null
 * for an archived, erased or unknown one.
 */
export async function lockIssueeRole(tx: Tx, workspaceId: string, memberId: string): Promise<Role | null> {
  const member = await maybeOne<{ role: Role }>(
    tx,
    `SELECT role FROM members WHERE id = $1 AND workspace_id = $2 AND status NOT IN ('archived', 'deleted')
     FOR SHARE`,
    [memberId, workspaceId],
  );
  return member?.role ?? null;
}

/** The most live keys of a workspace, without OAuth grants. */
const MAX_LIVE_KEYS = 100;

/**
 * Serializes creations of a workspace's keys until the transaction ends. Errors: 409 `too_many_keys` if it has as many
 * live keys as it may have.
 */
export async function assertRoomForKey(tx: Tx, workspaceId: string): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('api_keys'), hashtext($1))`, [workspaceId]);
  const live = await affected(
    tx,
    `SELECT FROM api_keys
     WHERE workspace_id = $1 AND oauth_grant_id IS NULL AND revoked_at IS NULL AND expires_at > now() LIMIT $2`,
    [workspaceId, MAX_LIVE_KEYS],
  );
  if (live < MAX_LIVE_KEYS) return;
  const message = `A workspace has at most ${MAX_LIVE_KEYS} live keys. Revoke those that are no longer used.`;
  throw new ApiError('too_many_keys', message);
}

/** A token as it is stored: its SHA-256 and two shortened forms. */
type TokenRecord = Pick<ApiToken, 'hash' | 'fingerprint' | 'prefix'>;

/** The members who create a token, and their role; none for a member who creates their own. */
type Issuers = Pick<ApiToken, 'issuer_ids' | 'issuer_role'>;
const NO_ISSUERS: Issuers = { issuer_ids: [], issuer_role: null };

/**
 * The issuers of a token that the caller creates for a member: those who may know it besides that member. A caller whose
 * own token was issued by others may be one of them.
 */
function issuersFor(caller: Principal, memberId: string): Issuers {
  const issuer_ids = [...new Set([caller.member_id, ...caller.issuer_ids])].filter((id) => id !== memberId);
  return { issuer_ids, issuer_role: issuer_ids.length > 0 ? caller.role : null };
}

/** Who may know a token that the caller creates for a member, besides that member. */
async function knownBy(tx: Tx, caller: Principal, memberId: string) {
  return { ...issuersFor(caller, memberId), granted_by: await grantOf(tx, caller) };
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

/** When a key expires that does not. */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/** Stores a key with its token. `by` created it; without it, the key's member did. */
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

/** Changes a key's name, scope and expiry. */
export async function updateApiKey(
  tx: Tx,
  id: string,
  changes: KeyScope & { name: string; expires_at: Date },
): Promise<void> {
  const { name, resources, actions, ip_allowlist, expires_at } = changes;
  await tx.update(ApiKey, { id }, { name, resources, actions, ip_allowlist, expires_at });
}

/**
 * Gives a key a new token (docs/rules/credentials.md#rotation). The current one stays live for `graceSeconds`, but not
 * beyond the key's expiry; one that was in its grace period ends now. Returns when the old token ends.
 */
export async function rotateToken(
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

/** Selects keys to revoke. */
interface KeySelection {
  id?: string;
  /** The keys of a member, and those that they issued to others. */
  member_id?: string;
  /** The keys of a member that others issued. */
  issued_to?: string;
  /** The grants of a client, and the keys that it may know by them. */
  oauth_client_id?: string;
  /** A grant, and the keys that its application may know by it. */
  oauth_grant_id?: string;
}

const GRANTS_OF_CLIENT = `SELECT g.oauth_grant_id FROM api_keys g WHERE g.oauth_client_id = $5`;

/**
 * Revokes a workspace's keys, OAuth grants included: all, or those selected. With all keys of a member their calendar addresses
 * end too; publishable keys are not the member's and stay. Each newly revoked key gets an entry in the audit log with the reason. Returns their number.
 */
export async function revokeApiKeys(
  tx: Tx,
  by: Actor & { profile_id?: string | null },
  only: KeySelection,
  reason: RevocationReason,
): Promise<number> {
  await lockGrants(tx, only);
  const revoked = await many<{ id: string; oauth_client_id: string | null; fingerprint: string }>(
    tx,
    `UPDATE api_keys k SET revoked_at = now()
     WHERE k.workspace_id = $1 AND k.revoked_at IS NULL AND ($2::text IS NULL OR k.id = $2)
       AND ($3::text IS NULL
         OR k.kind = 'secret' AND (k.member_id = $3 OR EXISTS (${LIVE_TOKEN} AND $3 = ANY (t.issuer_ids))))
       AND ($4::text IS NULL OR k.kind = 'secret' AND k.member_id = $4 AND EXISTS (${LIVE_TOKEN} AND t.issuer_ids <> '{}'))
       AND ($5::text IS NULL OR ${isKnownToGrants(GRANTS_OF_CLIENT)})
       AND ($6::text IS NULL OR ${isKnownToGrants('$6')})
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
  if (only.member_id) await deleteFeeds(tx, by.workspace_id, only.member_id);
  for (const { id: object, oauth_client_id: client_id, fingerprint } of revoked) {
    const details = { fingerprint, reason, revoker_profile_id: by.profile_id ?? null };
    const entry = client_id
      ? { action: 'oauth_grant.revoked', details: { client_id, ...details } }
      : { action: 'api_key.revoked', details };
    await audit(tx, by, { ...entry, object });
  }
  return revoked.length;
}
