import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../domain/errors.js';
import { insertIfAbsent } from '../../db/insert.js';
import { maybeOne } from '../../db/query.js';
import { IdempotencyRecord } from '../../db/entities/workspaces.js';
import { transaction, type Tx } from '../../db/transaction.js';

/** An `Idempotency-Key` with the SHA-256, hex, of the request it was sent with. */
export interface IdempotencyKey {
  key: string;
  fingerprint: string;
}

/** Whether nothing has come of the object that a key is bound to, so that the key is free again. */
type IsFree = (tx: Tx, objectId: string) => Promise<boolean>;

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
  isFree?: IsFree,
): Promise<string | null> {
  if (!idempotency) return null;
  const { key } = idempotency;
  const fingerprint = Buffer.from(idempotency.fingerprint, 'hex');
  const bound = { fingerprint, object_id: objectId };
  if (await insertIfAbsent(tx, IdempotencyRecord, { workspace_id: workspaceId, key, ...bound })) return null;
  // One transaction at a time takes over a key that is free again.
  const before = await findBound(tx, workspaceId, idempotency, isFree);
  if (before === null) await tx.update(IdempotencyRecord, { workspace_id: workspaceId, key }, bound);
  return before;
}

/**
 * The id of the object that a key is bound to, or null; the record is locked. Errors: 409
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

/** Thrown by the transaction of a repeat, which is rolled back. */
export class DoneBefore extends Error {}

/**
 * A database for one request: the first of its transactions binds the key, together with what it changes.
 * `bind` binds it if there was none. Errors of the transaction that binds: `DoneBefore`; 409
 * `idempotency_conflict`.
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

/** The key of a part of a request whose own key another part binds. */
export const partKey = (idempotency: IdempotencyKey | null, part: string): IdempotencyKey | null =>
  // Headers cannot contain a line break, so it never equals that of another request.
  idempotency && { ...idempotency, key: `${idempotency.key}\n${part}` };

/** `boundBefore` in a transaction of its own, for what is not done in a transaction. */
export const bindAlone = async (
  db: DataSource,
  workspaceId: string,
  idempotency: IdempotencyKey | null,
  objectId: string,
  isFree?: IsFree,
): Promise<string | null> =>
  idempotency && transaction(db, (tx) => boundBefore(tx, workspaceId, idempotency, objectId, isFree));

/** The error for a key that was used for another request. */
export const idempotencyConflict = (): ApiError =>
  new ApiError(
    'idempotency_conflict',
    'This idempotency key has already been used for a different request. Use a new key.',
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
