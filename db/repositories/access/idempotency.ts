import { ApiError } from '../../../domain/errors.js';
import type { Tx } from '../../transaction.js';

/** An `Idempotency-Key` with the SHA-256, hex, of what was asked under it. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/**
 * Binds a key to the object that the caller's transaction is about to make, and returns it; or returns the object
 * that the key stands for already, after waiting for whoever is just making it. Without a key nothing is bound.
 * Errors: 409 `idempotency_conflict` where the key stands for another request.
 */
export async function bindKey(
  tx: Tx,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
  objectId: string,
): Promise<string> {
  if (!idempotency) return objectId;
  const { key, fingerprint } = idempotency;
  const bound: unknown[] = await tx.query(
    `INSERT INTO idempotency_keys (workspace_id, key, fingerprint, object_id) VALUES ($1, $2, decode($3, 'hex'), $4)
     ON CONFLICT DO NOTHING RETURNING key`,
    [workspaceId, key, fingerprint, objectId],
  );
  if (bound.length > 0) return objectId;
  const [known] = await tx.query(
    `SELECT object_id, encode(fingerprint, 'hex') AS fingerprint FROM idempotency_keys
     WHERE workspace_id = $1 AND key = $2`,
    [workspaceId, key],
  );
  if (known.fingerprint === fingerprint) return known.object_id;
  throw new ApiError('idempotency_conflict', 'This idempotency key was used before, for another request.', {
    param: 'Idempotency-Key',
  });
}
