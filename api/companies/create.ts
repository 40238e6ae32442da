import { newUuid } from '../../db/ids.js';
import { insertCompany } from '../../db/repositories/members/companies.js';
import { findCompany } from '../../db/repositories/members/company-queries.js';
import { audit } from '../../db/repositories/workspaces/audit.js';
import { presentCompany } from '../../domain/presenters/company.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from '../http/context.js';
import { createOnce } from '../http/idempotency.js';
import type { CreateBody } from './schema.js';

/** `POST /v1/companies`. Errors: 409 `idempotency_conflict`. */
export function create({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { name, billing_email = null, ...terms } = ctx.state.body as CreateBody;
    const { principal } = ctx.state;
    const { workspace_id } = principal;
    const id = newUuid();
    await createOnce(ctx, db, id, {
      async create(tx) {
        const after = presentCompany(
          await insertCompany(tx, { id, workspace_id, name, billing_email, ...terms }),
        );
        await audit(tx, principal, { action: 'company.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentCompany((await findCompany(tx, workspace_id, id))!),
    });
  };
}
