import { affected, execute, many, maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import type { AccountingInvoice } from '../../db/queries/accounting/invoice-view.js';
import type { PendingUpdate } from '../../db/queries/accounting/pending-update.js';

const ENQUEUE_UPDATE = {
  name: 'enqueue_accounting_update',
  text: `INSERT INTO accounting_due AS due (invoice_id, workspace_id, notified_at, first_attempt_until)
     SELECT i.id, i.workspace_id, CASE WHEN NOT begun.yes THEN now() END, CASE WHEN NOT begun.yes
       THEN 'infinity' END::timestamptz
     FROM invoices i JOIN accounting_connections c ON c.workspace_id = i.workspace_id,
     LATERAL (SELECT EXISTS (SELECT FROM accounting_documents d WHERE d.invoice_id = i.id) AS yes) begun
     WHERE i.id = $1 AND (c.enabled AND c.status <> 'disconnected' AND i.status IN ('paid', 'refunded')
       OR begun.yes)
     ON CONFLICT (invoice_id) DO UPDATE SET version = nextval('accounting_due_versions'),
       notified_at = CASE WHEN due.first_attempt_until = 'infinity' THEN due.notified_at END`,
};

/**
 * Enqueues an update of the accounting system, in the transaction that changes a locked invoice. No update is
 * needed for a workspace without a connection or that has ended its connection, nor for an open invoice,
 * which the hourly job sends. For a document that is already in the accounting system, the update is enqueued
 * even while the connection is disabled, and waits until it is enabled again. For an invoice that nobody has
 * started to send, a worker makes the first attempt. All other attempts are made by the invoice's run, which
 * may be writing.
 */
export async function enqueueAccountingUpdate(tx: Tx, invoiceId: string): Promise<void> {
  await execute(tx, ENQUEUE_UPDATE, [invoiceId]);
}

/**
 * Records that an invoice's workflow was notified of this version, unless there is a newer one. From now on,
 * the workflow writes.
 */
export async function markInvoiceNotified(tx: Tx, { invoice_id, version }: PendingUpdate): Promise<void> {
  await execute(
    tx,
    `UPDATE accounting_due SET notified_at = now(), first_attempt_until = NULL WHERE invoice_id = $1
      AND version = $2`,
    [invoice_id, version],
  );
}

/** An update for which a worker makes the first attempt until the claim ends. */
export type ClaimedUpdate = PendingUpdate & { claimed_until: Date };

const CLAIM_UPDATES = {
  name: 'claim_new_accounting_updates',
  text: `UPDATE accounting_due SET first_attempt_until = now() + interval '60 seconds'
     WHERE invoice_id = ANY (ARRAY (
       SELECT d.invoice_id FROM accounting_due d
       JOIN accounting_connections c ON c.workspace_id = d.workspace_id AND c.enabled AND c.status = 'active'
       WHERE d.first_attempt_until = 'infinity' AND d.workspace_id = $1
       ORDER BY d.invoice_id LIMIT $2 FOR NO KEY UPDATE OF d SKIP LOCKED))
     RETURNING invoice_id, workspace_id, version, first_attempt_until AS claimed_until`,
};

/**
 * Claims new updates of a workspace. For a minute, no run and no other worker writes their invoices. After
 * that the worker is considered lost, and the invoice's run makes the next attempt.
 */
export function claimNewUpdates(tx: Tx, workspaceId: string, limit: number): Promise<ClaimedUpdate[]> {
  return many<ClaimedUpdate>(tx, CLAIM_UPDATES, [workspaceId, limit]);
}

/**
 * Ends a claim whose update is not complete. `leave`: the invoice's run starts at once and takes over.
 * `postpone`: wait for the hourly sync, unless the invoice has changed since this version. `release`: another
 * first attempt follows. If the claim had already ended, the invoice's run has taken over and checks the
 * invoice again.
 */
export async function endClaim(
  tx: Tx,
  { invoice_id, version, claimed_until }: ClaimedUpdate,
  then: 'leave' | 'postpone' | 'release',
): Promise<void> {
  const ended = await affected(
    tx,
    `UPDATE accounting_due SET
       first_attempt_until = CASE WHEN $3 = 'release' THEN 'infinity' END::timestamptz,
       notified_at = CASE WHEN $3 = 'release' OR $3 = 'postpone' AND version = $2 THEN now() END
     WHERE invoice_id = $1 AND first_attempt_until = $4`,
    [invoice_id, version, then, claimed_until],
  );
  if (ended === 0) await enqueueAccountingUpdate(tx, invoice_id);
}

/** Leaves all new updates of a workspace to runs. */
export async function leaveNewUpdates(tx: Tx, workspaceId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE accounting_due SET notified_at = NULL, first_attempt_until = NULL
     WHERE workspace_id = $1 AND first_attempt_until = 'infinity'`,
    [workspaceId],
  );
}

/** Takes over an invoice for its run. Returns false while a worker makes the first attempt. */
export async function takeOverUpdate(tx: Tx, invoiceId: string): Promise<boolean> {
  const update = await maybeOne<{ is_claimed: boolean }>(
    tx,
    `UPDATE accounting_due
     SET first_attempt_until = CASE WHEN first_attempt_until > now() AND first_attempt_until < 'infinity'
       THEN first_attempt_until END
     WHERE invoice_id = $1 RETURNING first_attempt_until IS NOT NULL AS is_claimed`,
    [invoiceId],
  );
  return !update?.is_claimed;
}

/** Enqueues all pending updates of a workspace again after it was connected. New ones remain new. */
export async function requeueAccountingUpdates(tx: Tx, workspaceId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE accounting_due SET notified_at = NULL, version = nextval('accounting_due_versions')
     WHERE workspace_id = $1 AND first_attempt_until IS DISTINCT FROM 'infinity'`,
    [workspaceId],
  );
}

const COMPLETE_UPDATE = {
  name: 'complete_accounting_update',
  text: `WITH completed AS (DELETE FROM accounting_due WHERE invoice_id = $1 AND version = $2
    RETURNING invoice_id),
       agreed AS (UPDATE invoices SET accounting_error = NULL WHERE id = $1 AND accounting_error IS NOT NULL)
     SELECT invoice_id FROM completed`,
};

/**
 * Completes the update of an invoice once ledger and accounting system agree, and clears its error. Does
 * nothing if the invoice has changed since this version (null: no update was pending). Returns true if the
 * update was completed.
 */
export async function completeAccountingUpdate(
  tx: Tx,
  { id, due_version }: Pick<AccountingInvoice, 'id' | 'due_version'>,
): Promise<boolean> {
  return (await maybeOne(tx, COMPLETE_UPDATE, [id, due_version])) !== null;
}

/**
 * Sets the message on every invoice that waits to be sent, to show why nothing is sent now. Returns how many
 * invoices wait.
 */
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

/**
 * Stores the error that operators see while the accounting system does not agree with an invoice; null clears
 * it.
 */
export async function setAccountingError(tx: Tx, invoiceId: string, message: string | null): Promise<void> {
  await execute(
    tx,
    `UPDATE invoices SET accounting_error = $2 WHERE id = $1 AND accounting_error IS DISTINCT FROM $2`,
    [invoiceId, message],
  );
}
