import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../domain/errors.js';
import { insertIfAbsent } from '../../db/insert.js';
import { IdempotencyRecord } from '../../db/entities/workspaces.js';
import { transaction, type Tx } from '../../db/transaction.js';

/** An `Idempotency-Key` with the SHA-256, hex, of the request it was sent with. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/**
 * Binds a key to what the caller's transaction is about to do. Returns null, or the id of the object that the
 * key is bound to already, after waiting for a concurrent transaction that is binding it. Without a key
 * nothing is bound. Errors: 409 `idempotency_conflict` if the key was used for another request.
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

/**
 * The id of the object that a key is bound to, or null. Errors: 409
 * `idempotency_conflict` as for `boundBefore`.
 */
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

/**
 * Like `boundBefore`, for an object that is about to be created: returns its id, or that
 * of the one created before.
 */
export const bindKey = async (...binding: Parameters<typeof boundBefore>): Promise<string> =>
  (await boundBefore(...binding)) ?? binding[3];

/** The error for a repeat whose original object has been deleted. */
export const originalDeleted = (): ApiError =>
  new ApiError('not_found', 'The object created with this Idempotency-Key has been deleted.', {
    details: { reason: 'deleted' },
  });

/**
 * What a create returns: an object as the API shows it, and whether it is new or that of an earlier request.
 */
export interface Created<Shown> {
  object: Shown;
  isNew: boolean;
}

/**
 * Creates an object of a workspace once for each key, in one transaction: `create` stores it under `id`;
 * `find` returns it as it is now. Errors: those of `create`; 409 `idempotency_conflict`; 404 if the original
 * object has been deleted.
 */
export async function createOnce<Shown>(
  db: DataSource,
  { workspace_id, idempotency, id }: { workspace_id: string; idempotency: IdempotencyKey | null; id: string },
  work: { create(tx: Tx): Promise<unknown>; find(tx: Tx, id: string): Promise<Shown | null> },
): Promise<Created<Shown>> {
  const [boundId, object] = await transaction(db, async (tx) => {
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    if (bound === id) await work.create(tx);
    return [bound, await work.find(tx, bound)] as const;
  });
  if (!object) throw originalDeleted();
  return { object, isNew: boundId === id };
}

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
export const hashRequest = (workspaceId: string, { key }: IdempotencyKey): Buffer =>
  createHash('sha256').update(`${workspaceId}\n${key}`).digest();
