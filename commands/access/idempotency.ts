import { createHash } from 'node:crypto';
import { ApiError } from '../../domain/errors.js';
import { insertIfAbsent } from '../../db/insert.js';
import { IdempotencyRecord } from '../../db/entities/workspaces.js';
import type { Tx } from '../../db/transaction.js';

/** An `Idempotency-Key` with the SHA-256, hex, of the request it was sent with. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/**
 * Binds a key to what the caller's transaction is about to do. Returns null, or the id of the object that the key is bound
 * to already, after waiting for a concurrent transaction that is binding it. Without a key nothing is bound. Errors: 409
 * `idempotency_conflict` if the key was used for another request.
 */
export async function boundBefore(
  tx: Tx,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
  objectId: string,
): Promise<string | null> {
  if (!idempotency) return null;
  const { key } = idempotency;
  const fingerprint = Buffer.from(idempotency.fingerprint, 'hex');
  const binding = { workspace_id: workspaceId, key, fingerprint, object_id: objectId };
  if (await insertIfAbsent(tx, IdempotencyRecord, binding)) return null;
  return findBound(tx, workspaceId, idempotency);
}

/** The id of the object that a key is bound to, or null. Errors: 409 `idempotency_conflict` as for `boundBefore`. */
export async function findBound(
  tx: Tx,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
): Promise<string | null> {
  if (!idempotency) return null;
  const { key, fingerprint } = idempotency;
  const known = await tx.findOneBy(IdempotencyRecord, { workspace_id: workspaceId, key });
  if (!known) return null;
  if (known.fingerprint.equals(Buffer.from(fingerprint, 'hex'))) return known.object_id;
  throw idempotencyConflict();
}

/** The error for a key that was used for another request. */
export const idempotencyConflict = (): ApiError =>
  new ApiError(
    'idempotency_conflict',
    'This idempotency key has been used for a different request. Use a new key.',
    { param: 'Idempotency-Key' },
  );

/** Like `boundBefore`, for an object that is about to be created: returns its id, or that of the one created before. */
export const bindKey = async (...binding: Parameters<typeof boundBefore>): Promise<string> =>
  (await boundBefore(...binding)) ?? binding[3];

/** Binds a key that the caller's transaction has bound to another object. */
export async function rebindKey(
  tx: Tx,
  workspace_id: string,
  { key }: IdempotencyKey,
  object_id: string,
): Promise<void> {
  await tx.update(IdempotencyRecord, { workspace_id, key }, { object_id });
}

/** What names a request outside of this database, which may lose the key: SHA-256 of workspace and key. */
export const requestHashOf = (workspaceId: string, { key }: IdempotencyKey): Buffer =>
  createHash('sha256').update(`${workspaceId}\n${key}`).digest();
