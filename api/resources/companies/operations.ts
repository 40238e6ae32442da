import type { DataSource } from 'typeorm';
import { removeCard } from '../../../commands/payments/cards.js';
import { changeCompany as change, createCompany as create } from '../../../commands/companies/companies.js';
import { isUuid } from '../../../db/ids.js';
import {
  findCompany,
  listCompanies as find,
  type CompanyRow,
} from '../../../db/queries/companies/company.js';
import type { Principal } from '../../../domain/policies.js';
import { noSuchCompany, presentCompany } from '../../../domain/companies/presenter.js';
import { pageFields } from '../../http/cursor.js';
import { MAX_IN_PROGRESS } from '../../http/concurrency.js';
import { email, emptyBody, text } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, nothing, operation } from '../../http/operation.js';
import { nullable, object, type Infer } from '../../http/typed.js';
import { openCardSetup } from '../payments/open-card-setup.js';
import { examplePage } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { metadata, metadataFilter } from '../shared/metadata.js';
import { name } from '../shared/name.js';
import { card, cardSetup, EXAMPLE_CARD_SETUP, payer } from '../shared/payer-fields.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

const fields = splitSides({
  name: field(name, 'The name of the company.'),
  billing_email: field(nullable(email), 'The email address that receives its invoices.'),
  address: field(nullable(text(500).trim()), 'The address printed on its invoices, in one or more lines.'),
  vat_number: field(nullable(text(50).trim()), 'The VAT number printed on its invoices.'),
  metadata,
});

export const company = s.presentedBy(
  presentCompany,
  s.shape('Company', {
    id: s.anyUuid.description('The id of the company.'),
    ...fields.read,
    ...payer.read,
    card,
  }),
);

export type Company = Infer<typeof company>;

export const northwind = {
  id: '019a3c5e-9d02-7f16-8c3e-51b7a0d94e21',
  name: 'Northwind Ltd',
  billing_email: 'accounts@northwind.example',
  address: '12 Mill Lane\nBristol BS1 4ND',
  vat_number: 'GB 123 4567 89',
  metadata: { crm_id: 'acc-4711' },
  payment_terms: 30,
  credit_limit_minor: null,
  monthly_statement: true,
  autopay: false,
  card: null,
};

const { autopay, ...terms } = payer.sent;
const { name: exampleName, billing_email, address, vat_number, metadata: exampleMetadata } = northwind;

export const listCompanies = operation({
  route: 'GET /v1/companies',
  summary: 'List companies',
  description: 'Returns companies by creation time, oldest first.',
  scope: 'members:read',
  capability: 'read_payers',
  query: object({ metadata: metadataFilter('companies'), ...pageFields }),
  responses: { 200: s.pageSchema(company) },
  examples: { response: examplePage(northwind) },
  run: ({ query: { metadata, ...query } }, { workspace_id }, { db }) =>
    listPage(query, {
      by: 'created_at',
      list: { name: 'companies', isId: isUuid },
      find: (page) => find(db.manager, { workspace_id, metadata, ...page }),
      present: (row) => presentCompany(row),
    }),
});

export const createCompany = operation({
  route: 'POST /v1/companies',
  summary: 'Create a company',
  scope: 'members:write',
  capability: 'write_companies',
  body: object({ ...fields.sent, ...terms }, 'name').required(),
  idempotent: true,
  responses: { 200: company, 201: company },
  errors: ['limit_reached'],
  examples: {
    body: { name: exampleName, billing_email, address, vat_number, metadata: exampleMetadata },
    response: northwind,
  },
  run: ({ body, idempotency }, caller, { db, quotas }) => create(db, quotas, caller, body, idempotency),
  reply: created,
});

/** A company of the caller's workspace. Errors: 404 `company_not_found`. */
async function companyIn(db: DataSource, { workspace_id }: Principal, id: string): Promise<CompanyRow> {
  const found = await findCompany(db.manager, workspace_id, id);
  if (!found) throw noSuchCompany();
  return found;
}

const getCompany = operation({
  route: 'GET /v1/companies/:id',
  summary: 'Get a company',
  scope: 'members:read',
  capability: 'read_payers',
  responses: { 200: company },
  examples: { response: northwind },
  run: async ({ params }, caller, { db }) => presentCompany(await companyIn(db, caller, params.id)),
});

export const changeCompany = operation({
  route: 'PATCH /v1/companies/:id',
  summary: 'Update a company',
  description: 'The owner receives an email if `billing_email` or `address` changes.',
  scope: 'members:write',
  capability: 'write_companies',
  body: object({ ...fields.sent, ...terms, autopay })
    .min(1)
    .required(),
  idempotent: getCompany.run,
  responses: { 200: company },
  examples: {
    body: { billing_email: 'billing@northwind.example', payment_terms: 30, credit_limit_minor: 200_000 },
    response: { ...northwind, billing_email: 'billing@northwind.example' },
  },
  run: ({ params, body }, caller, { db }) => change(db, caller, params.id, body),
});

export const createCompanyCardSetup = operation({
  route: 'POST /v1/companies/:id/card-setup',
  summary: 'Set up a company’s card',
  id: 'createCompanyCardSetup',
  description:
    'Returns the URL of a hosted page where the payer saves a card, which replaces an earlier one. If such ' +
    'a page is already open, its URL is returned.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: emptyBody,
  concurrent: MAX_IN_PROGRESS,
  idempotent: true,
  responses: { 200: cardSetup },
  errors: ['processor_unconfigured', 'processor_error'],
  examples: { body: {}, response: EXAMPLE_CARD_SETUP },
  async run({ params, idempotency }, caller, deps) {
    const { id, workspace_id } = await companyIn(deps.db, caller, params.id);
    return openCardSetup(deps, workspace_id, { company_id: id, member_id: null }, idempotency);
  },
});

export const deleteCompanyCard = operation({
  route: 'DELETE /v1/companies/:id/card',
  summary: 'Remove a company’s card',
  id: 'deleteCompanyCard',
  description: 'Removes the card on file and turns off `autopay`.',
  scope: 'billing:write',
  capability: 'write_billing',
  idempotent: nothing,
  responses: { 204: null },
  run: ({ params }, caller, { db }) => removeCard(db, caller, { company_id: params.id, member_id: null }),
});

/** Companies (docs/rules/members.md#companies). */
export const companies: Resource = {
  tag: 'Companies',
  operations: [
    listCompanies,
    createCompany,
    getCompany,
    changeCompany,
    createCompanyCardSetup,
    deleteCompanyCard,
  ],
  ids: { companies: { name: 'company', example: northwind.id, notFound: 'company_not_found' } },
};
