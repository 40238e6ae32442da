import { newUuid } from '../../../db/ids.js';
import { insertCompany } from '../../../commands/members/companies.js';
import { findCompany } from '../../../db/queries/members/company.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { audit } from '../../../commands/workspaces/audit.js';
import { dayIn } from '../../../domain/cycle.js';
import { nextStatementAfter } from '../../../domain/payer.js';
import { presentCompany } from '../../../domain/presenters/company.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { createOnce } from '../../http/idempotency.js';
import type { CreateBody } from './schema.js';

/** `POST /v1/companies`. Errors: 409 `idempotency_conflict`; 422 `validation_failed`. */
export function create({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { name, billing_email = null, monthly_statement, ...terms } = ctx.state.body as CreateBody;
    const { principal } = ctx.state;
    const { workspace_id } = principal;
    const id = newUuid();
    await createOnce(ctx, db, id, {
      async create(tx) {
        const { time_zone } = (await findWorkspace(tx, workspace_id))!;
        const next_statement_on = nextStatementAfter(
          { monthly_statement, ...terms },
          { payment_terms: null, next_statement_on: null },
          dayIn(time_zone, new Date()),
        );
        const company = { id, workspace_id, name, billing_email, ...terms, next_statement_on };
        const after = presentCompany(await insertCompany(tx, company));
        await audit(tx, principal, { action: 'company.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentCompany((await findCompany(tx, workspace_id, id))!),
    });
  };
}
