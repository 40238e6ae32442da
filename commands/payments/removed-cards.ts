import { affected } from '../../db/query.js';
import { fromNow, NOW } from '../../db/database-time.js';
import { RemovedCard } from '../../db/entities/collections.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import type { PayerId } from '../../db/queries/payments/card.js';
import type { CardToNotify } from '../../db/queries/payments/removed-card.js';

/** If a run has not detached a card for this long, it may be lost and is notified again. */
const NOTIFY_AGAIN_SECONDS = 300;

/** Removes the card of a payer and lets a run detach it at the processor. Returns false if there is none. */
export async function takeOffFile(tx: Tx, { company_id, member_id }: PayerId): Promise<boolean> {
  const taken = await affected(
    tx,
    `WITH taken AS (
       DELETE FROM cards WHERE company_id = $1 OR member_id = $2
       RETURNING setup_id, workspace_id, account_id, payment_method_id
     )
     INSERT INTO removed_cards (setup_id, workspace_id, account_id, payment_method_id) SELECT * FROM taken`,
    [company_id, member_id],
  );
  return taken > 0;
}

/** Records that the run of a removed card was notified, unless a charge to the card has ended since. */
export async function markCardNotified(tx: Tx, { setup_id, notify_at }: CardToNotify): Promise<void> {
  await tx.update(RemovedCard, { setup_id, notify_at }, { notify_at: fromNow(NOTIFY_AGAIN_SECONDS) });
}

/** Records that a removed card is detached. */
export async function finishRemovedCard(tx: Tx, setupId: string): Promise<void> {
  await tx.delete(RemovedCard, { setup_id: setupId });
}

/** Notifies the run that waits to detach a card that one of its charges has ended. */
export async function notifyOfEndedCharge(
  tx: Tx,
  { account_id, payment_method_id }: Pick<Checkout, 'account_id' | 'payment_method_id'>,
): Promise<void> {
  await tx.update(RemovedCard, { account_id, payment_method_id: payment_method_id! }, { notify_at: NOW });
}
