import { column, many } from '../../query.js';
import { Dispute } from '../../entities/payments.js';
import type { Tx } from '../../transaction.js';

/** Returns a dispute by the processor's id. */
export function findDispute(tx: Tx, id: string): Promise<Dispute | null> {
  return tx.findOneBy(Dispute, { id });
}

/**
 * Returns a page of the payment intents with a dispute that has not ended, with their workspaces, by intent.
 */
export function listDisputedIntents(
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId?: string; after: string; limit: number },
): Promise<{ payment_intent_id: string; workspace_id: string }[]> {
  return many<{ payment_intent_id: string; workspace_id: string }>(
    tx,
    `SELECT DISTINCT p.processor_payment_intent_id AS payment_intent_id, p.workspace_id
     FROM disputes d JOIN payments p ON p.id = d.payment_id
     WHERE d.status IN ('inquiry', 'open') AND ($1::text IS NULL OR d.workspace_id = $1)
       AND p.processor_payment_intent_id > $2
     ORDER BY 1 LIMIT $3`,
    [workspaceId ?? null, after, limit],
  );
}

/** The fields of a dispute that a reconciliation compares. Amounts in minor units. */
export interface ComparedDispute {
  id: string;
  payment_intent_id: string;
  status: string;
  withdrawn_minor: number;
}

/** Returns the payment intents of a workspace about whose disputes the ledger has other data, or none. */
export function findOutdatedDisputes(
  tx: Tx,
  workspaceId: string,
  disputes: ComparedDispute[],
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT DISTINCT p.processor_payment_intent_id
     FROM jsonb_to_recordset($2::jsonb) theirs (id text, payment_intent_id text, status text,
       withdrawn_minor bigint)
     JOIN payments p ON p.processor_payment_intent_id = theirs.payment_intent_id AND p.kind <> 'refund'
     LEFT JOIN disputes ours ON ours.id = theirs.id
     WHERE p.workspace_id = $1 AND (ours.status IS DISTINCT FROM theirs.status OR theirs.withdrawn_minor <> (
       SELECT coalesce(-sum(m.amount_minor), 0) FROM dispute_movements m WHERE m.dispute_id = theirs.id))`,
    [workspaceId, JSON.stringify(disputes)],
  );
}
