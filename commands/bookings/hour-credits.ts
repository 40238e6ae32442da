import { execute, maybeOne } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** Thrown if another booking has used the member's hour credits since the balance was read. */
export class HourCreditsExhausted extends Error {
  override readonly name = 'HourCreditsExhausted';
}

/**
 * Takes hours from a member's balance. Returns the monthly grant that they come from. Throws
 * `HourCreditsExhausted` if the balance is too low by now.
 */
export async function spendHourCredits(tx: Tx, memberId: string, hours: number): Promise<number> {
  const spent = await maybeOne<{ hour_credit_grants: number }>(
    tx,
    `UPDATE members SET hour_credit_balance = hour_credit_balance - $2
     WHERE id = $1 AND hour_credit_balance >= $2 RETURNING hour_credit_grants`,
    [memberId, hours],
  );
  if (!spent) throw new HourCreditsExhausted();
  return spent.hour_credit_grants;
}

/**
 * Credits the hours that paid for a booking back to the month from which they were taken, on expiry or full
 * refund. If the balance has been set to another month's grant since, they lapse
 * (docs/rules/bookings.md#hour-credits).
 */
export async function returnHourCredits(
  tx: Tx,
  booking: { member_id: string | null; hour_credits_used: number; hour_credit_grant: number | null },
): Promise<void> {
  if (booking.hour_credits_used === 0) return;
  await execute(
    tx,
    `UPDATE members SET hour_credit_balance = hour_credit_balance + $2
     WHERE id = $1 AND hour_credit_grants = $3`,
    [booking.member_id, booking.hour_credits_used, booking.hour_credit_grant],
  );
}
