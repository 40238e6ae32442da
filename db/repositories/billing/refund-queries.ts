import { many } from '../../query.js';
import type { Payment } from '../../rows.js';
import { repository } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A refund by its row's id. */
export function findRefund(tx: Tx, refundId: string): Promise<Payment | null> {
  return repository(tx, 'payments').findOneBy({ id: refundId, kind: 'refund' });
}

/** Refunds by their rows' ids, in the order given. */
export async function findRefundsById(tx: Tx, refundIds: string[]): Promise<Payment[]> {
  if (refundIds.length === 0) return [];
  return many<Payment>(
    tx,
    `SELECT * FROM payments WHERE id = ANY ($1) AND kind = 'refund' ORDER BY array_position($1, id)`,
    [refundIds],
  );
}

/** The refund with this id at the processor, or null. */
export function findRefundByProcessorId(tx: Tx, processorRefundId: string): Promise<Payment | null> {
  return repository(tx, 'payments').findOneBy({ processor_refund_id: processorRefundId });
}

/** The refunds of an account that lacked balance and are to be tried again; at most 1,000. */
export function listUnfundedRefunds(
  tx: Tx,
  accountId: string,
): Promise<Pick<Payment, 'id' | 'workspace_id'>[]> {
  return many<Pick<Payment, 'id' | 'workspace_id'>>(
    tx,
    `SELECT id, workspace_id FROM payments
     WHERE account_id = $1 AND status = 'pending' AND unfunded_since IS NOT NULL ORDER BY created_at LIMIT 1000`,
    [accountId],
  );
}
