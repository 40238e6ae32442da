import { examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import { cardSetup, EXAMPLE_CARD_SETUP } from '../shared/payer-fields.js';
import * as s from '../shared/shapes.js';
import { company, northwind } from './shape.js';

export const operations: Operations = {
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
    errors: ['limit_reached'],
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
    description: 'The owner gets an email about another `billing_email` or `address`.',
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
