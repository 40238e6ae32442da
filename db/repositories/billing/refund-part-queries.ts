import type { RefundPart } from '../../../domain/refund-parts.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * The refunds that one cancellation, change or adjustment was spread over, by creation time; a refund of its own is the
 * only one.
 */
export function listRefundParts(tx: Tx, refundId: string): Promise<(RefundPart & { id: string })[]> {
  return many<RefundPart & { id: string }>(
    tx,
    `WITH refund AS (SELECT id, invoice_id, booking_id, adjustment_id FROM payments WHERE id = $1 AND kind = 'refund'),
       parts AS (
         SELECT id FROM refund
         UNION SELECT p.id FROM payments p JOIN refund USING (invoice_id, adjustment_id)
         UNION SELECT jsonb_array_elements_text(c.outcome -> 'refund_ids')
         FROM booking_changes c JOIN refund ON c.booking_id = refund.booking_id AND c.outcome -> 'refund_ids' ? refund.id
       )
     SELECT id, amount_minor, status FROM payments JOIN parts USING (id) ORDER BY created_at, id`,
    [refundId],
  );
}
