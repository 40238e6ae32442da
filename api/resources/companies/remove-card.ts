import { removeCard } from '../../../commands/billing/cards.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { companyOf } from './read.js';

/** `DELETE /v1/companies/{id}/card` (docs/rules/billing.md#cards-on-file). Errors: 404 `company_not_found`. */
export function removeCompanyCard(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { id } = await companyOf(ctx, deps);
    const payer = { company_id: id, member_id: null };
    await transaction(deps.db, (tx) => removeCard(tx, ctx.state.principal, payer));
    ctx.status = 204;
  };
}
