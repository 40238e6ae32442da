import type { Day } from '../../../domain/cycle.js';
import type { CyclingMember } from '../../../domain/subscriptions/member-cycle.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * A member whose cycle starts, whose trial ends, or whose lower tier is due, by the latest clock of any time
 * zone.
 */
export interface DueMember extends CyclingMember {
  id: string;
  workspace_id: string;
  /** The workspace's time zone, whose clock decides. */
  time_zone: string;
}

/**
 * Returns a page of the members for whom something is due at a moment, or on a day, on any clock; by id.
 * Whether it is due by the workspace's clock is decided separately for each one, so that one with an unknown
 * time zone does not stop the others (docs/rules/workspace.md#time-zones).
 */
export function findDueMembers(
  tx: Tx,
  filter: { workspaceId?: string; by: { day: Day; moment: Date }; after: string; limit: number },
): Promise<DueMember[]> {
  return many<DueMember>(
    tx,
    `SELECT m.id, m.workspace_id, w.time_zone, m.status, m.cycle_starts_on, m.trial_ends_at, m.pending_tier_at
     FROM members m JOIN workspaces w ON w.id = m.workspace_id
     WHERE ($1::text IS NULL OR m.workspace_id = $1) AND m.id > $4
       AND ((m.status IN ('active', 'trialing') AND m.cycle_starts_on <= $2::date)
         OR (m.status = 'trialing' AND m.trial_ends_at < $3)
         OR m.pending_tier_at < $3)
     ORDER BY m.id LIMIT $5`,
    [filter.workspaceId ?? null, filter.by.day, filter.by.moment, filter.after, filter.limit],
  );
}
