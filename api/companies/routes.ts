import Router from '@koa/router';
import joi from 'joi';
import type { Company } from '../../db/rows.js';
import { insertCompany, lockCompany, updateCompany } from '../../db/repositories/members/companies.js';
import { findCompany, listCompanies } from '../../db/repositories/members/company-queries.js';
import { audit, auditEdit } from '../../db/repositories/workspaces/audit.js';
import { newUuid } from '../../db/ids.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { createOnce } from '../http/idempotency.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { cursorParam, decodeCursor, page } from '../http/cursor.js';
import { isUuid, pageLimit, text, validBody, validQuery } from '../http/validate.js';

const name = text(200).trim().min(1);
const billing_email = text(254).email({ tlds: false }).allow(null);
const createSchema = joi.object({ name: name.required(), billing_email }).required();
const updateSchema = joi.object({ name, billing_email }).min(1).required();
const listSchema = joi.object({ limit: pageLimit, cursor: cursorParam });

const presentCompany = (company: Company) => ({
  id: company.id,
  name: company.name,
  billing_email: company.billing_email,
});

/** Companies (decisions.md, "Rooms, companies, workspace"). */
export function companyRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  async function companyOf(ctx: ApiContext): Promise<Company> {
    const { id } = ctx.params;
    const company = isUuid(id!) ? await findCompany(db.manager, ctx.state.principal.workspace_id, id!) : null;
    if (!company) throw new ApiError('company_not_found', 'There is no such company.');
    return company;
  }

  const list: Handler = async (ctx) => {
    const query = ctx.state.query as { limit: number; cursor?: string };
    const after = query.cursor ? decodeCursor(query.cursor, isUuid) : undefined;
    const rows = await listCompanies(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: query.limit + 1,
    });
    ctx.body = page(rows, query.limit, (company) => company.created_at, presentCompany);
  };

  const get: Handler = async (ctx) => {
    ctx.body = presentCompany(await companyOf(ctx));
  };

  const create: Handler = async (ctx) => {
    const body = ctx.state.body as { name: string; billing_email?: string | null };
    const { principal } = ctx.state;
    const { workspace_id } = principal;
    const id = newUuid();
    const company = { id, workspace_id, name: body.name, billing_email: body.billing_email ?? null };
    await createOnce(ctx, db, id, {
      async make(tx) {
        const after = presentCompany(await insertCompany(tx, company));
        await audit(tx, principal, { action: 'company.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentCompany((await findCompany(tx, workspace_id, id))!),
    });
  };

  const update: Handler = async (ctx) => {
    const { id } = await companyOf(ctx);
    ctx.body = await transaction(db, async (tx) => {
      const before = presentCompany(await lockCompany(tx, id));
      const after = presentCompany(await updateCompany(tx, id, ctx.state.body as Partial<Company>));
      await auditEdit(tx, ctx.state.principal, { action: 'company.updated', object: id, before, after });
      return after;
    });
  };

  const mayRead = may('members:read', 'read_others');
  const mayWrite = may('members:write', 'write_companies');
  router.get('/v1/companies', ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.post('/v1/companies', ...route(signedIn, mayWrite, validBody(createSchema), create));
  router.get('/v1/companies/:id', ...route(signedIn, mayRead, get));
  router.patch('/v1/companies/:id', ...route(signedIn, mayWrite, validBody(updateSchema), update));
  return router;
}
