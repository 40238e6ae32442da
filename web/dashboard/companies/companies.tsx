import joi from 'joi';
import type { ComponentChildren } from 'preact';
import { cursorParam } from '../../../api/http/cursor.js';
import { searchText } from '../../../api/http/fields.js';
import {
  changeCompany,
  createCompany,
  createCompanyCardSetup,
  deleteCompanyCard,
  type Company,
} from '../../../api/resources/companies/operations.js';
import { isUuid } from '../../../db/ids.js';
import { findCardSetupToShow } from '../../../db/queries/payments/card.js';
import { listInvoices } from '../../../db/queries/invoices/invoice.js';
import type { StatementRow } from '../../../db/queries/invoices/issued-statement.js';
import { listPayers } from '../../../db/queries/invoices/payer.js';
import { findCompany, listCompanies, type CompanyRow } from '../../../db/queries/companies/company.js';
import { listMembers } from '../../../db/queries/members/member.js';
import { can } from '../../../domain/policies.js';
import { BILLING_ADDRESS, noSuchCompany, presentCompany } from '../../../domain/companies/presenter.js';
import { nextBookings } from '../bookings/next-bookings.js';
import { form } from '../forms/form.js';
import { metadataForm, MetadataSection } from '../forms/metadata.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { InvoiceTable } from '../invoices/invoice-table.js';
import { MemberTable } from '../members/members.js';
import { owedBy, listPayerFacts } from '../invoices/payers/payer.js';
import { latestStatements, statementsPage } from '../invoices/payers/statements.js';
import { payerForms } from '../invoices/payers/terms.js';
import { About, Details } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { Id } from '../shared/id.js';
import { Empty, Filter, Pager, readPage, Table } from '../shared/list.js';

const SHOWN = 10;

/** A company's details, without its payment terms. */
const inputs = {
  name: 'Name',
  billing_email: 'Billing email',
  address: { label: 'Address', rows: 3 },
  vat_number: 'VAT number',
};
const hint = 'Shown on invoices issued from now on.';

/** Addresses set through the API may have Windows line ends. */
const lines = (text: string | null | undefined): string | null => text?.replaceAll('\r\n', '\n') ?? null;

const newCompany = form(createCompany, inputs, {
  summary: 'New company',
  button: 'Add company',
  hint,
  notice: ({ object: { name } }) => `${name} has been added.`,
  to: ({ object: { id } }) => `/companies/${id}`,
});

interface Found {
  company: Company;
  row: CompanyRow;
}

interface OnePage extends Found {
  facts: (readonly [string, ComponentChildren])[];
  members: Awaited<ReturnType<typeof listMembers>>;
  invoices: Awaited<ReturnType<typeof listInvoices>>;
  payers: Awaited<ReturnType<typeof listPayers>>;
  issued: StatementRow[];
  bookings: ComponentChildren;
}

const editCompany = form(changeCompany, inputs, {
  summary: 'Edit',
  button: 'Save',
  of: ({ company }: Found) => company,
  hint,
  // Invoices and their payment links go to the billing address.
  proof: ({ body, data: { company } }) =>
    BILLING_ADDRESS.some((field) => lines(body[field]) !== lines(company[field])),
  notice: ({ name }) => `${name} has been saved.`,
});

const editMetadata = metadataForm(changeCompany, ({ company }: Found) => company);

const payment = payerForms(
  { change: changeCompany, setUpCard: createCompanyCardSetup, removeCard: deleteCompanyCard },
  ({ company }: Found) => company,
);

const statements = statementsPage(
  ({ row }: Found) => ({ of: { company_id: row.id, member_id: null }, email: row.billing_email }),
  'read_billing',
);

interface ListPage {
  rows: CompanyRow[];
  next: string | undefined;
}

function Companies(props: PageProps<ListPage>) {
  const { ctx, data } = props;
  return (
    <>
      <Filter ctx={ctx} fields={[{ name: 'q', label: 'Name or email' }]} />
      <Table
        rows={data.rows}
        empty={
          <Empty
            ctx={ctx}
            says="A company pays for its members and gets one invoice a month, such as Northwind Ltd."
          >
            <newCompany.Opener page={props} />
          </Empty>
        }
        columns={[
          { name: 'Name', show: ({ id, name }) => <a href={pathIn(ctx, `/companies/${id}`)}>{name}</a> },
          { name: 'Billing email', show: ({ billing_email }) => billing_email },
        ]}
      />
      <Pager ctx={ctx} next={data.next} />
    </>
  );
}

