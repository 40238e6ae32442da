import joi from 'joi';
import { listCompanies, type CompanyRow } from '../../../db/queries/members/company.js';
import { can } from '../../../domain/policies.js';
import { BILLING_ADDRESS } from '../../../domain/presenters/company.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { companyOf, create, update } from '../../../api/resources/companies/handlers.js';
import { createSchema, updateSchema } from '../../../api/resources/companies/shape.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { isUuid, searchText } from '../../../api/http/fields.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { declaredForm, emptied, type Entered } from '../shared/declared-form.js';
import { Filter, readPage, Pager, Table } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';

export const companiesQuery = joi.object({ q: searchText.allow(''), cursor: cursorParam });

/** What people enter and read about a company besides its terms of payment. */
export const companyForm = declaredForm(createSchema, {
  name: { label: 'Name', fact: false },
  billing_email: {
    label: 'Billing email',
    type: 'email',
    none: <span class="alert">none: invoices cannot be emailed</span>,
  },
  address: { label: 'Address', rows: 3, fact: (address) => address.replaceAll('\n', ', ') },
  vat_number: { label: 'VAT number' },
});

export const companyFields = { ...hiddenFields, ...companyForm.fields };

type Saved = { id: string; name: string };

const toCompany = (_ctx: ApiContext, { id }: Saved): string => `/companies/${id}`;

/** Adds a company like `POST /v1/companies`. */
export const createCompanyForm = apiForm<Entered<typeof companyForm>, Saved>({
  handler: create,
  schema: createSchema,
  body: companyForm.body,
  notice: ({ name }) => `${name} has been added.`,
  to: toCompany,
});

/** Changes a company like `PATCH /v1/companies/{id}`. */
export const updateCompanyForm = apiForm<Entered<typeof companyForm>, Saved>({
  handler: update,
  schema: updateSchema,
  body: companyForm.body,
  notice: ({ name }) => `${name} has been saved.`,
  to: toCompany,
});

/** Invoices and the links to pay them go to the billing address. A field that the form lacks is emptied. */
export async function changesBillingAddress(ctx: ApiContext, deps: ApiDependencies): Promise<boolean> {
  const form = { ...emptied(BILLING_ADDRESS), ...(ctx.state.body as Entered<typeof companyForm>) };
  const changes = companyForm.changes(form, await companyOf(ctx, deps));
  return BILLING_ADDRESS.some((field) => field in changes);
}

/** The inputs for a company. */
export const CompanyFields = ({ of }: { of?: CompanyRow }) => (
  <>
    <companyForm.Inputs of={of} />
    <p class="hint">Printed on invoices opened from now on.</p>
  </>
);

function NewCompany({ ctx }: { ctx: ApiContext }) {
  if (!can(ctx.state.membership!.role, 'write_companies')) return null;
  return (
    <div class="card">
      <Action ctx={ctx} action={pathIn(ctx, '/companies')} summary="Add a company" button="Add company">
        <CompanyFields />
      </Action>
    </div>
  );
}

/** `GET /dashboard/:workspace/companies`: companies by creation time. */
export function showCompanies({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const { q } = ctx.state.query as { cursor?: string; q?: string };
    const { rows, next } = await readPage(ctx, isUuid, 'created_at', (page) =>
      listCompanies(db.manager, {
        workspace_id,
        q: q || undefined,
        ...page,
      }),
    );
    showSection(ctx, {
      title: 'Companies',
      at: '/companies',
      children: (
        <>
          <Filter ctx={ctx} fields={[{ name: 'q', label: 'Name or email' }]} />
          <Table
            rows={rows}
            empty="No companies."
            columns={[
              { name: 'Name', show: ({ id, name }) => <a href={pathIn(ctx, `/companies/${id}`)}>{name}</a> },
              { name: 'Billing email', show: ({ billing_email }) => billing_email },
            ]}
          />
          <Pager ctx={ctx} next={next} />
          <NewCompany ctx={ctx} />
        </>
      ),
    });
  };
}
