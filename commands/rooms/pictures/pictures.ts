import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { column, execute, exists, one } from '../../../db/query.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import {
  MAX_PICTURES,
  type PictureKey,
  type PictureKind,
  type StoredKey,
  type TermsKey,
} from '../../../domain/rooms/picture.js';
import type { PictureStore } from './store.js';

/** Returns the hash of a file of a workspace. */
const hashFile = (workspaceId: string, content: Uint8Array): string =>
  createHash('sha256').update(`${workspaceId}\n`).update(content).digest('hex');

/**
 * Returns the key of a picture. Nobody can guess it without having the picture, and it differs in each
 * workspace.
 */
export const keyOfPicture = (workspaceId: string, content: Uint8Array, kind: PictureKind): PictureKey =>
  `${hashFile(workspaceId, content)}.${kind}`;

/** Returns the key of a PDF with terms. */
export const keyOfTerms = (workspaceId: string, content: Uint8Array): TermsKey =>
  `${hashFile(workspaceId, content)}.pdf`;

/** Returns whether a picture was stored, without querying the store. */
export const isStored = (tx: Tx, key: StoredKey): Promise<boolean> =>
  exists(tx, `SELECT FROM pictures WHERE key = $1`, [key]);

/**
 * Stores a picture or a PDF. Its row is stored first: if the process ends between two steps and nothing comes
 * to show it, it can be found and removed. Errors: 409 `limit_reached`.
 */
export async function storePicture(
  db: DataSource,
  store: PictureStore,
  picture: { workspace_id: string; key: StoredKey; content: Uint8Array },
): Promise<void> {
  const { workspace_id, key, content } = picture;
  await transaction(db, (tx) => recordPicture(tx, workspace_id, key, content.length));
  await store.put(key, content);
}

async function recordPicture(tx: Tx, workspaceId: string, key: StoredKey, bytes: number): Promise<void> {
  const { others } = await one<{ others: number }>(
    tx,
    `SELECT count(*)::int AS others FROM pictures WHERE workspace_id = $1 AND key <> $2`,
    [workspaceId, key],
  );
  if (others >= MAX_PICTURES)
    throw new ApiError('limit_reached', `A workspace can have at most ${MAX_PICTURES} pictures.`, {
      details: { limit: MAX_PICTURES },
    });
  await execute(
    tx,
    `INSERT INTO pictures (key, workspace_id, bytes) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET created_at = now()`,
    [key, workspaceId, bytes],
  );
}

/**
 * Returns a page of the pictures and PDFs that nothing shows and that were uploaded before a time, so that
 * those about to be shown stay. `after`: the last key of the previous page.
 */
export function listUnusedPictures(
  tx: Tx,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<StoredKey[]> {
  return column<StoredKey>(
    tx,
    `SELECT p.key FROM pictures p WHERE p.created_at < $1 AND p.key > $2 AND NOT is_picture_shown(p)
     ORDER BY p.key LIMIT $3`,
    [before, after, limit],
  );
}

/**
 * Removes a picture or PDF if nothing shows it still. The row is locked until the file is removed: anyone who
 * uploads it again waits, and then stores it again. Can be repeated. Returns true if it was removed.
 */
export function removeUnusedPicture(
  db: DataSource,
  store: PictureStore,
  { key, before }: { key: StoredKey; before: Date },
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const gone = await column<StoredKey>(
      tx,
      `DELETE FROM pictures p WHERE p.key = $1 AND p.created_at < $2 AND NOT is_picture_shown(p)
     RETURNING p.key`,
      [key, before],
    );
    if (gone.length > 0) await store.remove(key);
    return gone.length > 0;
  });
}
