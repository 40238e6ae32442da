import type { Principal } from '../../domain/policies.js';
import type { Tx } from '../transaction.js';

/** Writes down a configuration change, in the transaction that makes it (spec.md, "Audit log"). */
export async function audit(
  tx: Tx,
  by: Pick<Principal, 'workspace_id' | 'member_id' | 'key_id'>,
  entry: { action: string; object: string; details: Record<string, unknown> },
): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (workspace_id, action, actor, object, details) VALUES ($1, $2, $3, $4, $5)`,
    [
      by.workspace_id,
      entry.action,
      { member_id: by.member_id, key_id: by.key_id },
      entry.object,
      entry.details,
    ],
  );
}
