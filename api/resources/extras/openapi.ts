import { examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { extra, lunch } from './shape.js';

const { id: _, created_at: _created, updated_at: _updated, ...body } = lunch;

export const operations: Operations = {
  'GET /v1/extras': {
    summary: 'List extras',
    description:
      'Returns extras by creation time, oldest first. Members and billing contacts do not see internal ones.',
    example: () => examplePage(lunch),
    responses: { 200: s.pageOf(extra) },
  },
  'POST /v1/extras': {
    summary: 'Create an extra',
    example: () => lunch,
    responses: { 200: extra, 201: extra },
    errors: ['limit_reached'],
    idempotent: true,
    body,
  },
  'GET /v1/extras/:id': {
    summary: 'Get an extra',
    example: () => lunch,
    responses: { 200: extra },
  },
  'PATCH /v1/extras/:id': {
    summary: 'Change an extra',
    description: 'Bookings that have it keep the terms that it had when they were booked.',
    example: () => ({ ...lunch, stock: 80 }),
    responses: { 200: extra },
    body: { stock: 80 },
  },
};
