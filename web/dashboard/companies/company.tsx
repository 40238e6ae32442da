import { findCardSetupToShow } from '../../../db/queries/billing/card.js';
import { listInvoices } from '../../../db/queries/billing/invoice.js';
import { listPayers } from '../../../db/queries/billing/payer.js';
import { listMembers } from '../../../db/queries/members/member.js';
import { can } from '../../../domain/policies.js';
import { companyOf } from '../../../api/resources/companies/handlers.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { nextBookings } from '../bookings/next-bookings.js';
import { InvoiceTable } from '../invoices/invoice-table.js';
import { MemberTable } from '../members/members.js';
import { owedBy, PayerCard, payerFactsOf, PayerTerms } from '../payers/payer.js';
import { payerStatements } from '../payers/statements.js';
import { Action, Facts } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Id } from '../shared/id.js';
import { showSection } from '../shared/workspace.js';
import { CompanyFields, companyForm } from './companies.js';

const SHOWN = 10;

/** `GET /dashboard/:workspace/companies/:id`: a company with its members, next bookings and latest invoices. */
export function showCompany(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const company = await companyOf(ctx, deps);
    const { id: company_id, workspace_id, name } = company;
    const { role } = ctx.state.membership!;
    const { manager } = deps.db;
    const at = pathIn(ctx, `/companies/${company_id}`);
    const [members, invoices, setup] = await Promise.all([
      listMembers(manager, { workspace_id, company_id, limit: SHOWN }),
      listInvoices(manager, { workspace_id, company_id, limit: SHOWN }),
      findCardSetupToShow(manager, { company_id, member_id: null }),
    ]);
    const payers = await listPayers(
      manager,
      invoices.map(({ id }) => id),
    );
    showSection(ctx, {
      title: name,
      at: '/companies',
      children: (
        <>
          <Facts
            of={[
              ...companyForm.facts(company),
              ...(can(role, 'read_billing')
                ? [await owedBy(manager, workspace_id, { company_id, member_id: null })]
                : []),
              ...payerFactsOf(ctx, company, setup),
              ['ID', <Id of={company_id} />],
            ]}
          />
          {can(role, 'write_companies') && (
            <div class="card">
              <Action ctx={ctx} action={at} summary="Edit" button="Save">
                <CompanyFields of={company} />
              </Action>
              <PayerTerms ctx={ctx} at={at} payer={company} />
              <PayerCard ctx={ctx} at={at} payer={company} />
            </div>
          )}
          <h2>Members</h2>
          <MemberTable ctx={ctx} members={members} />
          <p class="links">
            <a href={pathIn(ctx, `/members?company_id=${company_id}`)}>All members</a>
            {can(role, 'invite_members') && (
              <a href={pathIn(ctx, `/members/new?company_id=${company_id}`)}>Add a member</a>
            )}
          </p>
          {can(role, 'read_billing') && (
            <>
              <h2>Statements</h2>
              {await payerStatements(ctx, deps, {
                of: { company_id, member_id: null },
                at,
                email: company.billing_email,
              })}
            </>
          )}
          {await nextBookings(ctx, deps, { company_id }, `company_id=${company_id}`)}
          <h2>Invoices</h2>
          <InvoiceTable ctx={ctx} invoices={invoices} payers={payers} />
          <p class="links">
            <a href={pathIn(ctx, `/invoices?company_id=${company_id}`)}>All invoices</a>
            {can(role, 'write_billing') && (
              <a href={pathIn(ctx, `/invoices/new?company_id=${company_id}`)}>New invoice</a>
            )}
          </p>
        </>
      ),
    });
  };
}
