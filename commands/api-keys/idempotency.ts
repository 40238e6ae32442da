import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../domain/errors.js';
import { insertIfAbsent } from '../../db/insert.js';
import { maybeOne } from '../../db/query.js';
import { IdempotencyRecord } from '../../db/entities/workspaces.js';
import { transaction, type Tx } from '../../db/transaction.js';

/** An `Idempotency-Key`, with the SHA-256 (hex) of the request it was sent with. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/** Returns true if the object that a key is bound to came to nothing, so that the key is free again. */
type IsFree = (tx: Tx, objectId: string) => Promise<boolean>;

/**
 * Binds a key to what the caller's transaction is about to do. Returns null, or the id of the object to which
 * the key is already bound, after waiting for a concurrent transaction that is binding it. Binds nothing
 * without a key. Errors: 409 `idempotency_conflict` if the key was used for another request.
 */
export async function boundBefore(
  tx: Tx,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
  objectId: string,
  isFree?: IsFree,
): Promise<string | null> {
  if (!idempotency) return null;
  const { key } = idempotency;
  const fingerprint = Buffer.from(idempotency.fingerprint, 'hex');
  const bound = { fingerprint, object_id: objectId };
  if (await insertIfAbsent(tx, IdempotencyRecord, { workspace_id: workspaceId, key, ...bound })) return null;
  // Only one transaction at a time takes over a key that is free again.
  const before = await findBound(tx, workspaceId, idempotency, isFree);
  if (before === null) await tx.update(IdempotencyRecord, { workspace_id: workspaceId, key }, bound);
  return before;
}

/**
 * Returns the id of the object to which a key is bound, or null. The record is locked. Errors: 409
 * `idempotency_conflict` as for `boundBefore`.
 */
export async function findBound(
  tx: Tx,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
  isFree?: IsFree,
): Promise<string | null> {
  if (!idempotency) return null;
  const { key, fingerprint } = idempotency;
  const known = await maybeOne<IdempotencyRecord>(
    tx,
    `SELECT * FROM idempotency_keys WHERE workspace_id = $1 AND key = $2 FOR NO KEY UPDATE`,
    [workspaceId, key],
  );
  if (!known || (await isFree?.(tx, known.object_id))) return null;
  if (known.fingerprint.equals(Buffer.from(fingerprint, 'hex'))) return known.object_id;
  throw idempotencyConflict();
}

/** Thrown in the transaction of a repeated request, which is rolled back. */
export class DoneBefore extends Error {}

/**
 * Returns a database for one request. The first of its transactions also binds the key. `bind` binds it if
 * there was no transaction. The transaction that binds can throw `DoneBefore` and 409 `idempotency_conflict`.
 */
export function bindingDatabase(
  db: DataSource,
  workspaceId: string,
  idempotency: IdempotencyKey,
): { db: DataSource; bind(): Promise<void> } {
  let isBound = false;
  const binding: DataSource = Object.create(db, {
    transaction: {
      async value<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
        const result = await db.transaction(async (tx) => {
          if (!isBound && (await boundBefore(tx, workspaceId, idempotency, 'done')) !== null)
            throw new DoneBefore();
          return work(tx);
        });
        isBound = true;
        return result;
      },
    },
  });
  return {
    db: binding,
    bind: async () => {
      if (!isBound) await transaction(binding, async () => {});
    },
  };
}

/** Returns the key for a part of a request, if another part binds the request's own key. */
export const partKey = (idempotency: IdempotencyKey | null, part: string): IdempotencyKey | null =>
  // Headers cannot contain a line break, so it never equals the key of another request.
  idempotency && { ...idempotency, key: `${idempotency.key}\n${part}` };

/** Does `boundBefore` in its own transaction, for work that is not done in a transaction. */
export const bindAlone = async (
  db: DataSource,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
  objectId: string,
  isFree?: IsFree,
): Promise<string | null> =>
  idempotency && transaction(db, (tx) => boundBefore(tx, workspaceId, idempotency, objectId, isFree));

/** Returns the error for a key that was used for another request. */
export const idempotencyConflict = (): ApiError =>
  new ApiError(
    'idempotency_conflict',
    'This idempotency key has already been used for a different request. Use a new key.',
    { param: 'Idempotency-Key' },
  );

/**
 * Does `boundBefore` for an object that is about to be created. Returns its id, or the id of the object that
 * an earlier request created.
 */
export const bindKey = async (...binding: Parameters<typeof boundBefore>): Promise<string> =>
  (await boundBefore(...binding)) ?? binding[3];

/** Returns the error for a repeated request whose original object has been deleted. */
export const originalDeleted = (): ApiError =>
  new ApiError('not_found', 'The object created with this Idempotency-Key has been deleted.', {
    details: { reason: 'deleted' },
  });

/**
 * The result of creating an object: the object as the API returns it, and whether it is new or was created by
 * an earlier request.
 */
export interface Created<Shown> {
  object: Shown;
  isNew: boolean;
}

/**
 * Creates an object of a workspace once per key, in one transaction. `create` stores it under `id`; `find`
 * returns its current state. Errors: those of `create`; 409 `idempotency_conflict`; 404 if the original
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

/** Binds a key that the caller's transaction has already bound to another object. */
export async function rebindKey(
  tx: Tx,
  workspace_id: string,
  { key }: IdempotencyKey,
  object_id: string,
): Promise<void> {
  await tx.update(IdempotencyRecord, { workspace_id, key }, { object_id });
}

/**
 * Identifies a request outside of this database, which may lose the key: the SHA-256 of workspace and key.
 */
export const hashRequest = (workspaceId: string, { key }: IdempotencyKey): Buffer =>
  createHash('sha256').update(`${workspaceId}\n${key}`).digest();
