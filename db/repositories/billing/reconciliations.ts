import type { ComparedPayment, ReconciliationReport } from '../../../domain/reconciliation.js';
import type { Tx } from '../../transaction.js';

export interface Reconciliation {
  id: string;
  workspace_id: string;
  /** `[from, to)` on the invoices' `created_at`. */
  from_at: Date;
  to_at: Date;
  created_at: Date;
  report: ReconciliationReport | null;
}

/** Begins a reconciliation; beginning the same one again changes nothing. */
export async function insertReconciliation(
  tx: Tx,
  run: Pick<Reconciliation, 'id' | 'workspace_id' | 'from_at' | 'to_at'>,
): Promise<void> {
  await tx.query(
    `INSERT INTO reconciliations (id, workspace_id, from_at, to_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [run.id, run.workspace_id, run.from_at, run.to_at],
  );
}

/** A reconciliation by its id. */
export async function findReconciliation(tx: Tx, id: string): Promise<Reconciliation | null> {
  const rows = await tx.query(`SELECT * FROM reconciliations WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/** Keeps the report, and lets go of what it was made from. */
export async function saveReport(tx: Tx, id: string, report: ReconciliationReport): Promise<void> {
  await tx.query(`UPDATE reconciliations SET report = $2 WHERE id = $1`, [id, report]);
  await tx.query(`DELETE FROM reconciliation_charges WHERE reconciliation_id = $1`, [id]);
}

/** A charge that the processor has. */
export interface SavedCharge {
  charge_id: string;
  payment_intent_id: string | null;
  amount_minor: number;
  refunded_minor: number;
  currency: string;
  created_at: Date;
}

/** Keeps what the processor says while a reconciliation compares; the last word on a charge counts. */
export async function saveCharges(tx: Tx, id: string, charges: SavedCharge[]): Promise<void> {
  await tx.query(
    `INSERT INTO reconciliation_charges
     SELECT $1, c.* FROM jsonb_to_recordset($2::jsonb) AS c (charge_id text, payment_intent_id text,
       amount_minor bigint, refunded_minor bigint, currency char(3), created_at timestamptz)
     ON CONFLICT (reconciliation_id, charge_id)
     DO UPDATE SET amount_minor = excluded.amount_minor, refunded_minor = excluded.refunded_minor`,
    [id, JSON.stringify(charges)],
  );
}

/** The invoices of a reconciliation, in the order of their ids. */
export async function listReconciled(
  tx: Tx,
  { workspace_id, from_at, to_at }: Reconciliation,
): Promise<
  {
    id: string;
    status: string;
    currency: string;
    total_minor: number;
    received_minor: number;
    given_back_minor: number;
    accounting_error: string | null;
    owed: boolean;
    /** The books have it, or should. */
    kept: boolean;
  }[]
> {
  return tx.query(
    `SELECT i.id, i.status, i.currency, i.total_minor, i.accounting_error, d.invoice_id IS NOT NULL AS owed,
            coalesce(c.enabled AND (i.paid_at > c.connected_at OR EXISTS (
              SELECT FROM accounting_documents doc WHERE doc.invoice_id = i.id)), false) AS kept,
            coalesce(money.received, 0)::bigint AS received_minor, coalesce(money.back, 0)::bigint AS given_back_minor
     FROM invoices i
     LEFT JOIN accounting_connections c ON c.workspace_id = i.workspace_id
     LEFT JOIN accounting_due d ON d.invoice_id = i.id
     LEFT JOIN LATERAL (
       SELECT sum(p.amount_minor - p.excess_minor) AS received,
              sum(greatest(0, p.refunded_minor - p.excess_minor)) AS back
       FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed'
     ) money ON true
     WHERE i.workspace_id = $1 AND i.created_at >= $2 AND i.created_at < $3 ORDER BY i.id`,
    [workspace_id, from_at, to_at],
  );
}

/** The payments through the processor of a reconciliation's time, each with the charge that was found for it. */
export async function listComparedPayments(
  tx: Tx,
  { id, workspace_id, from_at, to_at }: Reconciliation,
): Promise<ComparedPayment[]> {
  return tx.query(
    `SELECT p.id AS payment_id, p.invoice_id, p.amount_minor, p.refunded_minor, p.currency,
            CASE WHEN c.charge_id IS NOT NULL THEN json_build_object('amount_minor', c.amount_minor,
              'refunded_minor', c.refunded_minor, 'currency', c.currency) END AS charge
     FROM payments p LEFT JOIN invoices i ON i.id = p.invoice_id
     LEFT JOIN reconciliation_charges c
       ON c.reconciliation_id = $1 AND c.payment_intent_id = p.processor_payment_intent_id
     WHERE p.workspace_id = $2 AND p.kind <> 'refund' AND p.account_id IS NOT NULL AND p.status <> 'failed'
       AND coalesce(i.created_at, p.created_at) >= $3 AND coalesce(i.created_at, p.created_at) < $4
     ORDER BY p.id`,
    [id, workspace_id, from_at, to_at],
  );
}

/** The charges of a reconciliation's time that no payment of the workspace stands for. */
export async function listUnknownCharges(
  tx: Tx,
  { id, workspace_id, from_at, to_at }: Reconciliation,
): Promise<SavedCharge[]> {
  return tx.query(
    `SELECT c.* FROM reconciliation_charges c
     WHERE c.reconciliation_id = $1 AND c.created_at >= $3 AND c.created_at < $4 AND NOT EXISTS (
       SELECT FROM payments p WHERE p.workspace_id = $2 AND p.kind <> 'refund'
         AND p.processor_payment_intent_id = c.payment_intent_id)
     ORDER BY c.charge_id`,
    [id, workspace_id, from_at, to_at],
  );
}

/** The workspaces that have money at the processor or books to be compared with. */
export async function listReconcilable(tx: Tx, workspaceId: string | undefined): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT w.id FROM workspaces w LEFT JOIN accounting_connections c ON c.workspace_id = w.id
     WHERE (w.processor_account_id IS NOT NULL OR c.enabled) AND ($1::text IS NULL OR w.id = $1) ORDER BY w.id`,
    [workspaceId ?? null],
  );
  return rows.map((row) => row.id);
}
