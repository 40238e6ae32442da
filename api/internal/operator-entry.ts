import { audit, type System } from '../../commands/audit-log/audit.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Stores an entry about an internal action that has none otherwise, if the operator who asked for it gave
 * their name (docs/operations.md#internal-actions).
 */
export async function auditOperator(
  tx: Tx,
  by: System & { workspace_id: string },
  entry: Parameters<typeof audit>[2],
): Promise<void> {
  if (by.operator !== undefined) await audit(tx, by, entry);
}
