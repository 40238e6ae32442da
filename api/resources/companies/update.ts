import { lockCompany, updateCompany } from '../../../commands/members/companies.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { auditEdit } from '../../../commands/workspaces/audit.js';
import { transaction } from '../../../db/transaction.js';
import { dayIn } from '../../../domain/cycle.js';
import { assertAutopay, nextStatementAfter } from '../../../domain/payer.js';
import { presentCompany } from '../../../domain/presenters/company.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { companyOf } from './read.js';
import type { UpdateBody } from './schema.js';

/** `PATCH /v1/companies/{id}`. Errors: 404 `company_not_found`; 422 `validation_failed` for `autopay` without a card, and for a statement without terms. */
export function update(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { id, workspace_id } = await companyOf(ctx, deps);
    ctx.body = await transaction(deps.db, async (tx) => {
      const company = await lockCompany(tx, workspace_id, id);
      const { monthly_statement, ...changes } = ctx.state.body as UpdateBody;
      const { time_zone } = (await findWorkspace(tx, workspace_id))!;
      const today = dayIn(time_zone, new Date());
      const next_statement_on = nextStatementAfter({ monthly_statement, ...changes }, company, today);
      assertAutopay(changes, company);
      const before = presentCompany(company);
      const after = presentCompany(await updateCompany(tx, company, { ...changes, next_statement_on }));
      await auditEdit(tx, ctx.state.principal, { action: 'company.updated', object: id, before, after });
      return after;
    });
  };
}
