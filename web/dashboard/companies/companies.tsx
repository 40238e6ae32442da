import joi from 'joi';
import { listCompanies, type CompanyRow } from '../../../db/queries/members/company.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { create, update } from '../../../api/resources/companies/handlers.js';
import { createSchema, updateSchema } from '../../../api/resources/companies/shape.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { isUuid, searchText } from '../../../api/http/fields.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { TextArea, TextField } from '../shared/fields.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { Filter, readPage, Pager, Table } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';

export const companiesQuery = joi.object({ q: searchText.allow(''), cursor: cursorParam });

export const companyFields = {
  ...hiddenFields,
  ...textFields(createSchema, 'name', 'billing_email', 'address', 'vat_number'),
};

interface CompanyForm {
  name: string;
  billing_email?: string;
  address?: string;
  vat_number?: string;
}

const bodyOf = ({ name, billing_email, address, vat_number }: CompanyForm) => ({
  name,
  billing_email: billing_email || null,
  address: address?.replaceAll('\r\n', '\n') || null,
  vat_number: vat_number || null,
});

/** Adds a company like `POST /v1/companies`. */
export const createCompanyForm = apiForm<CompanyForm, { id: string; name: string }>({
  handler: create,
  schema: createSchema,
  body: bodyOf,
  notice: ({ name }) => `${name} has been added.`,
  to: (_ctx, { id }) => `/companies/${id}`,
});

/** Changes a company like `PATCH /v1/companies/{id}`. */
export const updateCompanyForm = apiForm<CompanyForm, { id: string; name: string }>({
  handler: update,
  schema: updateSchema,
  body: bodyOf,
  notice: ({ name }) => `${name} has been saved.`,
  to: (_ctx, { id }) => `/companies/${id}`,
});

/** The fields of a company. */
export function CompanyFields({ name, billing_email, address, vat_number }: Partial<CompanyRow>) {
  return (
    <>
      <TextField {...inputOf(createSchema, 'name')} label="Name" value={name} />
      <TextField
        {...inputOf(createSchema, 'billing_email')}
        label="Billing email"
        type="email"
        value={billing_email ?? ''}
      />
      <TextArea {...inputOf(createSchema, 'address')} label="Address" rows={3} value={address ?? ''} />
      <TextField {...inputOf(createSchema, 'vat_number')} label="VAT number" value={vat_number ?? ''} />
      <p class="hint">Printed on invoices opened from now on.</p>
    </>
  );
}

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
