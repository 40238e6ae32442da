import { findCompany, listCompanies, type CompanyRow } from '../../../db/queries/members/company.js';
import { ApiError } from '../../../domain/errors.js';
import { presentCompany } from '../../../domain/presenters/company.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { decodeCursor, page, type PageQuery } from '../../http/cursor.js';
import { isUuid } from '../../http/fields.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** The company in the path. Errors: 404 `company_not_found`. */
export async function companyOf(ctx: ApiContext, { db }: Deps): Promise<CompanyRow> {
  const { id } = ctx.params;
  const company = isUuid(id!) ? await findCompany(db.manager, ctx.state.principal.workspace_id, id!) : null;
  if (!company) throw new ApiError('company_not_found', 'No such company.');
  return company;
}

/** `GET /v1/companies/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = presentCompany(await companyOf(ctx, deps));
  };
}

/** `GET /v1/companies`, by creation time. */
export function list({ db }: Deps): Handler {
  return async (ctx) => {
    const { cursor, limit } = ctx.state.query as PageQuery;
    const after = decodeCursor(cursor, isUuid);
    const rows = await listCompanies(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (company) => company.created_at, presentCompany);
  };
}