function OneCompany(props: PageProps<OnePage>) {
  const { ctx, data } = props;
  const { company, facts, members, invoices, payers, bookings } = data;
  const { id, billing_email, address, vat_number } = company;
  const { role } = ctx.state.membership!;
  return (
    <div class="columns">
      <aside>
        <About
          title="Invoice details"
          of={[
            ['Billing email', billing_email ?? <span class="alert">none: invoices are not emailed</span>],
            address && ['Address', address],
            vat_number && ['VAT number', vat_number],
          ]}
        />
        <About title="Payment" of={facts}>
          <payment.Drawers page={props} />
        </About>
        <MetadataSection page={props} of={company.metadata} form={editMetadata} />
        <Details of={[['ID', <Id of={id} />]]} />
      </aside>
      <div>
        {bookings}
        <h2>Invoices</h2>
        <InvoiceTable ctx={ctx} invoices={invoices} payers={payers} />
        <p class="links">
          <a href={pathIn(ctx, `/invoices?company_id=${id}`)}>All invoices</a>
          {can(role, 'write_billing') && (
            <a href={pathIn(ctx, `/invoices/new?company_id=${id}`)}>New invoice</a>
          )}
        </p>
        <h2>Members</h2>
        <MemberTable ctx={ctx} members={members} ofCompany />
        <p class="links">
          <a href={pathIn(ctx, `/members?company_id=${id}`)}>All members</a>
          {can(role, 'invite_members') && (
            <a href={pathIn(ctx, `/members/new?company_id=${id}`)}>Add member</a>
          )}
        </p>
        {can(role, 'read_billing') && (
          <>
            <h2>Statements</h2>
            <statements.Shown page={props} issued={data.issued} />
          </>
        )}
      </div>
    </div>
  );
}

async function findOne(
  { caller, params }: Pick<PageRequest, 'caller' | 'params'>,
  { db }: Pick<ApiDependencies, 'db'>,
): Promise<Found> {
  const row = await findCompany(db.manager, caller.workspace_id, params.id!);
  if (!row) throw noSuchCompany();
  return { row, company: presentCompany(row) };
}

export const companies = [
  page({
    path: '/companies',
    capability: 'read_payers',
    query: joi.object({ q: searchText.allow(''), cursor: cursorParam }),
    title: 'Companies',
    primary: (page) => <newCompany.Drawer page={page} />,
    load: ({ ctx, caller: { workspace_id }, query }, { db }): Promise<ListPage> =>
      readPage(ctx, isUuid, 'created_at', (page) =>
        listCompanies(db.manager, { workspace_id, q: query.q || undefined, ...page }),
      ),
    view: Companies,
    forms: [newCompany],
  }),
  page({
    path: '/companies/:id',
    capability: 'read_payers',
    title: ({ company }) => company.name,
    primary: (page) => <editCompany.Drawer page={page} icon="edit" />,
    find: findOne,
    async load(request, deps): Promise<OnePage> {
      const { ctx } = request;
      const { manager } = deps.db;
      const found = await findOne(request, deps);
      const { row } = found;
      const { workspace_id, role } = request.caller;
      const { id: company_id } = row;
      const payer = { company_id, member_id: null };
      const [members, invoices, setup] = await Promise.all([
        listMembers(manager, { workspace_id, company_id, limit: SHOWN }),
        listInvoices(manager, { workspace_id, company_id, limit: SHOWN }),
        findCardSetupToShow(manager, payer),
      ]);
      return {
        ...found,
        facts: [
          ...(can(role, 'read_billing') ? [await owedBy(manager, workspace_id, payer)] : []),
          ...listPayerFacts(ctx, row, setup),
        ],
        members,
        invoices,
        payers: await listPayers(
          manager,
          invoices.map(({ id }) => id),
        ),
        issued: await latestStatements(manager, workspace_id, payer),
        bookings: await nextBookings(ctx, deps, { company_id }, `company_id=${company_id}`),
      };
    },
    view: OneCompany,
    forms: [editCompany, editMetadata, ...payment.forms, ...statements.forms],
  }),
];
