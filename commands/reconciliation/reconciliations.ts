import type { DataSource } from 'typeorm';
import type { Principal } from '../../domain/policies.js';
import type { ReconciliationReport } from '../../domain/reconciliation/differences.js';
import { newId } from '../../db/ids.js';
import { execute, maybeOne } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import {
  Reconciliation,
  ReconciliationCharge,
  ReconciliationDispute,
} from '../../db/entities/reconciliation.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { ComparedDispute } from '../../db/queries/payments/dispute.js';
import type { SavedCharge } from '../../db/queries/reconciliation/reconciliation.js';

/** Stores a new reconciliation. Storing the same one again changes nothing. */
export async function insertReconciliation(
  tx: Tx,
  reconciliation: Pick<Reconciliation, 'id' | 'workspace_id' | 'from_at' | 'to_at'>,
): Promise<void> {
  await insertIfAbsent(tx, Reconciliation, reconciliation);
}

/**
 * Returns the id of the caller's running reconciliation of a period, or of a new one. Concurrent calls get
 * the same one.
 */
export const requestReconciliation = (
  db: DataSource,
  { workspace_id }: Principal,
  { from, to }: { from: Date; to: Date },
): Promise<string> =>
  transaction(db, async (tx) => {
    await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('reconciliations'), hashtext($1))`, [
      workspace_id,
    ]);
    const running = await maybeOne<{ id: string }>(
      tx,
      `SELECT id FROM reconciliations
       WHERE workspace_id = $1 AND from_at = $2 AND to_at = $3 AND report IS NULL
         AND created_at > now() - interval '1 day'
       ORDER BY created_at DESC LIMIT 1`,
      [workspace_id, from, to],
    );
    const id = running?.id ?? newId('rec');
    if (!running) await insertReconciliation(tx, { id, workspace_id, from_at: from, to_at: to });
    return id;
  });

/** Stores the report, and deletes the charges and disputes from which it was computed. */
export async function saveReport(tx: Tx, id: string, report: ReconciliationReport): Promise<void> {
  await tx.update(Reconciliation, { id }, { report });
  await tx.delete(ReconciliationCharge, { reconciliation_id: id });
  await tx.delete(ReconciliationDispute, { reconciliation_id: id });
}

/**
 * Stores the processor's charges for a reconciliation. A charge that is stored again replaces its earlier
 * version.
 */
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

/**
 * Stores the processor's disputes for a reconciliation. A dispute that is stored again replaces its earlier
 * version.
 */
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
