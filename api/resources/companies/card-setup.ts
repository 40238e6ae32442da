import { openCardSetup } from '../card-setups/open.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { companyOf } from './read.js';

/** `POST /v1/companies/{id}/card-setup`. Errors: 404 `company_not_found`, and those of `openCardSetup`. */
export function setUpCard(deps: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>): Handler {
  return async (ctx) => {
    const { id, workspace_id } = await companyOf(ctx, deps);
    ctx.body = await openCardSetup(deps, workspace_id, { company_id: id, member_id: null });
    ctx.status = 200;
  };
}
