import type { DataSource } from 'typeorm';
import { SsoServiceKey } from '../../db/entities/single-sign-on.js';
import { insertIfAbsent } from '../../db/insert.js';
import { maybeOne } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';

/**
 * Returns the encrypted key and certificate of this service for the provider of a workspace; null before they
 * are first needed.
 */
export const findServiceKey = (tx: Tx, workspaceId: string): Promise<SsoServiceKey | null> =>
  maybeOne<SsoServiceKey>(tx, `SELECT * FROM sso_service_keys WHERE workspace_id = $1`, [workspaceId]);

/** Stores a key, unless the workspace has one by now. Returns the stored key. */
export const storeServiceKey = (
  db: DataSource,
  key: Pick<SsoServiceKey, 'workspace_id' | 'key' | 'certificate'>,
): Promise<SsoServiceKey> =>
  transaction(db, async (tx) => {
    await insertIfAbsent(tx, SsoServiceKey, key);
    return (await findServiceKey(tx, key.workspace_id))!;
  });
