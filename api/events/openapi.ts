import type { Operations } from '../resource/operation.js';
import * as s from '../resource/shapes.js';
import { event } from './responses.js';

export const operations: Operations = {
  'GET /v1/events': {
    summary: 'List events',
    description:
      'Returns events in the order in which they were committed, so that a client that reads page by page misses none. To continue after an event, send its id as `cursor`.',
    responses: { 200: s.pageOf(event) },
    query: { type: 'booking.confirmed' },
  },
  'GET /v1/events/:id': {
    summary: 'Get an event',
    description: 'Returns the event with all of its delivery attempts.',
    responses: { 200: event },
  },
  'POST /v1/events/:id/redeliver': {
    summary: 'Redeliver an event',
    description:
      'Attempts to deliver the event once, immediately, and returns it with all of its delivery attempts.',
    responses: { 200: event },
    errors: ['not_found'],
  },
};
