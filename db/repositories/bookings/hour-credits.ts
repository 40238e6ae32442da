import { affected, execute } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Another booking has used the member's hour credits since the balance was read. */
export class HourCreditsExhausted extends Error {
  override readonly name = 'HourCreditsExhausted';
}

/** Takes hours from a member's balance. Throws `HourCreditsExhausted` if it no longer has that many. */
export async function spendHourCredits(tx: Tx, memberId: string, hours: number): Promise<void> {
  const spent = await affected(
    tx,
    `UPDATE members SET hour_credit_balance = hour_credit_balance - $2
     WHERE id = $1 AND hour_credit_balance >= $2`,
    [memberId, hours],
  );
  if (spent === 0) throw new HourCreditsExhausted();
}

/** Returns the hours that paid for a booking, on expiry or full refund (docs/rules/bookings.md#hour-credits). */
export async function returnHourCredits(
  tx: Tx,
  booking: { member_id: string | null; hour_credits_used: number },
): Promise<void> {
  if (booking.hour_credits_used === 0) return;
  await execute(tx, `UPDATE members SET hour_credit_balance = hour_credit_balance + $2 WHERE id = $1`, [
    booking.member_id,
    booking.hour_credits_used,
  ]);
}
