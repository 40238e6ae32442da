import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';

export const company = s.shape({ id: s.anyUuid, name: s.anyText, billing_email: s.nullableText });

export const companyOperations: Operations = {
  'GET /v1/companies': { summary: 'List companies', answers: { 200: s.pageOf(company) } },
  'POST /v1/companies': {
    summary: 'Create a company',
    answers: { 200: company, 201: company },
    idempotent: true,
    body: { name: 'Northwind Ltd', billing_email: 'accounts@northwind.example' },
  },
  'GET /v1/companies/:id': { summary: 'Get a company', answers: { 200: company } },
  'PATCH /v1/companies/:id': {
    summary: 'Change a company',
    answers: { 200: company },
    body: { billing_email: 'billing@northwind.example' },
  },
};
