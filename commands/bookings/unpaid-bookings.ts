import { ApiError } from '../../domain/errors.js';
import { affected, execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Checks that a member may hold another unpaid slot (docs/rules/bookings.md#unpaid-bookings). The member's
 * lock serializes their bookings, so that concurrent requests never exceed `max` together. Errors: 409
 * `too_many_unpaid_bookings`.
 */
export async function assertFewUnpaid(tx: Tx, memberId: string, max: number): Promise<void> {
  await execute(tx, `SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE`, [memberId]);
  const unpaid = await affected(
    tx,
    `SELECT FROM bookings WHERE member_id = $1 AND status = 'pending_payment' AND NOT is_abandoned(bookings)
     UNION ALL
     SELECT FROM booking_changes c JOIN bookings b ON b.id = c.booking_id
     WHERE b.member_id = $1 AND b.status = 'confirmed' AND c.state IN ('opening', 'pending') LIMIT $2`,
    [memberId, max],
  );
  if (unpaid < max) return;
  const message =
    `A member can have at most ${max} unpaid bookings and changes at a time. Pay or cancel one, or ` +
    'wait until its hold ends.';
  throw new ApiError('too_many_unpaid_bookings', message, { details: { limit: max } });
}
