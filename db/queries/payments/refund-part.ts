import { REFUND_ENDED, type MailKind } from '../../../domain/mail/kinds.js';
import type { RefundPart } from '../../../domain/payments/refund-parts.js';
import { many, maybeOne, one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Lists the refunds over which one cancellation, change or adjustment was spread, by creation time, as far as
 * they go to the same payer. A separate refund is the only one.
 */
export function listRefundParts(tx: Tx, refundId: string): Promise<(RefundPart & { id: string })[]> {
  return many<RefundPart & { id: string }>(
    tx,
    `WITH refund AS (SELECT id, invoice_id, booking_id, adjustment_id FROM payments WHERE id = $1
      AND kind = 'refund'),
       ids AS (
         SELECT id FROM refund
         UNION SELECT p.id FROM payments p JOIN refund USING (invoice_id, adjustment_id)
         UNION SELECT jsonb_array_elements_text(c.outcome -> 'refund_ids')
         FROM booking_changes c JOIN refund ON c.booking_id = refund.booking_id
           AND c.outcome -> 'refund_ids' ? refund.id
       ),
       parts AS (
         SELECT p.id, p.amount_minor, p.status, p.account_id IS NULL AS by_hand, p.created_at,
           coalesce(is_on_account(b, paid), false) AS on_account
         FROM payments p JOIN ids USING (id) JOIN payments paid ON paid.id = p.refund_of
         LEFT JOIN bookings b ON b.id = p.booking_id
       )
     SELECT id, amount_minor, status, by_hand FROM parts
     WHERE on_account = (SELECT on_account FROM parts WHERE id = $1) ORDER BY created_at, id`,
    [refundId],
  );
}

/**
 * Lists the refunds that a mail about a refund reports: all parts, or only the refund itself if it ended
 * after such a mail.
 */
export async function listPartsToTell(
  tx: Tx,
  kind: MailKind,
  refundId: string,
): Promise<(RefundPart & { id: string })[]> {
  const parts = await listRefundParts(tx, refundId);
  return REFUND_ENDED.includes(kind) ? parts.filter(({ id }) => id === refundId) : parts;
}

/** A refund that a mail reports as on its way or made. */
export type MailedRefund = Pick<RefundPart, 'status'> & { id: string };

/**
 * Returns what a mail about these parts reports about those that are not returned by hand. A failed refund
 * has no other outcome to report.
 */
export const mailedRefunds = (parts: (RefundPart & { id: string })[]): MailedRefund[] =>
  parts
    .filter(({ status, by_hand }) => status !== 'failed' && !by_hand)
    .map(({ id, status }) => ({ id, status }));

/** Returns the change of a booking that made a refund; null if none did. */
export async function findChangeOfRefund(
  tx: Tx,
  { id, booking_id }: { id: string; booking_id: string },
): Promise<string | null> {
  const change = await maybeOne<{ id: string }>(
    tx,
    `SELECT id FROM booking_changes WHERE booking_id = $1 AND kind = 'change'
      AND outcome -> 'refund_ids' ? $2`,
    [booking_id, id],
  );
  return change?.id ?? null;
}

export type RefundMailKind = 'payment_refunded' | 'late_payment_refunded' | 'invoice_refunded';

/**
 * Returns the kind of mail about a refund: to the booker, or to the payer of its invoice. Null if neither is
 * known.
 */
export async function findRefundMailKind(tx: Tx, refundId: string): Promise<RefundMailKind | null> {
  const { kind } = await one<{ kind: RefundMailKind | null }>(
    tx,
    `SELECT CASE WHEN b.id IS NOT NULL AND NOT is_on_account(b, paid)
                 THEN CASE WHEN paid.refusal IS NULL THEN 'payment_refunded' ELSE 'late_payment_refunded' END
                 WHEN r.invoice_id IS NOT NULL THEN 'invoice_refunded' END AS kind
     FROM payments r JOIN payments paid ON paid.id = r.refund_of LEFT JOIN bookings b ON b.id = r.booking_id
     WHERE r.id = $1`,
    [refundId],
  );
  return kind;
}
