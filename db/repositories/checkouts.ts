import { Checkout, type CheckoutState } from '../entities/index.js';
import type { Tx } from '../transaction.js';

/** The checkout of a booking, or null where there was nothing to pay. */
export function findCheckout(tx: Tx, bookingId: string): Promise<Checkout | null> {
  return tx.getRepository(Checkout).findOneBy({ booking_id: bookingId });
}

/** The checkout behind a processor's session id. */
export function findCheckoutBySession(tx: Tx, sessionId: string): Promise<Checkout | null> {
  return tx.getRepository(Checkout).findOneBy({ session_id: sessionId });
}

/** Notes what became of a checkout. A final state stays. */
export async function setCheckoutState(
  tx: Tx,
  bookingId: string,
  state: CheckoutState,
  sessionId: string | null = null,
): Promise<void> {
  await tx.query(
    `UPDATE checkouts SET state = $2, session_id = coalesce(session_id, $3), updated_at = now()
     WHERE booking_id = $1 AND state NOT IN ('paid', 'closed')`,
    [bookingId, state, sessionId],
  );
}

/** The connected accounts on which an unknown payment could have been made, each with its workspace. */
export async function findAccountsWithUnresolvedCheckouts(tx: Tx): Promise<string[]> {
  const rows: { account_id: string }[] = await tx.query(
    `SELECT DISTINCT account_id FROM checkouts WHERE state NOT IN ('paid', 'closed')`,
  );
  return rows.map((row) => row.account_id);
}
