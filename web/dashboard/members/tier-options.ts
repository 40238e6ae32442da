import type { Workspace } from '../../../db/entities/workspaces.js';
import { monthlyHours, planName, type Plans } from '../../../domain/members/plans.js';
import { membershipTaxCode } from '../../../domain/members/tiers.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import type { ApiContext } from '../../../api/http/context.js';
import { enteredPrice, taxWords } from '../shared/entered-price.js';

type Priced = Pick<Workspace, 'tier_prices' | 'tax_codes' | 'currency'>;

/** The monthly price of a tier as people enter it: without tax, or with it. */
export function planPrice(ctx: ApiContext, { tier_prices, tax_codes, currency }: Priced) {
  const price = enteredPrice(ctx, tax_codes, { tax_code: membershipTaxCode(tax_codes), currency });
  return (tier: Tier): string => price(tier_prices[tier]);
}

/** The tiers as options, each with the price it means. */
export function tierOptions(
  ctx: ApiContext,
  workspace: Priced & Pick<Workspace, 'plans'>,
): (readonly [string, string])[] {
  const { plans } = workspace;
  const price = planPrice(ctx, workspace);
  return TIERS.map((tier) => {
    const credits = monthlyHours(plans, tier);
    const grant = credits > 0 ? `, ${credits} hours included` : '';
    return [tier, `${planName(plans, tier)}: ${price(tier)} a month ${taxWords(ctx)}${grant}`];
  });
}

/** The tiers as options, by what the workspace calls them. */
export const planOptions = (plans: Plans): (readonly [string, string])[] =>
  TIERS.map((tier) => [tier, planName(plans, tier)]);
