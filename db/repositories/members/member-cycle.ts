import { dayAfter, dayIn, periodOf, startOfDay, type Day } from '../../../domain/cycle.js';
import { MONTHLY_HOUR_CREDITS } from '../../../domain/tiers.js';
import type { Tx } from '../../transaction.js';
import { recordMemberChange } from './member-lifecycle.js';
import { anchorPayer, lockMember } from './members.js';

/** A member for whom a cycle begins, a trial ends, or a lower tier is due. */
export interface DueMember {
  id: string;
  workspace_id: string;
}

/**
 * A page of the members with whom something is to be done, by id: on a day that is given, at its end, or else now; each
 * workspace has the day of its own zone.
 */
export function findDueMembers(
  tx: Tx,
  filter: { workspaceId?: string; asOf?: Day; after: string; limit: number },
): Promise<DueMember[]> {
  return tx.query(
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

/** What was done with a member. */
export interface Turned {
  trial_ended: boolean;
  downgraded: boolean;
  granted: boolean;
}

/**
 * Does what is due with a member (decisions.md, "Members"): ends the trial, brings the lower tier that was waiting, and
 * grants the cycle's tokens in place of what was left. Doing it again changes nothing until the next cycle.
 */
export async function turnCycle(tx: Tx, due: DueMember, asOf: Day | undefined): Promise<Turned> {
  const { id, workspace_id } = due;
  const done = { trial_ended: false, downgraded: false, granted: false };
  const member = await lockMember(tx, workspace_id, id);
  if (!member) return done;
  const { time_zone, trial_ends_at, pending_tier, pending_tier_at, cycle_starts_on } = member;
  const day = asOf ?? dayIn(time_zone, new Date());
  const moment = asOf ? startOfDay(dayAfter(asOf), time_zone) : new Date();

  let { status, tier } = member;
  if (status === 'trialing' && trial_ends_at && trial_ends_at < moment) {
    status = 'active';
    done.trial_ended = true;
    await anchorPayer(tx, id, day);
  }
  if (pending_tier && pending_tier_at! < moment) {
    tier = pending_tier;
    done.downgraded = true;
  }
  const takesPart = status === 'active' || status === 'trialing';
  done.granted = takesPart && cycle_starts_on !== null && cycle_starts_on <= day;
  await tx.query(
    `UPDATE members SET status = $2, tier = $3,
       pending_tier = CASE WHEN NOT $4 THEN pending_tier END,
       pending_tier_at = CASE WHEN NOT $4 THEN pending_tier_at END,
       hour_credit_balance = CASE WHEN $5 THEN $6 ELSE hour_credit_balance END,
       cycle_starts_on = CASE WHEN $5 THEN $7::date ELSE cycle_starts_on END
     WHERE id = $1`,
    [
      id,
      status,
      tier,
      done.downgraded,
      done.granted,
      MONTHLY_HOUR_CREDITS[tier],
      periodOf(member.cycle_anchor, day).end,
    ],
  );
  if (done.trial_ended || done.downgraded)
    await recordMemberChange(tx, { workspace_id, system: 'member_cycle' }, member);
  return done;
}
