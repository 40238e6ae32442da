import { NOW } from '../../db/database-time.js';
import { Extra } from '../../db/entities/extras.js';
import { insertReturning } from '../../db/insert.js';
import { many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** Extras of a workspace, locked in order of id. Bookings that take of their stock, and edits, take this lock first. */
export async function lockExtras(tx: Tx, workspaceId: string, ids: string[]): Promise<Extra[]> {
  return many<Extra>(
    tx,
    `SELECT * FROM extras WHERE id = ANY ($2) AND workspace_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, ids],
  );
}

/** Stores an extra and returns it. */
export const insertExtra = (tx: Tx, extra: Omit<Extra, 'created_at' | 'updated_at'>): Promise<Extra> =>
  insertReturning(tx, Extra, extra);

/** Changes an extra and returns it. Existing bookings keep its terms. */
export async function updateExtra(tx: Tx, id: string, changes: Partial<Extra>): Promise<Extra> {
  await tx.update(Extra, { id }, { ...changes, updated_at: NOW });
  return tx.findOneByOrFail(Extra, { id });
}
