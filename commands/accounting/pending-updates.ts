import { affected, execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import type { AccountingInvoice } from '../../db/queries/accounting/invoice-view.js';
import type { PendingUpdate } from '../../db/queries/accounting/pending-update.js';

const ENQUEUE_UPDATE = {
  name: 'enqueue_accounting_update',
  text: `INSERT INTO accounting_due (invoice_id, workspace_id)
     SELECT i.id, i.workspace_id FROM invoices i
     JOIN accounting_connections c ON c.workspace_id = i.workspace_id
     WHERE i.id = $1 AND (c.enabled AND c.status <> 'disconnected' AND i.status IN ('paid', 'refunded')
       OR EXISTS (SELECT FROM accounting_documents d WHERE d.invoice_id = i.id))
     ON CONFLICT (invoice_id) DO UPDATE SET version = accounting_due.version + 1, notified_at = NULL`,
};

/**
 * Enqueues an update of the accounting system, in the transaction that changes a locked invoice. A workspace without a
 * connection, or with one that it has ended, needs none, nor does an open invoice, which the hourly job sends. For a
 * document that is in the accounting system, the update is enqueued even while the connection is disabled, and waits
 * until it is enabled again.
 */
export async function enqueueAccountingUpdate(tx: Tx, invoiceId: string): Promise<void> {
  await execute(tx, ENQUEUE_UPDATE, [invoiceId]);
}

/** Records that an invoice's workflow was notified of this version, unless there is a newer one. */
export async function markInvoiceNotified(tx: Tx, { invoice_id, version }: PendingUpdate): Promise<void> {
  await execute(tx, `UPDATE accounting_due SET notified_at = now() WHERE invoice_id = $1 AND version = $2`, [
    invoice_id,
    version,
  ]);
}

/** Enqueues all pending updates of a workspace again, after it was connected. */
export async function requeueAccountingUpdates(tx: Tx, workspaceId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE accounting_due SET notified_at = NULL, version = version + 1 WHERE workspace_id = $1`,
    [workspaceId],
  );
}

const COMPLETE_UPDATE = {
  name: 'complete_accounting_update',
  text: `WITH completed AS (DELETE FROM accounting_due WHERE invoice_id = $1 AND version = $2)
     UPDATE invoices SET accounting_error = NULL WHERE id = $1 AND accounting_error IS NOT NULL`,
};

/**
 * Completes the update of an invoice whose ledger and accounting system agree, unless the invoice has changed since this
 * version (null: no update was pending). Its error is gone.
 */
export async function completeAccountingUpdate(
  tx: Tx,
  { id, due_version }: Pick<AccountingInvoice, 'id' | 'due_version'>,
): Promise<void> {
  await execute(tx, COMPLETE_UPDATE, [id, due_version]);
}

/** Shows, on every invoice that waits to be sent, why nothing is sent now. Returns how many wait. */
export function setErrorOfWaiting(tx: Tx, workspaceId: string, message: string): Promise<number> {
  return affected(
    tx,
    `UPDATE invoices i SET accounting_error = $2 WHERE i.workspace_id = $1 AND (
       EXISTS (SELECT FROM accounting_due d WHERE d.invoice_id = i.id)
       OR i.status IN ('open', 'authorised') AND i.total_minor > 0 AND NOT EXISTS (
         SELECT FROM accounting_documents d WHERE d.source_id = i.id AND d.accounting_id IS NOT NULL))`,
    [workspaceId, message],
  );
}

/** Stores the error that operators see while the accounting system does not agree with an invoice; null for none. */
export async function setAccountingError(tx: Tx, invoiceId: string, message: string | null): Promise<void> {
  await execute(
    tx,
    `UPDATE invoices SET accounting_error = $2 WHERE id = $1 AND accounting_error IS DISTINCT FROM $2`,
    [invoiceId, message],
  );
}
