import type { Workspace } from '../../../db/entities/workspaces.js';
import { monthlyHours, planName, type Plans } from '../../../domain/members/plans.js';
import { TIERS } from '../../../domain/rates/price.js';

import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';

/** The tiers as options, each with the price it means. */
export function tierOptions(
  ctx: ApiContext,
  { tier_prices, plans, currency }: Pick<Workspace, 'tier_prices' | 'plans' | 'currency'>,
): (readonly [string, string])[] {
  const { amount } = createFormats(ctx);
  return TIERS.map((tier) => {
    const credits = monthlyHours(plans, tier);
    const grant = credits > 0 ? `, ${credits} hours included` : '';
    return [
      tier,
      `${planName(plans, tier)}: ${amount(tier_prices[tier], currency)} a month excluding tax${grant}`,
    ];
  });
}

/** The tiers as options, by what the workspace calls them. */
export const planOptions = (plans: Plans): (readonly [string, string])[] =>
  TIERS.map((tier) => [tier, planName(plans, tier)]);
