import type { ReconciliationReport } from '../../../domain/reconciliation.js';
import { execute } from '../../query.js';
import { insertIfAbsent, remove, update } from '../../tables.js';
import type { Tx } from '../../transaction.js';
import type { ComparedDispute } from './dispute-queries.js';
import type { Reconciliation, SavedCharge } from './reconciliation-queries.js';

/** Stores a new reconciliation. Storing the same one again changes nothing. */
export async function insertReconciliation(
  tx: Tx,
  reconciliation: Pick<Reconciliation, 'id' | 'workspace_id' | 'from_at' | 'to_at'>,
): Promise<void> {
  await insertIfAbsent(tx, 'reconciliations', reconciliation);
}

/** Stores the report, and deletes the charges and disputes that it was computed from. */
export async function saveReport(tx: Tx, id: string, report: ReconciliationReport): Promise<void> {
  await update(tx, 'reconciliations', { id }, { report });
  await remove(tx, 'reconciliation_charges', { reconciliation_id: id });
  await remove(tx, 'reconciliation_disputes', { reconciliation_id: id });
}

/** Stores the processor's charges for a reconciliation. A charge that is stored again replaces its earlier version. */
export async function saveCharges(tx: Tx, id: string, charges: SavedCharge[]): Promise<void> {
  await execute(
    tx,
    `INSERT INTO reconciliation_charges (reconciliation_id, charge_id, payment_intent_id, amount_minor,
                                         refunded_minor, currency, owner_id, created_at)
     SELECT $1, charge_id, payment_intent_id, amount_minor, refunded_minor, currency, owner_id, created_at
     FROM jsonb_populate_recordset(NULL::reconciliation_charges, $2::jsonb)
     ON CONFLICT (reconciliation_id, charge_id)
     DO UPDATE SET amount_minor = excluded.amount_minor, refunded_minor = excluded.refunded_minor`,
    [id, JSON.stringify(charges)],
  );
}

/** Stores disputes of the processor while a reconciliation compares; the last version of a dispute counts. */
export async function saveDisputes(tx: Tx, id: string, disputes: ComparedDispute[]): Promise<void> {
  await execute(
    tx,
    `INSERT INTO reconciliation_disputes (reconciliation_id, dispute_id, payment_intent_id, withdrawn_minor)
     SELECT $1, id, payment_intent_id, withdrawn_minor
     FROM jsonb_to_recordset($2::jsonb) AS d (id text, payment_intent_id text, withdrawn_minor bigint)
     ON CONFLICT (reconciliation_id, dispute_id) DO UPDATE SET withdrawn_minor = excluded.withdrawn_minor`,
    [id, JSON.stringify(disputes)],
  );
}
