import { removeCard } from '../../../commands/payments/cards.js';
import { refuse } from '../../../domain/errors.js';
import { whyNotCardOf } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { memberIdOf, memberOf } from './read.js';

/**
 * `DELETE /v1/members/{id}/card`, for oneself or with the right to write billing
 * (docs/rules/billing.md#cards-on-file). Errors: 403 `role_insufficient`, 404 `member_not_found`.
 */
export function removeMemberCard(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const memberId = memberIdOf(ctx);
    refuse(whyNotCardOf(principal, memberId));
    const { id } = await memberOf(ctx, deps, memberId);
    const payer = { company_id: null, member_id: id };
    await removeCard(deps.db, principal, payer);
    ctx.status = 204;
  };
}
