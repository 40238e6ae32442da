import { examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { discount, spring } from './shape.js';

const { code, percent, valid_from, valid_until, max_uses, max_uses_per_payer } = spring;

export const operations: Operations = {
  'GET /v1/discounts': {
    summary: 'List discount codes',
    description: 'Returns codes by creation time, oldest first. Only admins and owners read them.',
    example: () => examplePage(spring),
    responses: { 200: s.pageOf(discount) },
  },
  'POST /v1/discounts': {
    summary: 'Create a discount code',
    description:
      'The code, and the percentage or amount that it takes off, cannot be changed later. Create another code instead, and archive this one. The owner gets an email about a code of 100 %.',
    example: () => spring,
    responses: { 200: discount, 201: discount },
    errors: ['limit_reached'],
    idempotent: true,
    body: { code, percent, valid_from, valid_until, max_uses, max_uses_per_payer },
  },
  'GET /v1/discounts/:id': {
    summary: 'Get a discount code',
    example: () => spring,
    responses: { 200: discount },
  },
  'PATCH /v1/discounts/:id': {
    summary: 'Change a discount code',
    description:
      'Bookings that have used it keep what it took off. The owner gets an email about a code of 100 % that can be used.',
    example: () => ({ ...spring, max_uses: 300 }),
    responses: { 200: discount },
    body: { max_uses: 300 },
  },
};
