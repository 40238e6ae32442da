import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The amounts of a workspace's payers in its currency, in addition to its own settings. */
interface AmountsOfPayers {
  has_credit_limits: boolean;
  /** Upgrades of plans whose difference is not on an invoice yet. */
  has_upgrades: boolean;
}

/** Returns which kinds of non-zero amounts payers of a workspace have in its currency. */
export function findAmountsOfPayers(tx: Tx, workspaceId: string): Promise<AmountsOfPayers> {
  return one<AmountsOfPayers>(
    tx,
    `SELECT EXISTS (SELECT FROM companies WHERE workspace_id = $1 AND credit_limit_minor > 0)
              OR EXISTS (SELECT FROM members WHERE workspace_id = $1 AND credit_limit_minor > 0
                AND status <> 'deleted')
              AS has_credit_limits,
            EXISTS (SELECT FROM subscription_charges WHERE workspace_id = $1 AND invoice_id IS NULL
              AND net_minor <> 0)
              OR EXISTS (SELECT FROM tier_changes WHERE workspace_id = $1 AND state <> 'done')
              AS has_upgrades`,
    [workspaceId],
  );
}
