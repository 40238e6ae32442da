import { Decimal } from 'decimal.js';
import { dayIn, daysBetween, periodContaining, startOfDay, type Day } from '../cycle.js';
import { roundHalfUp } from '../money.js';
import { TIERS, type TaxCode, type Tier } from '../rates/price.js';
import type { MemberStatus } from '../states.js';

/**
 * Default hour credits granted to a member each month (docs/rules/members.md#monthly-cycle). Unused credits
 * do not carry over.
 */
export const MONTHLY_HOUR_CREDITS: Record<Tier, number> = { basic: 0, plus: 10, pro: 25, enterprise: 60 };

/** Price of a membership per month, without tax, in minor units of the workspace's currency. */
export type TierPrices = Record<Tier, number>;

/**
 * Returns the tax code of memberships: `STANDARD`, or the workspace's first code if it does not have
 * `STANDARD`.
 */
export const membershipTaxCode = (taxCodes: TaxCode[]): string =>
  (taxCodes.find(({ code }) => code === 'STANDARD') ?? taxCodes[0]!).code;

/** True if `to` ranks above `from`: basic < plus < pro < enterprise. */
export const isUpgrade = (from: Tier, to: Tier): boolean => TIERS.indexOf(to) > TIERS.indexOf(from);

/** Returns the share of a period that is left, today included, by whole days: above 0 and at most 1. */
const remainingShare = (period: { start: Day; end: Day }, today: Day): number =>
  daysBetween(today, period.end) / daysBetween(period.start, period.end);

/**
 * Returns the share of a monthly difference for the rest of the period, today included: by whole days,
 * rounded half up.
 */
export function prorate(monthly_minor: number, period: { start: Day; end: Day }, today: Day): number {
  const share = new Decimal(daysBetween(today, period.end)).div(daysBetween(period.start, period.end));
  return roundHalfUp(share.mul(monthly_minor));
}

/**
 * Returns what an upgrade costs without tax for the rest of the payer's month, today included, and the share
 * of the month. Minor units.
 */
export function upgradeCharge(
  { time_zone, cycle_anchor }: { time_zone: string; cycle_anchor: Day },
  { from, to, tier_prices }: { from: Tier; to: Tier; tier_prices: TierPrices },
  now: Date,
) {
  const today = dayIn(time_zone, now);
  const period = periodContaining(cycle_anchor, today);
  const net_minor = prorate(tier_prices[to] - tier_prices[from], period, today);
  return { today, end: period.end, net_minor, remaining_share: remainingShare(period, today) };
}

/** The statuses in which the current month is paid, so that a downgrade waits for its end. */
const PAID_FOR: readonly MemberStatus[] = ['active', 'paused'];

/** A member's tier and pending downgrade. */
export interface TierState {
  tier: Tier;
  pending_tier: Tier | null;
  pending_tier_at: Date | null;
}

/**
 * Returns a member's tier after a request for one (docs/rules/members.md#tiers): an upgrade applies
 * immediately, a downgrade at the start of the payer's next month in the workspace's time zone. Requesting
 * the current tier withdraws a pending downgrade.
 */
export function tierAfterRequest(
  wanted: Tier,
  member: { tier: Tier; status: MemberStatus; time_zone: string; cycle_anchor: Day },
  now: Date,
): TierState {
  const { tier, status, time_zone, cycle_anchor } = member;
  if (wanted === tier || isUpgrade(tier, wanted) || !PAID_FOR.includes(status))
    return { tier: wanted, pending_tier: null, pending_tier_at: null };
  const { end } = periodContaining(cycle_anchor, dayIn(time_zone, now));
  return { tier, pending_tier: wanted, pending_tier_at: startOfDay(end, time_zone) };
}
