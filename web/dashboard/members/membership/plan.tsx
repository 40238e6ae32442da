import type { ComponentChildren } from 'preact';
import type { findNextInvoice } from '../../../../db/queries/subscriptions/subscription.js';
import type { MemberRow } from '../../../../db/queries/members/member.js';
import type { Company } from '../../../../db/entities/members.js';
import type { Workspace } from '../../../../db/entities/workspaces.js';
import { startOfDay } from '../../../../domain/cycle.js';
import { grantedHours } from '../../../../domain/bookings/hour-credits.js';
import { monthlyHours, monthlyPrice, planName } from '../../../../domain/members/plans.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { createFormats } from '../../../ui/formats.js';
import { formatHourCredits } from '../../../../domain/display.js';
import { Status } from '../../shared/status.js';

interface Props {
  ctx: ApiContext;
  member: MemberRow;
  workspace: Workspace;
}

interface FactsProps extends Props {
  next: Awaited<ReturnType<typeof findNextInvoice>>;
  company: Pick<Company, 'name' | 'billing_anchor' | 'next_period_on'> | null;
}

/**
 * `8 of 10 hour credits left; 10 again on Tue 12 Dec`, the day of the next grant. For a member who has not
 * joined, what they will get. Null if the plan has no hours and none are left.
 */
export function describeHourCredits({ ctx, member, workspace }: Props): string | null {
  const { tier, pending_tier, pending_tier_at, hour_credit_balance: left, status, cycle_starts_on } = member;
  const { plans, time_zone } = workspace;
  const renews = cycle_starts_on === null ? null : startOfDay(cycle_starts_on, time_zone);
  const isDowngraded = renews !== null && pending_tier !== null && pending_tier_at! <= renews;
  const next = monthlyHours(plans, isDowngraded ? pending_tier : tier);
  if (renews === null) return next > 0 ? `${next} a month, from the day they join` : null;
  const granted = grantedHours(member);
  if (granted === 0 && left === 0 && next === 0) return null;
  const now =
    granted > 0 ? `${left} of ${formatHourCredits(granted)} left` : `${formatHourCredits(left)} left`;
  if (status !== 'active' && status !== 'trialing') return now;
  return `${now}; ${next} again on ${createFormats(ctx).day(renews)}`;
}

function describePlanPrice({ member, workspace }: Props): string {
  const { tier, billed, company_name } = member;
  if (!billed) return 'not invoiced';
  if (workspace.tier_prices[tier] === 0) return 'no charge';
  const { words: price } = monthlyPrice({ ...workspace, tier });
  return company_name ? `${price}, paid by ${company_name}` : price;
}

/** When a member's plan is invoiced next; the amount too, if it is not a part of a company's invoice. */
export function nextInvoiceFacts(props: FactsProps): (readonly [string, string] | false)[] {
  const { ctx, member, workspace, next, company } = props;
  const { amount, day } = createFormats(ctx);
  const { currency, time_zone, tier_prices } = workspace;
  const isInvoiced = member.billed && member.status === 'active' && tier_prices[member.tier] > 0;
  const renewal = company && isInvoiced ? (company.next_period_on ?? company.billing_anchor) : null;
  return [
    next !== null && [
      'Next invoice',
      `${amount(next.total_minor, currency)} on ${day(startOfDay(next.on, time_zone))}`,
    ],
    renewal !== null && ['Renews', `${day(startOfDay(renewal, time_zone))}, invoiced to ${company!.name}`],
  ];
}

/**
 * A member's plan: its name and price, its next invoice, the hours that are left, and
 * what is about to change.
 */
export function planFacts(props: FactsProps): (readonly [string, ComponentChildren] | false)[] {
  const { ctx, member, workspace } = props;
  const { day } = createFormats(ctx);
  const { tier, status, pending_tier, pending_tier_at, trial_ends_at, company_name } = member;
  const hours = describeHourCredits(props);
  return [
    status !== 'active' && ['Status', <Status value={status} />],
    [
      'Plan',
      <>
        {planName(workspace.plans, tier)}, {describePlanPrice(props)}
        {pending_tier && (
          <small>
            {planName(workspace.plans, pending_tier)} from {day(pending_tier_at!)}
          </small>
        )}
      </>,
    ],
    ...nextInvoiceFacts(props),
    hours !== null && ['Hour credits', hours],
    trial_ends_at !== null && status === 'trialing' && ['Trial ends', day(trial_ends_at)],
    company_name !== null && ['Company', company_name],
  ];
}
