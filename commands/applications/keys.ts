import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { execute, maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Returns the application's grant through which the caller's key exists, or which created that key; null for
 * other keys. The caller's key is locked until the transaction ends, so a revocation waits and then finds the
 * keys that the caller creates. Errors: 401 `auth_invalid` if the key has been revoked in the meantime.
 */
export async function findApplicationGrant(
  tx: Tx,
  { key_id }: Pick<Principal, 'key_id'>,
): Promise<string | null> {
  if (key_id === null) return null;
  const found = await maybeOne<{ grant_id: string | null }>(
    tx,
    `SELECT coalesce(k.oauth_grant_id,
       (SELECT min(t.granted_by) FROM api_tokens t
        WHERE t.key_id = k.id AND (t.ends_at IS NULL OR t.ends_at > now()))) AS grant_id
     FROM api_keys k WHERE k.id = $1 AND k.revoked_at IS NULL FOR SHARE OF k`,
    [key_id],
  );
  if (found) return found.grant_id;
  throw new ApiError('auth_invalid', 'The API key of this request has been revoked.');
}

/** Waits for keys that the applications of these grants are creating. The next statement sees them. */
export async function lockGrants(
  tx: Tx,
  of: { oauth_client_id?: string; oauth_grant_id?: string },
): Promise<void> {
  const { oauth_client_id = null, oauth_grant_id = null } = of;
  if (oauth_client_id ?? oauth_grant_id)
    await execute(
      tx,
      `SELECT FROM api_keys k
       WHERE k.oauth_grant_id IN (
           SELECT g.oauth_grant_id FROM api_keys g WHERE g.oauth_client_id = $1 OR g.oauth_grant_id = $2)
         OR EXISTS (
           SELECT FROM api_tokens t WHERE t.key_id = k.id AND (t.ends_at IS NULL OR t.ends_at > now())
             AND t.granted_by IN (
               SELECT g.oauth_grant_id FROM api_keys g WHERE g.oauth_client_id = $1 OR g.oauth_grant_id = $2))
       ORDER BY k.id FOR NO KEY UPDATE OF k`,
      [oauth_client_id, oauth_grant_id],
    );
}
