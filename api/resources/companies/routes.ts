import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { pageSchema } from '../../http/cursor.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import { cardSetup, EXAMPLE_CARD_SETUP } from '../shared/payer-fields.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { create, get, list, removeCompanyCard, setUpCard, update } from './handlers.js';
import { company, createSchema, EXAMPLE_COMPANY_ID, northwind, updateSchema } from './shape.js';

const operations: Operations = {
  'GET /v1/companies': {
    summary: 'List companies',
    description: 'Returns companies by creation time, oldest first.',
    example: () => examplePage(northwind),
    responses: { 200: s.pageOf(company) },
  },
  'POST /v1/companies': {
    summary: 'Create a company',
    example: () => northwind,
    responses: { 200: company, 201: company },
    idempotent: true,
    body: {
      name: 'Northwind Ltd',
      billing_email: 'accounts@northwind.example',
      address: '12 Mill Lane\nBristol BS1 4ND',
      vat_number: 'GB 123 4567 89',
    },
  },
  'GET /v1/companies/:id': {
    summary: 'Get a company',
    example: () => northwind,
    responses: { 200: company },
  },
  'PATCH /v1/companies/:id': {
    summary: 'Change a company',
    example: () => ({ ...northwind, billing_email: 'billing@northwind.example' }),
    responses: { 200: company },
    body: { billing_email: 'billing@northwind.example', payment_terms: 30, credit_limit_minor: 200_000 },
  },
  'POST /v1/companies/:id/card-setup': {
    summary: 'Set up a company’s card',
    id: 'createCompanyCardSetup',
    description:
      'Returns the URL of a hosted page where the payer saves a card, which replaces an earlier one. If such a page is already open, its URL is returned.',
    example: () => EXAMPLE_CARD_SETUP,
    responses: { 200: cardSetup },
    errors: ['processor_unconfigured', 'processor_error'],
    body: {},
  },
  'DELETE /v1/companies/:id/card': {
    summary: 'Remove a company’s card',
    id: 'deleteCompanyCard',
    description: 'The card is not charged again, and `autopay` is turned off.',
    responses: { 204: null },
  },
};

/** Companies (docs/rules/members.md#companies). */
export const companies: Resource = {
  tag: 'Companies',
  operations,
  schemas: { Company: company },
  ids: { companies: { name: 'company', example: EXAMPLE_COMPANY_ID, notFound: 'company_not_found' } },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/companies';
    const signedIn = authenticated(deps);
    const canRead = requires('members:read', 'read_others');
    const canWrite = requires('members:write', 'write_companies');
    const canBill = requires('billing:write', 'write_billing');
    router.get(path, ...route(signedIn, canRead, validQuery(pageSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.patch(`${path}/:id`, ...route(signedIn, canWrite, validBody(updateSchema, update(deps))));
    router.post(
      `${path}/:id/card-setup`,
      ...route(signedIn, canBill, validBody(emptyBody), limitConcurrent(), setUpCard(deps)),
    );
    router.delete(`${path}/:id/card`, ...route(signedIn, canBill, removeCompanyCard(deps)));
    return router;
  },
};
