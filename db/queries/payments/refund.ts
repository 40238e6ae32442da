import { many } from '../../query.js';
import { Payment } from '../../entities/payments.js';
import type { Tx } from '../../transaction.js';

/** Returns a refund by its row's id. */
export function findRefund(tx: Tx, refundId: string): Promise<Payment | null> {
  return tx.findOneBy(Payment, { id: refundId, kind: 'refund' });
}

/** Lists all refunds of a payment. */
export function listPaymentRefunds(tx: Tx, paymentId: string): Promise<Payment[]> {
  return tx.findBy(Payment, { refund_of: paymentId });
}

/** Returns refunds by their rows' ids, in the given order. */
export async function findRefundsById(tx: Tx, refundIds: string[]): Promise<Payment[]> {
  if (refundIds.length === 0) return [];
  return many<Payment>(
    tx,
    `SELECT * FROM payments WHERE id = ANY ($1) AND kind = 'refund' ORDER BY array_position($1, id)`,
    [refundIds],
  );
}

/**
 * What caused a refund, with the operator's reason if there was one, or a payment that its payer did not
 * make.
 */
export interface PaymentCause {
  kind: 'cancel' | 'change' | 'adjustment' | 'late' | 'autopay';
  reason: string | null;
}

/** Returns the causes of payments and refunds, by id; those made directly are missing. */
export async function findPaymentCauses(tx: Tx, paymentIds: string[]): Promise<Map<string, PaymentCause>> {
  const rows = await many<PaymentCause & { id: string }>(
    tx,
    `SELECT r.id, coalesce(c.kind, CASE WHEN r.adjustment_id IS NOT NULL THEN 'adjustment'
      ELSE 'late' END) AS kind,
            CASE WHEN c.kind = 'cancel'
              THEN audited_reason(r.workspace_id, 'booking.cancelled', r.booking_id, c.finished_at)
              ELSE a.reason END AS reason
     FROM payments r JOIN payments p ON p.id = r.refund_of
     LEFT JOIN adjustments a ON a.id = r.adjustment_id
     LEFT JOIN booking_changes c ON c.booking_id = r.booking_id AND c.outcome -> 'refund_ids' ? r.id
     WHERE r.id = ANY ($1) AND r.kind = 'refund'
       AND (c.id IS NOT NULL OR r.adjustment_id IS NOT NULL OR p.refusal IS NOT NULL)
     UNION ALL SELECT p.id, 'autopay', NULL FROM payments p
     WHERE p.id = ANY ($1) AND paid_by_autopay(p)`,
    [paymentIds],
  );
  return new Map(rows.map(({ id, ...cause }) => [id, cause]));
}

export interface Refund {
  id: string;
  amount_minor: number;
  settled_at: Date;
  /**
   * The number of its own credit note or that of its adjustment, one that is not cancelled if possible; null
   * for money that was never billed.
   */
  credit_note: string | null;
}

/** Lists the successful refunds of the payments of a booking or an invoice, oldest first. */
export function listRefunds(tx: Tx, of: { booking_id: string } | { invoice_id: string }): Promise<Refund[]> {
  return many<Refund>(
    tx,
    `SELECT r.id, r.amount_minor, r.settled_at, d.number AS credit_note
     FROM payments r
     LEFT JOIN LATERAL (
       SELECT d.number FROM invoice_documents d
       WHERE d.invoice_id = r.invoice_id AND due_source(d) IN (r.id, r.adjustment_id)
       ORDER BY is_cancelled(d), starts_with(d.source_id, r.id) DESC LIMIT 1) d ON true
     WHERE (r.booking_id = $1 OR r.invoice_id = $2) AND r.kind = 'refund' AND r.status = 'succeeded'
       ORDER BY r.settled_at, r.id`,
    ['booking_id' in of ? of.booking_id : null, 'invoice_id' in of ? of.invoice_id : null],
  );
}

/** Returns the refund with this id at the processor, or null. */
export function findRefundByProcessorId(tx: Tx, processorRefundId: string): Promise<Payment | null> {
  return tx.findOneBy(Payment, { processor_refund_id: processorRefundId });
}

/** Lists the refunds of an account that lacked balance and are to be retried; at most 1,000. */
export function listUnfundedRefunds(
  tx: Tx,
  accountId: string,
): Promise<Pick<Payment, 'id' | 'workspace_id'>[]> {
  return many<Pick<Payment, 'id' | 'workspace_id'>>(
    tx,
    `SELECT id, workspace_id FROM payments
     WHERE account_id = $1 AND status = 'pending' AND unfunded_since IS NOT NULL ORDER BY created_at
       LIMIT 1000`,
    [accountId],
  );
}
