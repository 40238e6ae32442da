import type { Day } from '../../../domain/cycle.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A member whose cycle starts, whose trial ends, or whose lower tier is due. */
export interface DueMember {
  id: string;
  workspace_id: string;
}

/**
 * A page of the members for whom something is due, by id: at the end of a given day, by default now. Days are in each
 * workspace's time zone.
 */
export function findDueMembers(
  tx: Tx,
  filter: { workspaceId?: string; asOf?: Day; after: string; limit: number },
): Promise<DueMember[]> {
  return many<DueMember>(
    tx,
    `SELECT m.id, m.workspace_id
     FROM members m JOIN workspaces w ON w.id = m.workspace_id,
          LATERAL (SELECT coalesce($2::date, (now() AT TIME ZONE w.time_zone)::date) AS day,
                          coalesce(($2::date + 1)::timestamp AT TIME ZONE w.time_zone, now()) AS moment) today
     WHERE ($1::text IS NULL OR m.workspace_id = $1) AND m.id > $3
       AND ((m.status IN ('active', 'trialing') AND m.cycle_starts_on <= today.day)
         OR (m.status = 'trialing' AND m.trial_ends_at < today.moment)
         OR m.pending_tier_at < today.moment)
     ORDER BY m.id LIMIT $4`,
    [filter.workspaceId ?? null, filter.asOf ?? null, filter.after, filter.limit],
  );
}
