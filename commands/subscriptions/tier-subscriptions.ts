import { execute } from '../../db/query.js';
import { TierSubscription } from '../../db/entities/subscriptions.js';
import type { Tx } from '../../db/transaction.js';

/** The subscription at the processor that prorates a workspace's upgrades. */
export type TierSubscriptionRow = TierSubscription;

/** Returns a workspace's subscription, which may no longer exist at the processor. */
export function findTierSubscription(tx: Tx, workspaceId: string): Promise<TierSubscriptionRow | null> {
  return tx.findOneBy(TierSubscription, { workspace_id: workspaceId });
}

/** Stores a workspace's subscription in place of an earlier one. */
export async function saveTierSubscription(
  tx: Tx,
  subscription: Omit<TierSubscriptionRow, 'created_at'>,
): Promise<void> {
  const { workspace_id, account_id, currency, generation, product_id, subscription_id } = subscription;
  await execute(
    tx,
    `INSERT INTO tier_subscriptions (workspace_id, account_id, currency, generation, product_id,
      subscription_id)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id) DO UPDATE SET account_id = excluded.account_id, currency = excluded.currency,
       generation = excluded.generation, product_id = excluded.product_id,
       subscription_id = excluded.subscription_id, created_at = now()`,
    [workspace_id, account_id, currency, generation, product_id, subscription_id],
  );
}
