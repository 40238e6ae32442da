import type { Tier } from '../../../domain/rates/price.js';
import { many } from '../../query.js';
import { TierChange } from '../../entities/subscriptions.js';
import type { Tx } from '../../transaction.js';

/** Returns an upgrade by id. */
export function findTierChange(tx: Tx, id: string): Promise<TierChange | null> {
  return tx.findOneBy(TierChange, { id });
}

/** Lists a workspace's upgrades that are not billed yet, oldest first, each with its event. */
export function findUnfinishedTierChanges(
  tx: Tx,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; event_id: string }[]> {
  return many<{ id: string; event_id: string }>(
    tx,
    `SELECT id, event_id FROM tier_changes WHERE workspace_id = $1 AND state <> 'done' ORDER BY created_at, id
      LIMIT $2`,
    [workspaceId, limit],
  );
}

/**
 * Returns how many active members a workspace has on each tier, which are the quantities of its subscription.
 */
export async function countByTier(tx: Tx, workspaceId: string): Promise<Record<Tier, number>> {
  const rows = await many<{ tier: Tier; count: number }>(
    tx,
    `SELECT tier, count(*)::integer FROM members WHERE workspace_id = $1 AND status = 'active' GROUP BY tier`,
    [workspaceId],
  );
  return {
    basic: 0,
    plus: 0,
    pro: 0,
    enterprise: 0,
    ...Object.fromEntries(rows.map((r) => [r.tier, r.count])),
  };
}

/**
 * Returns workspaces with unbilled upgrades whose workflow has not been notified for 10 minutes and may be
 * lost, with the upgrades' ids.
 */
export function findTierChangesToNotify(tx: Tx): Promise<{ workspace_id: string; ids: string[] }[]> {
  return many<{ workspace_id: string; ids: string[] }>(
    tx,
    `SELECT workspace_id, array_agg(id) AS ids
     FROM (SELECT id, workspace_id FROM tier_changes WHERE state <> 'done'
       AND (notified_at IS NULL OR notified_at < now() - interval '10 minutes')
           ORDER BY notified_at NULLS FIRST LIMIT 1000) unbilled
     GROUP BY workspace_id`,
  );
}
