import { dayIn, type Day } from '../../domain/cycle.js';
import { cycleMoment } from '../../domain/subscriptions/member-cycle.js';
import { changeOfTier, monthlyGrant, isGrantDue } from '../../domain/bookings/hour-credits.js';
import type { Tier } from '../../domain/rates/price.js';
import { canMove, MEMBER_TRANSITIONS } from '../../domain/states.js';
import { Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { recordMemberChange } from '../members/member-changes.js';
import type { DueMember } from '../../db/queries/subscriptions/member-cycle.js';
import { findMember, type MemberRow } from '../../db/queries/members/member.js';
import { lockMember, setBillingAnchor } from '../members/members.js';
import { draftOwed } from './invoices.js';

export interface MemberCycleResult {
  trial_ended: boolean;
  downgraded: boolean;
  granted: boolean;
}

/** Returns the columns of a member whose balance is set to what a tier grants for the month of a day. */
const grantColumns = (member: MemberRow, tier: Tier, day: Day) => ({
  ...monthlyGrant({ ...member, tier }, member.cycle_anchor, day),
  hour_credit_grants: member.hour_credit_grants + 1,
});

/**
 * Grants a locked member the hour credits of the current month if they are due: the member has just become
 * active or starts a trial. `before` is the member before a change of tier, which adjusts what was already
 * granted (docs/rules/members.md#monthly-cycle). Returns the member's new state.
 */
export async function grantHours(tx: Tx, before: MemberRow): Promise<MemberRow> {
  const { id, workspace_id } = before;
  const member = (await findMember(tx, workspace_id, id))!;
  const day = dayIn(member.time_zone, new Date());
  const columns = isGrantDue(member, day)
    ? grantColumns(member, member.tier, day)
    : member.tier !== before.tier && changeOfTier(before, member.tier, day);
  if (!columns) return member;
  await tx.update(Member, { id }, columns);
  return (await findMember(tx, workspace_id, id))!;
}

/**
 * Runs the cycle of a member (docs/rules/members.md#monthly-cycle): ends the trial, applies the pending lower
 * tier, and replaces the balance with the cycle's hour credits. Running it again changes nothing until the
 * next cycle. Errors: `UnknownTimeZone`.
 */
export async function runMemberCycle(
  tx: Tx,
  due: Pick<DueMember, 'id' | 'workspace_id'>,
  asOf: Day | undefined,
): Promise<MemberCycleResult> {
  const { id, workspace_id } = due;
  const result = { trial_ended: false, downgraded: false, granted: false };
  const member = await lockMember(tx, workspace_id, id);
  if (!member) return result;
  const { time_zone, trial_ends_at, pending_tier, pending_tier_at, cycle_starts_on } = member;
  const { day, moment } = cycleMoment(time_zone, asOf);

  let { status, tier } = member;
  if (canMove(MEMBER_TRANSITIONS.end_trial, status) && trial_ends_at && trial_ends_at < moment) {
    status = MEMBER_TRANSITIONS.end_trial.to;
    result.trial_ended = true;
    await setBillingAnchor(tx, member, day);
  }
  if (pending_tier && pending_tier_at! < moment) {
    // Months that began earlier are still owed at the higher tier.
    await draftOwed(tx, member, day);
    tier = pending_tier;
    result.downgraded = true;
  }
  result.granted = isGrantDue({ status, cycle_starts_on }, day);
  await tx.update(
    Member,
    { id },
    {
      status,
      tier,
      ...(result.downgraded && { pending_tier: null, pending_tier_at: null }),
      ...(result.granted && grantColumns(member, tier, day)),
    },
  );
  if (result.trial_ended || result.downgraded)
    await recordMemberChange(tx, { workspace_id, system: 'member_cycle' }, member);
  return result;
}
