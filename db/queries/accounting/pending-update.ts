import { USABLE } from './connection.js';
import { column, exists, many } from '../../query.js';
import type { AccountingDue } from '../../entities/accounting.js';
import type { Tx } from '../../transaction.js';

/** An invoice that must be updated in the accounting system. */
export type PendingUpdate = Pick<AccountingDue, 'invoice_id' | 'workspace_id' | 'version'>;

/** SQL that joins the usable connection `c` of a pending update `d`. */
const OF_USABLE_CONNECTION = `JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND ${USABLE}`;

/** SQL that is true for an update `d` that nobody has begun: a worker makes the first attempt. */
const IS_NEW = `d.first_attempt_until = 'infinity'`;

/**
 * SQL of new updates, and of the others whose workflow must be notified, of workspaces
 * with a usable connection.
 */
export const NEW_UPDATES = `FROM accounting_due d ${OF_USABLE_CONNECTION} WHERE ${IS_NEW}`;
export const UPDATES_TO_NOTIFY = `FROM accounting_due d ${OF_USABLE_CONNECTION}
  WHERE (d.notified_at IS NULL AND d.first_attempt_until IS NULL OR d.first_attempt_until <= now())`;

/** Workspaces with new updates. They take turns, as queues of mail do (`findQueuesWithNewMail`). */
export function findWorkspacesWithNewUpdates(
  tx: Tx,
  { except, turns, limit }: { except: string[]; turns: string[]; limit: number },
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT d.workspace_id ${NEW_UPDATES} AND d.workspace_id <> ALL ($1)
     GROUP BY d.workspace_id
     ORDER BY coalesce(array_position($2::text[], d.workspace_id), 0), min(d.notified_at) LIMIT $3`,
    [except, turns, limit],
  );
}

/**
 * Updates whose workflow must be notified: it has not been, or the worker that made
 * the first attempt is lost.
 */
export function findInvoicesToNotify(tx: Tx): Promise<PendingUpdate[]> {
  return many<PendingUpdate>(
    tx,
    `SELECT d.invoice_id, d.workspace_id, d.version ${UPDATES_TO_NOTIFY} LIMIT 100`,
  );
}

/** True while a connected accounting system does not have an invoice's last change. */
export function isAccountingUpdatePending(tx: Tx, invoiceId: string): Promise<boolean> {
  return exists(tx, `SELECT FROM accounting_due d ${OF_USABLE_CONNECTION} WHERE d.invoice_id = $1`, [
    invoiceId,
  ]);
}

/** A page of the invoices whose workflow was notified over `seconds` ago and has not completed the update. */
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
