import { exists, maybeOne, one } from '../../query.js';
import type { ProcessorStatus } from '../../../domain/states.js';
import type { Tx } from '../../transaction.js';

/** The facts that decide whether a workspace can take payments. */
export interface PaymentAccount {
  processor_account_id: string | null;
  processor_status: ProcessorStatus;
  checkout_hold_seconds: number;
  recovering_since: Date | null;
}

/** Returns the facts that decide whether a workspace can take payments, in one statement. */
export function findPaymentAccount(tx: Tx, workspaceId: string): Promise<PaymentAccount> {
  return one<PaymentAccount>(
    tx,
    `SELECT processor_account_id, processor_status, checkout_hold_seconds,
      recovering_since(w.id) AS recovering_since
     FROM workspaces w WHERE id = $1`,
    [workspaceId],
  );
}

/** Returns whether payments are paused on any account that has to be read. */
export const hasRecoveringAccounts = (tx: Tx): Promise<boolean> =>
  exists(tx, `SELECT FROM account_reads WHERE recovering_since IS NOT NULL AND next_read_at <= now()`);

/**
 * Returns since when a workspace has been recovering, and how many of its accounts are still to be read; null
 * if payments are not paused there.
 */
export function findRecovery(
  tx: Tx,
  workspaceId: string,
): Promise<{ since: Date; accounts_left: number } | null> {
  return maybeOne<{ since: Date; accounts_left: number }>(
    tx,
    `SELECT min(recovering_since) AS since, count(*)::integer AS accounts_left FROM account_reads
     WHERE workspace_id = $1 AND recovering_since IS NOT NULL HAVING count(*) > 0`,
    [workspaceId],
  );
}
