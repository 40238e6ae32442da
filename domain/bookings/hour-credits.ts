import { periodContaining, type Day } from '../cycle.js';
import { monthlyHours, type Plans } from '../members/plans.js';
import type { Tier } from '../rates/price.js';
import type { MemberStatus } from '../states.js';
import { isUpgrade } from '../members/tiers.js';

/**
 * What decides the hour credits of a member (docs/rules/members.md#monthly-cycle). Days are in
 * the workspace's time zone.
 */
export interface HourCredits {
  status: MemberStatus;
  tier: Tier;
  /** Of the workspace. */
  plans: Plans;
  /** The day from which the next grant is due; null before the first. */
  cycle_starts_on: Day | null;
  hour_credit_balance: number;
  /** What was granted in the month of the balance; null if nothing was. */
  hour_credits_granted: number | null;
}

/** What was granted in the month of the balance: an edited plan does not change it. */
export const grantedHours = ({ hour_credits_granted, plans, tier }: HourCredits): number =>
  hour_credits_granted ?? monthlyHours(plans, tier);

/** Whether a month has begun for which the member has not been granted hour credits. */
export const isGrantDue = (
  { status, cycle_starts_on }: Pick<HourCredits, 'status' | 'cycle_starts_on'>,
  day: Day,
): boolean =>
  (status === 'active' || status === 'trialing') && cycle_starts_on !== null && cycle_starts_on <= day;

/**
 * The hour credits that a member's plan, as it is now, grants for the month of a day.
 * `anchor`: of the payer's months.
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
 * A member's hour credits after a change to another tier that is effective immediately: an upgrade adds
 * what is missing to the hours of the new plan, and never takes any; a lower tier takes back what its
 * plan does not have, except what was used. Null if nothing changes, since no hours of the current
 * month have been granted.
 */
export function changeOfTier(member: HourCredits, to: Tier, day: Day) {
  const { tier, plans, cycle_starts_on, hour_credit_balance: balance } = member;
  if (cycle_starts_on === null || cycle_starts_on <= day) return null;
  const granted = grantedHours(member);
  const kept = isUpgrade(tier, to) ? granted : granted - balance;
  const hour_credits_granted = Math.max(kept, monthlyHours(plans, to));
  return { hour_credit_balance: balance + hour_credits_granted - granted, hour_credits_granted };
}
