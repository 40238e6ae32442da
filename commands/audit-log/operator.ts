import type { DataSource } from 'typeorm';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit, type System } from './audit.js';

/**
 * Stores an entry about an internal action that is not audited otherwise, if the operator who requested it
 * gave their name (docs/guides/operator-commands.md#internal-actions).
 */
export async function auditOperator(
  tx: Tx,
  by: System & { workspace_id: string },
  entry: Parameters<typeof audit>[2],
): Promise<void> {
  if (by.operator !== undefined) await audit(tx, by, entry);
}

/** Does the same for an action that changes nothing here. */
export const recordOperator = (
  db: DataSource,
  by: System & { workspace_id: string },
  entry: Parameters<typeof audit>[2],
): Promise<void> => transaction(db, (tx) => auditOperator(tx, by, entry));
