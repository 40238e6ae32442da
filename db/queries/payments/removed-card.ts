import { exists, many } from '../../query.js';
import { RemovedCard } from '../../entities/collections.js';
import type { Tx } from '../../transaction.js';

/** A removed card whose run must be notified. */
export type CardToNotify = Pick<RemovedCard, 'setup_id' | 'workspace_id' | 'notify_at'>;

/**
 * Returns the removed cards whose run must be notified, either of the removal, or because it has not ended in
 * time and may be lost.
 */
export function findCardsToNotify(tx: Tx): Promise<CardToNotify[]> {
  return many<CardToNotify>(
    tx,
    `SELECT setup_id, workspace_id, notify_at FROM removed_cards WHERE notify_at <= now() ORDER BY notify_at
      LIMIT 500`,
  );
}

/** Returns a removed card by the request that saved it; null once it is detached. */
export function findRemovedCard(tx: Tx, setupId: string): Promise<RemovedCard | null> {
  return tx.findOneBy(RemovedCard, { setup_id: setupId });
}

/** Returns whether a charge to a card has not ended: its request may still have to be repeated. */
export function isBeingCharged(tx: Tx, card: RemovedCard): Promise<boolean> {
  const { workspace_id, account_id, payment_method_id } = card;
  return exists(
    tx,
    `SELECT FROM checkouts WHERE workspace_id = $1 AND account_id = $2 AND payment_method_id = $3
       AND state NOT IN ('paid', 'closed')`,
    [workspace_id, account_id, payment_method_id],
  );
}
