import { lockCompany, updateCompany } from '../../db/repositories/members/companies.js';
import { auditEdit } from '../../db/repositories/workspaces/audit.js';
import { transaction } from '../../db/transaction.js';
import { presentCompany } from '../../domain/presenters/company.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from '../http/context.js';
import { companyOf } from './read.js';
import type { UpdateBody } from './schema.js';

/** `PATCH /v1/companies/{id}`. Errors: 404 `company_not_found`. */
export function update(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { id } = await companyOf(ctx, deps);
    ctx.body = await transaction(deps.db, async (tx) => {
      const before = presentCompany(await lockCompany(tx, id));
      const after = presentCompany(await updateCompany(tx, id, ctx.state.body as UpdateBody));
      await auditEdit(tx, ctx.state.principal, { action: 'company.updated', object: id, before, after });
      return after;
    });
  };
}
