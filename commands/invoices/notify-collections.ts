import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import type { PayerId } from '../../db/queries/payments/card.js';

/**
 * Has the collections of a payer's unpaid invoices decided again, because the card or autopay has changed.
 */
export async function notifyCollections(tx: Tx, { company_id, member_id }: PayerId): Promise<void> {
  await execute(
    tx,
    `UPDATE collections c SET notify_at = now() FROM invoices i
     WHERE i.id = c.invoice_id AND i.status IN ('open', 'authorised') AND c.status <> 'ended'
       AND (i.company_id = $1 OR (i.member_id = $2 AND i.company_id IS NULL))`,
    [company_id, member_id],
  );
}
