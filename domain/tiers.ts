import { Decimal } from 'decimal.js';
import { dayIn, daysBetween, periodOf, startOfDay, type Day } from './cycle.js';
import { roundHalfUp } from './money.js';
import { TIERS, type TaxCode, type Tier } from './price.js';
import type { MemberStatus } from './states.js';

/** Hours that a member may book with tokens in one cycle (decisions.md, "Members"). What is left over is lost. */
export const MONTHLY_HOUR_CREDITS: Record<Tier, number> = { basic: 0, plus: 10, pro: 25, enterprise: 60 };

/** What a membership costs a month, without tax, in minor units of the workspace's currency. */
export type TierPrices = Record<Tier, number>;

/** The tax code of memberships: the standard one, or the first where a workspace has none of that name. */
export const membershipTaxCode = (taxCodes: TaxCode[]): string =>
  (taxCodes.find(({ code }) => code === 'STANDARD') ?? taxCodes[0]!).code;

/** True where `to` ranks above `from`: basic < plus < pro < enterprise. */
export const isUpgrade = (from: Tier, to: Tier): boolean => TIERS.indexOf(to) > TIERS.indexOf(from);

/** What is left of a monthly difference on a day of the month, that day included: by whole days, rounded half up. */
export function prorate(monthly_minor: number, period: { start: Day; end: Day }, today: Day): number {
  const left = new Decimal(daysBetween(today, period.end)).div(daysBetween(period.start, period.end));
  return roundHalfUp(left.mul(monthly_minor));
}

/** The statuses in which a member has paid for the cycle, so that a lower tier waits for its end. */
const PAID_FOR: readonly MemberStatus[] = ['active', 'paused'];

/** A member's tier, and the one that is waiting. */
export interface TierState {
  tier: Tier;
  pending_tier: Tier | null;
  pending_tier_at: Date | null;
}

/**
 * What asking for a tier makes of a member (spec.md, "Members", rule 1): a higher one is there at once, a lower one at
 * the start of the payer's next month, in the workspace's zone; the one it has calls off what was waiting.
 */
export function tierAfterRequest(
  wanted: Tier,
  member: { tier: Tier; status: MemberStatus; time_zone: string; cycle_anchor: Day },
  now: Date,
): TierState {
  const { tier, status, time_zone, cycle_anchor } = member;
  if (wanted === tier || isUpgrade(tier, wanted) || !PAID_FOR.includes(status))
    return { tier: wanted, pending_tier: null, pending_tier_at: null };
  const { end } = periodOf(cycle_anchor, dayIn(time_zone, now));
  return { tier, pending_tier: wanted, pending_tier_at: startOfDay(end, time_zone) };
}
