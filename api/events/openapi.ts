import type { Operations } from '../resource/operation.js';
import * as s from '../resource/shapes.js';
import { event } from './responses.js';

export const operations: Operations = {
  'GET /v1/events': {
    summary: 'List events',
    description:
      'Returns events in commit order, so that a client that has read a page does not miss later events. `cursor` can also be the id of an event, to continue after it.',
    responses: { 200: s.pageOf(event) },
    query: { type: 'booking.confirmed' },
  },
  'GET /v1/events/:id': {
    summary: 'Get an event',
    description: 'Returns the event with all attempts to deliver it.',
    responses: { 200: event },
  },
  'POST /v1/events/:id/redeliver': {
    summary: 'Redeliver an event',
    description: 'Makes one attempt immediately and returns the event with all of its deliveries.',
    responses: { 200: event },
    errors: ['not_found'],
  },
};
