import { maybeOne } from '../../query.js';
import type { Adjustment } from '../../entities/invoices.js';
import type { Tx } from '../../transaction.js';

/** A correction of a paid invoice: a further invoice, or refunds. Amounts in minor units. */
export type AdjustmentRow = Adjustment & {
  refund_ids: string[];
};

/** Returns an adjustment of a workspace, or null. */
export function findAdjustment(tx: Tx, workspaceId: string, id: string): Promise<AdjustmentRow | null> {
  return maybeOne<AdjustmentRow>(
    tx,
    `SELECT a.*, ARRAY(SELECT r.id FROM payments r WHERE r.adjustment_id = a.id
      ORDER BY r.created_at, r.id) AS refund_ids
     FROM adjustments a WHERE a.id = $1 AND a.workspace_id = $2`,
    [id, workspaceId],
  );
}
