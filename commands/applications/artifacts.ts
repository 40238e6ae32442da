import { affected, execute, maybeOne } from '../../db/query.js';
import { OAuthArtifact } from '../../db/entities/access.js';
import { hashSecret } from '../../db/secrets.js';
import type { Tx } from '../../db/transaction.js';

/** An object of the authorization server: a code, a refresh token, a grant, an authorization in progress. */
export interface Artifact {
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  /** Seconds since it was consumed; null if it was not. */
  consumed_seconds: number | null;
}

/** Stores an artifact. With `keep`, an existing artifact stays unchanged. */
export async function upsertArtifact(
  tx: Tx,
  artifact: Pick<OAuthArtifact, 'model' | 'id_hash' | 'client_id' | 'grant_id' | 'payload'> & {
    expires_in: number;
  },
  { keep }: { keep: boolean },
): Promise<void> {
  const { model, id_hash, client_id, grant_id, payload, expires_in } = artifact;
  await execute(
    tx,
    `INSERT INTO oauth_artifacts AS a (model, id_hash, client_id, grant_id, payload, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')
     ON CONFLICT (model, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
       WHERE NOT $7`,
    [model, id_hash, client_id, grant_id, payload, expires_in, keep],
  );
}

/** Deletes expired artifacts. */
export async function deleteExpiredArtifacts(tx: Tx): Promise<void> {
  await execute(tx, `DELETE FROM oauth_artifacts WHERE expires_at < now()`);
}

/** Returns an artifact that has not expired and whose grant was not revoked, or null. */
export function findArtifact(tx: Tx, model: string, idHash: Buffer): Promise<Artifact | null> {
  return maybeOne<Artifact>(
    tx,
    `SELECT payload, consumed_at, extract(epoch FROM now() - consumed_at)::float8 AS consumed_seconds
     FROM oauth_artifacts a WHERE model = $1 AND id_hash = $2 AND expires_at > now()
       AND NOT EXISTS (SELECT FROM api_keys k WHERE k.oauth_grant_id = a.grant_id
         AND k.revoked_at IS NOT NULL)`,
    [model, idHash],
  );
}

/** Marks an artifact as consumed. Returns true only to the first caller. */
export async function consumeArtifact(tx: Tx, model: string, idHash: Buffer): Promise<boolean> {
  const consumed = await affected(
    tx,
    `UPDATE oauth_artifacts SET consumed_at = now() WHERE model = $1 AND id_hash = $2
      AND consumed_at IS NULL`,
    [model, idHash],
  );
  return consumed === 1;
}

/** Deletes an artifact. */
export async function deleteArtifact(tx: Tx, model: string, idHash: Buffer): Promise<void> {
  await tx.delete(OAuthArtifact, { model, id_hash: idHash });
}

/** Which authorizations to end: those of a member, of a client, of both, or one grant. Empty for all. */
export interface Authorizations {
  member_id?: string;
  oauth_client_id?: string;
  oauth_grant_id?: string;
}

/**
 * Deletes what is left of a workspace's authorizations, so that no code or refresh token can be exchanged any
 * more. Waits for tokens that are being issued (`insertAccessToken`): the next statement sees them.
 */
export async function deleteAuthorizations(
  tx: Tx,
  workspaceId: string,
  { member_id, oauth_client_id, oauth_grant_id }: Authorizations,
): Promise<void> {
  await execute(
    tx,
    `DELETE FROM oauth_artifacts WHERE (model, id_hash) IN (
       SELECT a.model, a.id_hash FROM oauth_artifacts a
       WHERE a.client_id IN (SELECT c.id FROM oauth_clients c WHERE c.workspace_id = $1)
         AND ($2::text IS NULL OR a.payload ->> 'accountId' = $2) AND ($3::text IS NULL OR a.client_id = $3)
         AND ($4::text IS NULL OR a.grant_id = $4 OR a.model = 'Grant' AND a.id_hash = $5)
       ORDER BY a.model, a.id_hash FOR UPDATE)`,
    [
      workspaceId,
      member_id ?? null,
      oauth_client_id ?? null,
      oauth_grant_id ?? null,
      hashSecret(oauth_grant_id ?? ''),
    ],
  );
}

/** Deletes a grant's artifacts of one model. */
export async function deleteArtifactsOfGrant(tx: Tx, model: string, grantId: string): Promise<void> {
  await tx.delete(OAuthArtifact, { model, grant_id: grantId });
}
