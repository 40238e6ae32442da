import type { Tx } from '../../transaction.js';

/** Another booking has taken the member's tokens since the balance was read. */
export class HourCreditsExhausted extends Error {}

/** Takes hours off a member's balance. Errors: `TokensGone` if it doesn't hold as many any more. */
export async function spendHourCredits(tx: Tx, memberId: string, hours: number): Promise<void> {
  const [, taken]: [unknown, number] = await tx.query(
    `UPDATE members SET hour_credit_balance = hour_credit_balance - $2 WHERE id = $1 AND hour_credit_balance >= $2`,
    [memberId, hours],
  );
  if (taken === 0) throw new HourCreditsExhausted();
}

/** Gives back the hours a booking was paid with (decisions.md, "Bookings": on expiry and with a full refund). */
export async function returnHourCredits(
  tx: Tx,
  booking: { id: string; member_id: string | null; hour_credits_used: number },
): Promise<void> {
  if (booking.hour_credits_used === 0) return;
  await tx.query(`UPDATE members SET hour_credit_balance = hour_credit_balance + $2 WHERE id = $1`, [
    booking.member_id,
    booking.hour_credits_used,
  ]);
}
