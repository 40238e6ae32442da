import type { DataSource } from 'typeorm';
import { DAY_SECONDS } from '../../domain/durations.js';
import { newId } from '../../db/ids.js';
import { execute, exists, many, maybeOne } from '../../db/query.js';
import { fromNow } from '../../db/database-time.js';
import { ApiToken } from '../../db/entities/access.js';
import { hashSecret } from '../../db/secrets.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit, type Actor } from '../audit-log/audit.js';
import { deleteArtifact } from './artifacts.js';
import { lockGrants } from './keys.js';

/**
 * The lifetime of a refresh token. Ended access tokens are kept as long: the page of an application can read
 * why a request with one fails (docs/rules/credentials.md#applications-in-a-browser).
 */
export const REFRESH_TOKEN_SECONDS = 90 * DAY_SECONDS;

/**
 * Stores an access token as a token of the key that represents its grant and scopes. The first token creates
 * that key. Returns false if the grant was revoked, or the client or the member no longer exists.
 */
export const insertAccessToken = (
  db: DataSource,
  token: {
    record: { hash: Buffer; fingerprint: string; prefix: string };
    client_id: string;
    member_id: string;
    grant_id: string;
    scopes: string[];
    expires_in: number;
  },
): Promise<boolean> =>
  transaction(db, async (tx) => {
    const { record, expires_in } = token;
    if (!(await lockGrant(tx, token))) return false;
    const key = await maybeOne<{ id: string; workspace_id: string }>(
      tx,
      `INSERT INTO api_keys (id, workspace_id, member_id, name, resources, actions, expires_at,
        oauth_client_id,
                             oauth_grant_id)
       SELECT $1, c.workspace_id, m.id, c.name, $5, '{}', now() + $6 * interval '1 second', c.id, $4
       FROM oauth_clients c JOIN members m ON m.workspace_id = c.workspace_id
       WHERE c.id = $2 AND m.id = $3 AND may_sign_in(m)
         AND NOT EXISTS (SELECT FROM api_keys WHERE oauth_grant_id = $4 AND revoked_at IS NOT NULL)
       ON CONFLICT (oauth_grant_id, resources) WHERE oauth_grant_id IS NOT NULL
         DO UPDATE SET expires_at = greatest(api_keys.expires_at, excluded.expires_at)
         WHERE api_keys.revoked_at IS NULL
       RETURNING id, workspace_id`,
      [newId('key'), token.client_id, token.member_id, token.grant_id, token.scopes.toSorted(), expires_in],
    );
    if (!key) return false;
    await execute(
      tx,
      `DELETE FROM api_tokens WHERE key_id = $1 AND ends_at < now() - $2 * interval '1 second'`,
      [key.id, REFRESH_TOKEN_SECONDS],
    );
    const { hash, fingerprint, prefix } = record;
    const { id: key_id, workspace_id } = key;
    const ends_at = fromNow(expires_in);
    await tx.insert(ApiToken, { hash, fingerprint, prefix, workspace_id, key_id, ends_at });
    return true;
  });

/**
 * Locks a grant with its client and member until the transaction ends, so a revocation waits and then finds
 * the token. Returns false if one of them no longer exists.
 */
async function lockGrant(
  tx: Tx,
  { client_id, member_id, grant_id }: { client_id: string; member_id: string; grant_id: string },
): Promise<boolean> {
  const parties = `SELECT FROM oauth_clients c JOIN members m ON m.workspace_id = c.workspace_id
    WHERE c.id = $1 AND m.id = $2 FOR KEY SHARE OF c, m`;
  if (!(await exists(tx, parties, [client_id, member_id]))) return false;
  const grant = `SELECT FROM oauth_artifacts WHERE model = 'Grant' AND id_hash = $1 FOR SHARE`;
  return exists(tx, grant, [hashSecret(grant_id)]);
}

export interface AccessToken {
  client_id: string;
  member_id: string;
  grant_id: string;
  scopes: string[];
  created_at: Date;
  ends_at: Date;
}

/** Returns the live OAuth access token with this hash, or null. Does not find tokens of API keys. */
export function findAccessToken(tx: Tx, hash: Buffer): Promise<AccessToken | null> {
  return maybeOne<AccessToken>(
    tx,
    `SELECT k.oauth_client_id AS client_id, k.member_id, k.oauth_grant_id AS grant_id, k.resources AS scopes,
            t.created_at, t.ends_at
     FROM api_tokens t JOIN api_keys k ON k.id = t.key_id
     WHERE t.hash = $1 AND k.oauth_client_id IS NOT NULL AND k.revoked_at IS NULL AND t.ends_at > now()`,
    [hash],
  );
}

/** Ends one access token. */
export async function endAccessToken(tx: Tx, hash: Buffer): Promise<void> {
  await execute(
    tx,
    `UPDATE api_tokens t SET ends_at = now() FROM api_keys k
     WHERE t.hash = $1 AND k.id = t.key_id AND k.oauth_grant_id IS NOT NULL AND t.ends_at > now()`,
    [hash],
  );
}

/** A key that represented a revoked grant, or that the grant's application may know. */
interface RevokedGrant {
  id: string;
  workspace_id: string;
  member_id: string;
  /** Null for a key that the application created. */
  oauth_client_id: string | null;
  fingerprint: string;
  profile_id: string | null;
}

/**
 * Revokes a grant. Its tokens and the keys that its application may know end immediately, and no more are
 * issued. The audit log gets the reason: the client revoked it on behalf of the person, or the service did
 * because a code or refresh token was used twice. Grants that a person revokes through the API or dashboard
 * go through `revokeApiKeys`.
 */
export const revokeGrant = (
  db: DataSource,
  grantId: string,
  reason: 'revoked_by_client' | 'reuse_detected',
): Promise<void> =>
  transaction(db, async (tx) => {
    // First, as a token locks its grant before its key.
    await deleteArtifact(tx, 'Grant', hashSecret(grantId));
    await lockGrants(tx, { oauth_grant_id: grantId });
    const keys = await many<RevokedGrant>(
      tx,
      `UPDATE api_keys k SET revoked_at = now() FROM members m
       WHERE m.id = k.member_id AND k.revoked_at IS NULL AND (k.oauth_grant_id = $1 OR EXISTS (
         SELECT FROM api_tokens t
         WHERE t.key_id = k.id AND (t.ends_at IS NULL OR t.ends_at > now()) AND t.granted_by = $1))
       RETURNING k.id, k.workspace_id, k.member_id, k.oauth_client_id, m.profile_id,
         (SELECT t.fingerprint FROM api_tokens t WHERE t.key_id = k.id
          ORDER BY t.ends_at DESC NULLS FIRST LIMIT 1) AS fingerprint`,
      [grantId],
    );
    for (const { id, workspace_id, member_id, oauth_client_id: client_id, fingerprint, profile_id } of keys) {
      const byClient = reason === 'revoked_by_client';
      const revocation = { reason, revoker_profile_id: byClient ? profile_id : null };
      const actor: Actor = byClient
        ? { workspace_id, member_id, key_id: id }
        : { workspace_id, system: 'oauth' };
      const entry = client_id
        ? { action: 'oauth_grant.revoked', details: { client_id, ...revocation } }
        : { action: 'api_key.revoked', details: { fingerprint, ...revocation } };
      await audit(tx, actor, { ...entry, object: id });
    }
  });

/** Returns whether a client may still act for a member. */
export function isLiveMember(tx: Tx, memberId: string): Promise<boolean> {
  return exists(tx, `SELECT FROM members m WHERE m.id = $1 AND may_sign_in(m)`, [memberId]);
}
