import { maybeOne } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { CardDecline } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';

/** Records that a payer could not pay on the hosted page. Returns false if it is already recorded. */
export async function recordCardDecline(tx: Tx, decline: CardDecline): Promise<boolean> {
  return (await insertIfAbsent(tx, CardDecline, decline)) !== null;
}

/** Returns the latest failed attempt to pay an invoice on the hosted page, or null. */
export function findLastDecline(tx: Tx, invoiceId: string): Promise<CardDecline | null> {
  return maybeOne(
    tx,
    `SELECT d.* FROM checkouts k JOIN card_declines d ON d.checkout_id = k.id
     WHERE k.invoice_id = $1 ORDER BY d.declined_at DESC LIMIT 1`,
    [invoiceId],
  );
}
