import { removeCard } from '../../../commands/billing/cards.js';
import { insertCompany, lockCompany, updateCompany } from '../../../commands/members/companies.js';
import { audit, auditEdit } from '../../../commands/workspaces/audit.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { takePlace } from '../../../commands/workspaces/quotas.js';
import { newId, newUuid } from '../../../db/ids.js';
import { findCompany, listCompanies, type CompanyRow } from '../../../db/queries/members/company.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { transaction } from '../../../db/transaction.js';
import { dayIn } from '../../../domain/cycle.js';
import { ApiError } from '../../../domain/errors.js';
import { assertAutopay, nextStatementAfter } from '../../../domain/payer.js';
import { BILLING_ADDRESS, presentCompany } from '../../../domain/presenters/company.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { isUuid } from '../../http/fields.js';
import { createOnce } from '../../http/idempotency.js';
import { listOf } from '../../http/list.js';
import { openCardSetup } from '../card-setups/open.js';
import type { CreateBody, UpdateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** The company in the path. Errors: 404 `company_not_found`. */
export async function companyOf(ctx: ApiContext, { db }: Deps): Promise<CompanyRow> {
  const { id } = ctx.params;
  const company = isUuid(id!) ? await findCompany(db.manager, ctx.state.principal.workspace_id, id!) : null;
  if (!company) throw new ApiError('company_not_found', 'No such company.');
  return company;
}

/** `GET /v1/companies`, by creation time. */
export const list = listOf({
  find: listCompanies,
  by: 'created_at',
  isId: isUuid,
  present: presentCompany,
});

/** `GET /v1/companies/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = presentCompany(await companyOf(ctx, deps));
  };
}

/** `POST /v1/companies`. Errors: 409 `limit_reached`, `idempotency_conflict`; 422 `validation_failed`. */
export function create({ db, quotas }: Pick<ApiDependencies, 'db' | 'quotas'>): Handler<CreateBody> {
  return async (ctx) => {
    const { monthly_statement, ...fields } = ctx.state.body;
    const { principal } = ctx.state;
    const { workspace_id } = principal;
    const id = newUuid();
    await createOnce(ctx, db, id, {
      async create(tx) {
        const { time_zone } = (await findWorkspace(tx, workspace_id))!;
        const next_statement_on = nextStatementAfter(
          { monthly_statement, ...fields },
          { payment_terms: null, next_statement_on: null },
          dayIn(time_zone, new Date()),
        );
        await takePlace(tx, quotas, workspace_id, 'companies');
        const company = { id, workspace_id, ...fields, next_statement_on };
        const after = presentCompany(await insertCompany(tx, company));
        await audit(tx, principal, { action: 'company.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentCompany((await findCompany(tx, workspace_id, id))!),
    });
  };
}

/**
 * `PATCH /v1/companies/{id}`. Errors: 404 `company_not_found`; 422 `validation_failed` for `autopay` without a card, and
 * for a statement without terms.
 */
export function update(deps: Deps): Handler<UpdateBody> {
  return async (ctx) => {
    const { id, workspace_id } = await companyOf(ctx, deps);
    ctx.body = await transaction(deps.db, async (tx) => {
      const company = await lockCompany(tx, workspace_id, id);
      const { monthly_statement, ...changes } = ctx.state.body;
      const { time_zone } = (await findWorkspace(tx, workspace_id))!;
      const today = dayIn(time_zone, new Date());
      const next_statement_on = nextStatementAfter({ monthly_statement, ...changes }, company, today);
      assertAutopay(changes, company);
      const before = presentCompany(company);
      const after = presentCompany(await updateCompany(tx, company, { ...changes, next_statement_on }));
      if (BILLING_ADDRESS.some((field) => after[field] !== before[field]))
        await enqueueMail(tx, {
          kind: 'billing_address_changed',
          workspace_id,
          about: `${id}:${newId('mail')}`,
        });
      await auditEdit(tx, ctx.state.principal, { action: 'company.updated', object: id, before, after });
      return after;
    });
  };
}

/** `POST /v1/companies/{id}/card-setup`. Errors: 404 `company_not_found`, and those of `openCardSetup`. */
export function setUpCard(deps: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>): Handler {
  return async (ctx) => {
    const { id, workspace_id } = await companyOf(ctx, deps);
    ctx.body = await openCardSetup(deps, workspace_id, { company_id: id, member_id: null });
    ctx.status = 200;
  };
}

/** `DELETE /v1/companies/{id}/card` (docs/rules/billing.md#cards-on-file). Errors: 404 `company_not_found`. */
export function removeCompanyCard(deps: Deps): Handler {
  return async (ctx) => {
    const { id } = await companyOf(ctx, deps);
    const payer = { company_id: id, member_id: null };
    await transaction(deps.db, (tx) => removeCard(tx, ctx.state.principal, payer));
    ctx.status = 204;
  };
}
