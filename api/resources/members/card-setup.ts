import { refuse } from '../../../domain/errors.js';
import { whyNotCardOf } from '../../../domain/policies.js';
import { openCardSetup } from '../payments/open-card-setup.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { memberIdOf, memberOf } from './read.js';

/**
 * `POST /v1/members/{id}/card-setup`, for oneself or with the right to write billing. Errors: 403
 * `role_insufficient`, 404 `member_not_found`, and those of `openCardSetup`.
 */
export function setUpCard(deps: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const memberId = memberIdOf(ctx);
    refuse(whyNotCardOf(principal, memberId));
    const { id, workspace_id } = await memberOf(ctx, deps, memberId);
    ctx.body = await openCardSetup(deps, workspace_id, { company_id: null, member_id: id });
    ctx.status = 200;
  };
}
