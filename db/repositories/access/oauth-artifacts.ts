import type { Tx } from '../../transaction.js';

/** Something that the authorization server keeps: a code, a refresh token, a grant, an authorization under way. */
export interface Artifact {
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  /** How long ago it was consumed; null while it wasn't. */
  consumed_seconds: number | null;
}

/** Stores an artifact. `keep` leaves one that is there already as it is. */
export async function upsertArtifact(
  tx: Tx,
  artifact: {
    model: string;
    id_hash: Buffer;
    client_id: string | null;
    grant_id: string | null;
    payload: Record<string, unknown>;
    expires_in: number;
  },
  { keep }: { keep: boolean },
): Promise<void> {
  await tx.query(
    `INSERT INTO oauth_artifacts (model, id_hash, client_id, grant_id, payload, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 second')
     ON CONFLICT (model, id_hash) DO ${keep ? 'NOTHING' : 'UPDATE SET payload = $5, expires_at = excluded.expires_at'}`,
    [
      artifact.model,
      artifact.id_hash,
      artifact.client_id,
      artifact.grant_id,
      artifact.payload,
      artifact.expires_in,
    ],
  );
}

/** Takes away what has expired. */
export async function deleteExpiredArtifacts(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM oauth_artifacts WHERE expires_at < now()`);
}

/** An artifact that has not expired and whose grant was not revoked, or null. */
export async function findArtifact(tx: Tx, model: string, idHash: Buffer): Promise<Artifact | null> {
  const [row] = await tx.query(
    `SELECT payload, consumed_at, extract(epoch FROM now() - consumed_at)::float8 AS consumed_seconds
     FROM oauth_artifacts a WHERE model = $1 AND id_hash = $2 AND expires_at > now()
       AND NOT EXISTS (SELECT FROM api_keys k WHERE k.oauth_grant_id = a.grant_id AND k.revoked_at IS NOT NULL)`,
    [model, idHash],
  );
  return row ?? null;
}

/** Marks an artifact as consumed; the first time counts. True for who was first. */
export async function consumeArtifact(tx: Tx, model: string, idHash: Buffer): Promise<boolean> {
  const [, first] = await tx.query(
    `UPDATE oauth_artifacts SET consumed_at = now() WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL`,
    [model, idHash],
  );
  return first === 1;
}

/** Removes an artifact. */
export async function deleteArtifact(tx: Tx, model: string, idHash: Buffer): Promise<void> {
  await tx.query(`DELETE FROM oauth_artifacts WHERE model = $1 AND id_hash = $2`, [model, idHash]);
}

/** Removes a grant's artifacts of one model. */
export async function deleteArtifactsOfGrant(tx: Tx, model: string, grantId: string): Promise<void> {
  await tx.query(`DELETE FROM oauth_artifacts WHERE model = $1 AND grant_id = $2`, [model, grantId]);
}
