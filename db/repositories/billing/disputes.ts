import { affected, execute } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { findPaymentByIntent } from './payment-queries.js';
import { STATUS_BY_REFUNDS } from './payments.js';
import { updateRefundedInvoice } from './record-refund.js';

/** A dispute event from the processor, and when it was sent (to the second). */
export interface DisputeNotification {
  payment_intent_id: string;
  account_id: string;
  state: 'open' | 'won' | 'lost';
  at: Date;
}

/**
 * Records that the payer's bank disputes a payment, or how the dispute ended (docs/rules/billing.md#disputes). After a
 * won dispute, payment and invoice get the status that their refunds imply. An event older than the last applied one
 * changes nothing; of two in the same second, the one that ends the dispute is the later. Returns false if the payment
 * is not ours.
 */
export async function recordDispute(tx: Tx, dispute: DisputeNotification): Promise<boolean> {
  const { payment_intent_id, account_id, state, at } = dispute;
  const payment = await findPaymentByIntent(tx, payment_intent_id);
  if (!payment || payment.account_id !== account_id) return false;
  // Locks in the same order as a refund: invoice, then payment.
  await execute(tx, `SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE`, [payment.invoice_id]);
  const changed = await affected(
    tx,
    `UPDATE payments p SET updated_at = now(), dispute_reported_at = $3,
            disputed_at = CASE WHEN $2 = 'won' THEN NULL ELSE coalesce(disputed_at, now()) END,
            status = CASE WHEN $2 <> 'won' THEN 'disputed' ELSE ${STATUS_BY_REFUNDS} END
     WHERE id = $1 AND (dispute_reported_at IS NULL OR dispute_reported_at < $3
                        OR (dispute_reported_at = $3 AND $2 <> 'open'))`,
    [payment.id, state, at],
  );
  if (changed > 0 && state === 'won' && payment.invoice_id)
    await updateRefundedInvoice(tx, payment.invoice_id);
  return true;
}
