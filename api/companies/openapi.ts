import { examplePage } from '../resource/examples.js';
import type { Operations } from '../resource/operation.js';
import * as s from '../resource/shapes.js';
import { company } from './responses.js';

export const EXAMPLE_COMPANY_ID = '019a3c5e-9d02-7f16-8c3e-51b7a0d94e21';

const northwind = {
  id: EXAMPLE_COMPANY_ID,
  name: 'Northwind Ltd',
  billing_email: 'accounts@northwind.example',
};

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
    idempotent: true,
    body: { name: 'Northwind Ltd', billing_email: 'accounts@northwind.example' },
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
    body: { billing_email: 'billing@northwind.example' },
  },
};
