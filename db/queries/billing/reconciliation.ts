import type { ComparedPayment } from '../../../domain/reconciliation.js';
import type { InvoiceStatus } from '../../../domain/states.js';
import { column, many } from '../../query.js';
import { Reconciliation, type ReconciliationCharge } from '../../entities/reconciliations.js';
import type { Tx } from '../../transaction.js';

/** A charge at the processor. */
export type SavedCharge = Omit<ReconciliationCharge, 'reconciliation_id'>;

/** A reconciliation by its id. */
export function findReconciliation(tx: Tx, id: string): Promise<Reconciliation | null> {
  return tx.findOneBy(Reconciliation, { id });
}

/** An invoice of a reconciliation. Amounts in minor units. */
export interface ReconciledInvoice {
  id: string;
  status: InvoiceStatus;
  currency: string;
  total_minor: number;
  received_minor: number;
  refunded_minor: number;
  disputed_minor: number;
  accounting_error: string | null;
  /** The accounting system does not have its last change yet. */
  update_pending: boolean;
  /** The accounting system has it, or should. */
  in_accounting: boolean;
}

/** The invoices of a reconciliation, by id. */
export function listReconciledInvoices(
  tx: Tx,
  { workspace_id, from_at, to_at }: Reconciliation,
): Promise<ReconciledInvoice[]> {
  return many<ReconciledInvoice>(
    tx,
    `SELECT i.id, i.status, i.currency, i.total_minor, i.accounting_error,
            d.invoice_id IS NOT NULL AS update_pending,
            coalesce(c.enabled AND (d.invoice_id IS NOT NULL OR EXISTS (
              SELECT FROM accounting_documents doc WHERE doc.invoice_id = i.id)), false) AS in_accounting,
            coalesce(paid.received, 0)::bigint AS received_minor, coalesce(paid.refunded, 0)::bigint AS refunded_minor,
            coalesce(paid.disputed, 0)::bigint AS disputed_minor
     FROM invoices i
     LEFT JOIN accounting_connections c ON c.workspace_id = i.workspace_id
     LEFT JOIN accounting_due d ON d.invoice_id = i.id
     LEFT JOIN LATERAL (
       SELECT sum(p.amount_minor - p.excess_minor) AS received,
              sum(greatest(0, p.refunded_minor - p.excess_minor)) AS refunded,
              sum(least(p.disputed_minor, p.amount_minor - p.excess_minor)) AS disputed
       FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed'
     ) paid ON true
     WHERE i.workspace_id = $1 AND i.created_at >= $2 AND i.created_at < $3 ORDER BY i.id`,
    [workspace_id, from_at, to_at],
  );
}

/**
 * The payments in a reconciliation's period that the processor received, each with its charge there. Reads the invoices of
 * the period and their payments, not every payment that the workspace ever had.
 */
export function listComparedPayments(
  tx: Tx,
  { id, workspace_id, from_at, to_at }: Reconciliation,
): Promise<ComparedPayment[]> {
  return many<ComparedPayment>(
    tx,
    `SELECT p.id AS payment_id, p.invoice_id, p.amount_minor, p.refunded_minor, p.disputed_minor, p.currency,
            CASE WHEN c.charge_id IS NOT NULL THEN json_build_object('amount_minor', c.amount_minor,
              'refunded_minor', c.refunded_minor, 'currency', c.currency, 'disputed_minor', (
                SELECT coalesce(sum(d.withdrawn_minor), 0) FROM reconciliation_disputes d
                WHERE d.reconciliation_id = $1 AND d.payment_intent_id = c.payment_intent_id)) END AS charge
     FROM (
       SELECT p.* FROM invoices i JOIN payments p ON p.invoice_id = i.id
       WHERE i.workspace_id = $2 AND i.created_at >= $3 AND i.created_at < $4
       UNION ALL
       SELECT p.* FROM payments p
       WHERE p.workspace_id = $2 AND p.invoice_id IS NULL AND p.created_at >= $3 AND p.created_at < $4
     ) p
     LEFT JOIN reconciliation_charges c
       ON c.reconciliation_id = $1 AND c.payment_intent_id = p.processor_payment_intent_id
     WHERE p.kind <> 'refund' AND p.account_id IS NOT NULL AND p.status <> 'failed'
     ORDER BY p.id`,
    [id, workspace_id, from_at, to_at],
  );
}

/**
 * The charges in a reconciliation's period that the service created and that belong to no payment of the workspace.
 * Charges without an owner are other business on the account.
 */
export function listUnknownCharges(
  tx: Tx,
  { id, workspace_id, from_at, to_at }: Reconciliation,
): Promise<SavedCharge[]> {
  return many<SavedCharge>(
    tx,
    `SELECT c.* FROM reconciliation_charges c
     WHERE c.reconciliation_id = $1 AND c.owner_id IS NOT NULL AND c.created_at >= $3 AND c.created_at < $4 AND NOT EXISTS (
       SELECT FROM payments p WHERE p.workspace_id = $2 AND p.kind <> 'refund'
         AND p.processor_payment_intent_id = c.payment_intent_id)
     ORDER BY c.charge_id`,
    [id, workspace_id, from_at, to_at],
  );
}

/** A page of a reconciliation's invoices of which the accounting system has a document, by id. */
export function listInvoicesToReadBack(
  tx: Tx,
  { workspace_id, from_at, to_at }: Reconciliation,
  after: string,
  limit: number,
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT i.id FROM invoices i
     WHERE i.workspace_id = $1 AND i.created_at >= $2 AND i.created_at < $3 AND i.id > $4
       AND EXISTS (SELECT FROM accounting_documents d
                   WHERE d.invoice_id = i.id AND d.kind = 'invoice' AND d.accounting_id IS NOT NULL)
     ORDER BY i.id LIMIT $5`,
    [workspace_id, from_at, to_at, after, limit],
  );
}

/** A page of the workspaces with a processor account or an accounting system to be compared with, by id. */
export function listReconcilableWorkspaces(
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId?: string; after: string; limit: number },
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT w.id FROM workspaces w LEFT JOIN accounting_connections c ON c.workspace_id = w.id
     WHERE (w.processor_account_id IS NOT NULL OR c.enabled)
       AND ($1::text IS NULL OR w.id = $1) AND w.id > $2 ORDER BY w.id LIMIT $3`,
    [workspaceId ?? null, after, limit],
  );
}
