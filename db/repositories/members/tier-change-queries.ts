import type { Tier } from '../../../domain/price.js';
import { many, one } from '../../query.js';
import { repository, type Row } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** An upgrade to bill. */
export type TierChange = Row<'tier_changes'>;

/** An upgrade by id. */
export function findTierChange(tx: Tx, id: string): Promise<TierChange | null> {
  return repository(tx, 'tier_changes').findOneBy({ id });
}

/** A workspace's upgrades that are not billed yet, oldest first, each with its event. */
export function findUnfinishedTierChanges(
  tx: Tx,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; event_id: string }[]> {
  return many<{ id: string; event_id: string }>(
    tx,
    `SELECT id, event_id FROM tier_changes WHERE workspace_id = $1 AND state <> 'done' ORDER BY created_at, id LIMIT $2`,
    [workspaceId, limit],
  );
}

/** The number of active members of a workspace on a tier: the quantity of its subscription item. */
export async function countOnTier(tx: Tx, workspaceId: string, tier: Tier): Promise<number> {
  const { count } = await one<{ count: number }>(
    tx,
    `SELECT count(*)::integer FROM members WHERE workspace_id = $1 AND tier = $2 AND status = 'active'`,
    [workspaceId, tier],
  );
  return count;
}

/** Workspaces with upgrades whose workflow has not been notified, with the upgrades' ids. */
export function findTierChangesToNotify(tx: Tx): Promise<{ workspace_id: string; ids: string[] }[]> {
  return many<{ workspace_id: string; ids: string[] }>(
    tx,
    `SELECT workspace_id, array_agg(id) AS ids FROM tier_changes WHERE notified_at IS NULL
     GROUP BY workspace_id LIMIT 100`,
  );
}
