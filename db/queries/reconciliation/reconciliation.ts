import type { ComparedPayment, ReconciliationReport } from '../../../domain/reconciliation/differences.js';
import type { InvoiceStatus } from '../../../domain/states.js';
import { column, many, maybeOne } from '../../query.js';
import { Reconciliation, type ReconciliationCharge } from '../../entities/reconciliation.js';
import type { Tx } from '../../transaction.js';

export type SavedCharge = Omit<ReconciliationCharge, 'reconciliation_id'>;

/** Returns a reconciliation by its id. */
export function findReconciliation(tx: Tx, id: string): Promise<Reconciliation | null> {
  return tx.findOneBy(Reconciliation, { id });
}

/**
 * Returns the newest finished comparison of a workspace, nightly or requested by a person; null if there is
 * none.
 */
export const findLastReport = (
  tx: Tx,
  workspaceId: string,
): Promise<{ created_at: Date; report: ReconciliationReport } | null> =>
  maybeOne(
    tx,
    `SELECT created_at, report FROM reconciliations WHERE workspace_id = $1 AND report IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
    [workspaceId],
  );

/** A charge without a payment in the ledger, or whose payment is recorded as failed. */
export type UnknownCharge = SavedCharge & { failed_payment_id: string | null; invoice_id: string | null };

/** A compared payment, and the account of its charge. */
export interface StoredPayment extends ComparedPayment {
  account_id: string;
  payment_intent_id: string;
}

/** An invoice of a reconciliation. Amounts in minor units. */
export interface ReconciledInvoice {
  id: string;
  status: InvoiceStatus;
  currency: string;
  total_minor: number;
  received_minor: number;
  created_at: Date;
  accounting_error: string | null;
  /** The accounting system does not have its latest change yet. */
  update_pending: boolean;
  /** The accounting system has it, or should have it. */
  in_accounting: boolean;
}

/** Returns the parameters `$1` to `$4`: the reconciliation, its workspace and its period. */
const periodParameters = ({ id, workspace_id, from_at, to_at }: Reconciliation): unknown[] => [
  id,
  workspace_id,
  from_at,
  to_at,
];

/** Lists the invoices of a reconciliation, by id. */
export function listReconciledInvoices(tx: Tx, run: Reconciliation): Promise<ReconciledInvoice[]> {
  return many<ReconciledInvoice>(
    tx,
    `WITH moved AS (SELECT * FROM moved_payments($1, $2, $3, $4)), of_period AS (
       SELECT id FROM invoices WHERE workspace_id = $2 AND created_at >= $3 AND created_at < $4
       UNION SELECT invoice_id FROM moved WHERE invoice_id IS NOT NULL
     )
     SELECT i.id, i.status, i.currency, i.total_minor, i.created_at, i.accounting_error,
            d.invoice_id IS NOT NULL AS update_pending,
            coalesce(c.enabled AND c.status <> 'disconnected' AND (d.invoice_id IS NOT NULL OR EXISTS (
              SELECT FROM accounting_documents doc WHERE doc.invoice_id = i.id)), false) AS in_accounting,
            (SELECT coalesce(sum(p.amount_minor - p.excess_minor), 0)::bigint FROM payments p
             WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed') AS received_minor
     FROM of_period CROSS JOIN LATERAL (SELECT * FROM invoices WHERE id = of_period.id OFFSET 0) i
     LEFT JOIN accounting_connections c ON c.workspace_id = i.workspace_id
     LEFT JOIN accounting_due d ON d.invoice_id = i.id
     ORDER BY i.id`,
    periodParameters(run),
  );
}

/** Returns what moved in a reconciliation's period according to the ledger, in each currency. */
export function sumMovedMoney(
  tx: Tx,
  run: Reconciliation,
): Promise<{ currency: string; moved_minor: number }[]> {
  return many<{ currency: string; moved_minor: number }>(
    tx,
    `WITH moved AS (SELECT * FROM moved_payments($1, $2, $3, $4))
     SELECT p.currency, sum(moved_minor(p, $3, $4))::bigint AS moved_minor FROM moved p GROUP BY p.currency`,
    periodParameters(run),
  );
}

/**
 * Lists the payments through the processor of a reconciliation's invoices, and those that moved money without
 * an invoice, each with its charge there.
 */
export function listComparedPayments(tx: Tx, run: Reconciliation): Promise<StoredPayment[]> {
  return many<StoredPayment>(
    tx,
    `WITH moved AS (SELECT * FROM moved_payments($1, $2, $3, $4)), of_period AS (
       SELECT id FROM invoices WHERE workspace_id = $2 AND created_at >= $3 AND created_at < $4
       UNION SELECT invoice_id FROM moved WHERE invoice_id IS NOT NULL
     )
     SELECT p.id AS payment_id, p.invoice_id, p.amount_minor, p.refunded_minor, p.disputed_minor, p.currency,
            p.account_id, p.processor_payment_intent_id AS payment_intent_id,
            moved_minor(p, $3, $4) AS moved_minor, moved_at(p) >= $3
              AND moved_at(p) < $4 AS is_received_within,
            CASE WHEN c.charge_id IS NOT NULL THEN json_build_object('amount_minor', c.amount_minor,
              'refunded_minor', c.refunded_minor, 'currency', c.currency, 'disputed_minor', (
                SELECT coalesce(sum(d.withdrawn_minor), 0) FROM reconciliation_disputes d
                WHERE d.reconciliation_id = $1 AND d.payment_intent_id = c.payment_intent_id)) END AS charge
     FROM (
       SELECT p.* FROM of_period
       CROSS JOIN LATERAL (SELECT * FROM payments WHERE invoice_id = of_period.id OFFSET 0) p
       UNION ALL
       SELECT * FROM moved WHERE invoice_id IS NULL
     ) p
     LEFT JOIN reconciliation_charges c
       ON c.reconciliation_id = $1 AND c.payment_intent_id = p.processor_payment_intent_id
     WHERE p.kind <> 'refund' AND p.account_id IS NOT NULL AND p.status <> 'failed'
     ORDER BY p.id`,
    periodParameters(run),
  );
}

/**
 * Lists the charges in a reconciliation's period that the service created and that belong to no payment of
 * the workspace, or to one that is recorded as failed. Charges without an owner are other business on the
 * account.
 */
export function listUnknownCharges(tx: Tx, run: Reconciliation): Promise<UnknownCharge[]> {
  return many<UnknownCharge>(
    tx,
    `SELECT c.*, p.id AS failed_payment_id, p.invoice_id
     FROM reconciliation_charges c LEFT JOIN payments p ON p.workspace_id = $2 AND p.kind <> 'refund'
       AND p.processor_payment_intent_id = c.payment_intent_id
     WHERE c.reconciliation_id = $1 AND c.owner_id IS NOT NULL AND c.created_at >= $3 AND c.created_at < $4
       AND (p.id IS NULL OR p.status = 'failed')
     ORDER BY c.charge_id`,
    periodParameters(run),
  );
}

/** Returns a page of a reconciliation's invoices of which the accounting system has a document, by id. */
export function listInvoicesToReadBack(
  tx: Tx,
  run: Reconciliation,
  after: string,
  limit: number,
): Promise<string[]> {
  return column<string>(
    tx,
    `WITH moved AS (SELECT * FROM moved_payments($1, $2, $3, $4)), of_period AS (
       SELECT id FROM invoices WHERE workspace_id = $2 AND created_at >= $3 AND created_at < $4
       UNION SELECT invoice_id FROM moved WHERE invoice_id IS NOT NULL
     )
     SELECT id FROM of_period
     WHERE id > $5 AND EXISTS (SELECT FROM accounting_documents d
                   WHERE d.invoice_id = of_period.id AND d.kind = 'invoice' AND d.accounting_id IS NOT NULL)
     ORDER BY id LIMIT $6`,
    [...periodParameters(run), after, limit],
  );
}

/**
 * Returns a page of the workspaces with a processor account or an accounting system to compare with, by id.
 */
export function listReconcilableWorkspaces(
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId?: string; after: string; limit: number },
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT w.id FROM workspaces w LEFT JOIN accounting_connections c ON c.workspace_id = w.id
     WHERE (w.processor_account_id IS NOT NULL OR c.enabled AND c.status <> 'disconnected')
       AND ($1::text IS NULL OR w.id = $1) AND w.id > $2 ORDER BY w.id LIMIT $3`,
    [workspaceId ?? null, after, limit],
  );
}
