import type { Tx } from '../../transaction.js';
import { findPaymentByIntent, STATUS_BY_REFUNDS } from './payments.js';
import { followInvoice } from './refunds.js';

/** What the processor tells of a dispute, and when it did so (to the second). */
export interface DisputeNotification {
  payment_intent_id: string;
  account_id: string;
  state: 'open' | 'won' | 'lost';
  at: Date;
}

/**
 * Notes that the payer's bank disputes a payment, or how that ended: `won` is as if it had never been, and the invoice
 * then follows what was given back in the meantime. What is told late, after something newer, changes nothing; of two
 * in one second the end is the newer. Returns false where the payment is not ours.
 */
export async function recordDispute(tx: Tx, dispute: DisputeNotification): Promise<boolean> {
  const { payment_intent_id, account_id, state, at } = dispute;
  const payment = await findPaymentByIntent(tx, payment_intent_id);
  if (!payment || payment.account_id !== account_id) return false;
  // The order of locks is that of a refund: invoice, then payment.
  await tx.query(`SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE`, [payment.invoice_id]);
  const [, changed]: [unknown, number] = await tx.query(
    `UPDATE payments p SET updated_at = now(), dispute_reported_at = $3,
            disputed_at = CASE WHEN $2 = 'won' THEN NULL ELSE coalesce(disputed_at, now()) END,
            status = CASE WHEN $2 <> 'won' THEN 'disputed' ELSE ${STATUS_BY_REFUNDS} END
     WHERE id = $1 AND (dispute_reported_at IS NULL OR dispute_reported_at < $3 OR (dispute_reported_at = $3 AND $2 <> 'open'))`,
    [payment.id, state, at],
  );
  if (changed > 0 && state === 'won' && payment.invoice_id) await followInvoice(tx, payment.invoice_id);
  return true;
}
