import { periodContaining, type Day } from '../cycle.js';
import { monthlyHours, type Plans } from '../members/plans.js';
import type { Tier } from '../rates/price.js';
import type { MemberStatus } from '../states.js';
import { isUpgrade } from '../members/tiers.js';

/**
 * What decides a member's hour credits (docs/rules/members.md#monthly-cycle). Days are in the workspace's
 * time zone.
 */
export interface HourCredits {
  status: MemberStatus;
  tier: Tier;
  plans: Plans;
  /** The day on which the next grant is due; null before the first one. */
  cycle_starts_on: Day | null;
  hour_credit_balance: number;
  /** The hours granted in the month of the balance; null if none were granted. */
  hour_credits_granted: number | null;
}

/** Returns the hours granted in the month of the balance. Editing a plan does not change them. */
export const grantedHours = ({ hour_credits_granted, plans, tier }: HourCredits): number =>
  hour_credits_granted ?? monthlyHours(plans, tier);

/** True if a month has begun for which the member has not been granted hour credits yet. */
export const isGrantDue = (
  { status, cycle_starts_on }: Pick<HourCredits, 'status' | 'cycle_starts_on'>,
  day: Day,
): boolean =>
  (status === 'active' || status === 'trialing') && cycle_starts_on !== null && cycle_starts_on <= day;

/**
 * Returns the hour credits that a member's current plan grants for the month of a day. `anchor` is the anchor
 * of the payer's months.
 */
export function monthlyGrant({ plans, tier }: Pick<HourCredits, 'plans' | 'tier'>, anchor: Day, day: Day) {
  const hours = monthlyHours(plans, tier);
  return {
    hour_credit_balance: hours,
    hour_credits_granted: hours,
    cycle_starts_on: periodContaining(anchor, day).end,
  };
}

/**
 * Returns a member's hour credits after an immediate change of tier. An upgrade adds the hours that are
 * missing to those of the new plan and never removes any. A downgrade takes back the hours that the lower
 * plan does not include, except those already used. Null if nothing changes because no hours were granted in
 * the current month.
 */
export function changeOfTier(member: HourCredits, to: Tier, day: Day) {
  const { tier, plans, cycle_starts_on, hour_credit_balance: balance } = member;
  if (cycle_starts_on === null || cycle_starts_on <= day) return null;
  const granted = grantedHours(member);
  const kept = isUpgrade(tier, to) ? granted : granted - balance;
  const hour_credits_granted = Math.max(kept, monthlyHours(plans, to));
  return { hour_credit_balance: balance + hour_credits_granted - granted, hour_credits_granted };
}
