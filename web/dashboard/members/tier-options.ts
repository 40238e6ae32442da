import type { Workspace } from '../../../db/entities/workspaces.js';
import { TIERS } from '../../../domain/price.js';
import { MONTHLY_HOUR_CREDITS } from '../../../domain/tiers.js';
import type { ApiContext } from '../../../api/http/context.js';
import { formatsOf, sentenceCase } from '../../ui/formats.js';

/** The tiers as options, each with the price it means. */
export function tierOptions(
  ctx: ApiContext,
  { tier_prices, currency }: Pick<Workspace, 'tier_prices' | 'currency'>,
): (readonly [string, string])[] {
  const { amount } = formatsOf(ctx);
  return TIERS.map((tier) => {
    const credits = MONTHLY_HOUR_CREDITS[tier];
    const grant = credits > 0 ? `, ${credits} hours included` : '';
    return [tier, `${sentenceCase(tier)}: ${amount(tier_prices[tier], currency)} a month${grant}`];
  });
}
