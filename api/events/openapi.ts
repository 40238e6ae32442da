import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';
import { event } from './responses.js';

export const eventOperations: Operations = {
  'GET /v1/events': {
    summary: 'List events',
    description:
      'In the order in which they were committed: who has seen a page misses none that comes later. `cursor` may be an event’s id, to go on behind it.',
    answers: { 200: s.pageOf(event) },
    query: { type: 'booking.confirmed' },
  },
  'GET /v1/events/:id': {
    summary: 'Get an event',
    description: 'With all attempts to deliver it.',
    answers: { 200: event },
  },
  'POST /v1/events/:id/redeliver': {
    summary: 'Redeliver an event',
    description: 'One attempt, now. Answers the event with all its deliveries.',
    answers: { 200: event },
    errors: ['not_found'],
  },
};
