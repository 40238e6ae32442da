import { dayAfter, dayIn, periodOf, startOfDay, type Day } from '../../domain/cycle.js';
import { MONTHLY_HOUR_CREDITS } from '../../domain/tiers.js';
import { canMove, MEMBER_TRANSITIONS } from '../../domain/states.js';
import { Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { recordMemberChange } from './member-changes.js';
import type { DueMember } from '../../db/queries/members/member-cycle.js';
import { lockMember, setBillingAnchor } from './members.js';

/** What the job did for a member. */
export interface MemberCycleResult {
  trial_ended: boolean;
  downgraded: boolean;
  granted: boolean;
}

/**
 * Runs the cycle of a member (docs/rules/members.md#monthly-cycle): ends the trial, applies the pending lower tier, and
 * replaces the balance with the cycle's hour credits. Running it again changes nothing until the next cycle.
 */
export async function runMemberCycle(
  tx: Tx,
  due: DueMember,
  asOf: Day | undefined,
): Promise<MemberCycleResult> {
  const { id, workspace_id } = due;
  const result = { trial_ended: false, downgraded: false, granted: false };
  const member = await lockMember(tx, workspace_id, id);
  if (!member) return result;
  const { time_zone, trial_ends_at, pending_tier, pending_tier_at, cycle_starts_on } = member;
  const day = asOf ?? dayIn(time_zone, new Date());
  const moment = asOf ? startOfDay(dayAfter(asOf), time_zone) : new Date();

  let { status, tier } = member;
  if (canMove(MEMBER_TRANSITIONS.end_trial, status) && trial_ends_at && trial_ends_at < moment) {
    status = MEMBER_TRANSITIONS.end_trial.to;
    result.trial_ended = true;
    await setBillingAnchor(tx, id, day);
  }
  if (pending_tier && pending_tier_at! < moment) {
    tier = pending_tier;
    result.downgraded = true;
  }
  const isMember = status === 'active' || status === 'trialing';
  result.granted = isMember && cycle_starts_on !== null && cycle_starts_on <= day;
  await tx.update(
    Member,
    { id },
    {
      status,
      tier,
      ...(result.downgraded && { pending_tier: null, pending_tier_at: null }),
      ...(result.granted && {
        hour_credit_balance: MONTHLY_HOUR_CREDITS[tier],
        hour_credit_grants: member.hour_credit_grants + 1,
        cycle_starts_on: periodOf(member.cycle_anchor, day).end,
      }),
    },
  );
  if (result.trial_ended || result.downgraded)
    await recordMemberChange(tx, { workspace_id, system: 'member_cycle' }, member);
  return result;
}
