import { column, exists, many } from '../../query.js';
import type { AccountingDue } from '../../entities/accounting.js';
import type { Tx } from '../../transaction.js';

/** An invoice that must be updated in the accounting system. */
export type PendingUpdate = Pick<AccountingDue, 'invoice_id' | 'workspace_id' | 'version'>;

/** Returns workspaces with new updates. They take turns, like the mail queues (`findQueuesWithNewMail`). */
export function findWorkspacesWithNewUpdates(
  tx: Tx,
  { except, turns, limit }: { except: string[]; turns: string[]; limit: number },
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT d.workspace_id FROM accounting_due d
      JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled AND c.status = 'active'
      WHERE d.first_attempt_until = 'infinity' AND d.workspace_id <> ALL ($1)
     GROUP BY d.workspace_id
     ORDER BY coalesce(array_position($2::text[], d.workspace_id), 0), min(d.notified_at) LIMIT $3`,
    [except, turns, limit],
  );
}

/**
 * Returns updates whose workflow must be notified: it has not been, or the worker that made the first attempt
 * is lost.
 */
export function findInvoicesToNotify(tx: Tx): Promise<PendingUpdate[]> {
  return many<PendingUpdate>(
    tx,
    `SELECT d.invoice_id, d.workspace_id, d.version FROM accounting_due d
      JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled AND c.status = 'active'
      WHERE (d.notified_at IS NULL AND d.first_attempt_until IS NULL OR d.first_attempt_until <= now())
        LIMIT 100`,
  );
}

/** True while a connected accounting system lacks an invoice's latest change. */
export function isAccountingUpdatePending(tx: Tx, invoiceId: string): Promise<boolean> {
  return exists(
    tx,
    `SELECT FROM accounting_due d JOIN accounting_connections c ON c.workspace_id = d.workspace_id
      AND c.enabled AND c.status = 'active' WHERE d.invoice_id = $1`,
    [invoiceId],
  );
}

/**
 * Returns a page of the invoices whose workflow was notified more than `seconds` ago and has not completed
 * the update.
 */
export function listOverdueUpdates(
  tx: Tx,
  workspaceId: string,
  seconds: number,
  after: string,
  limit: number,
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT invoice_id FROM accounting_due
     WHERE workspace_id = $1 AND notified_at < now() - make_interval(secs => $2) AND invoice_id > $3
     ORDER BY invoice_id LIMIT $4`,
    [workspaceId, seconds, after, limit],
  );
}
