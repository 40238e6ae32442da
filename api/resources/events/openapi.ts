import type { EventType } from '../../../domain/events/types.js';
import { EXAMPLE_MEMBER_ID } from '../members/shape.js';
import { EXAMPLE_WORKSPACE_ID, exampleInstant, examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { event } from './shape.js';

export const EXAMPLE_EVENT_ID = 'evt_01kba6xz3fe4r9tq5v8mhc2s1k';

/** An example of a delivery. */
export const exampleDelivery = {
  attempt: 1,
  at: exampleInstant(0, 12),
  status_code: 200,
  duration_ms: 84,
  error: null,
  response_excerpt: 'ok',
};

/** An example of an event with its data. */
export const eventExample = (
  type: EventType,
  data: { object: unknown; previous?: Record<string, unknown> },
) => ({
  id: EXAMPLE_EVENT_ID,
  type,
  created_at: exampleInstant(0, 12),
  workspace_id: EXAMPLE_WORKSPACE_ID,
  sequence: 1,
  data,
});

const example = eventExample('member.deleted', { object: { id: EXAMPLE_MEMBER_ID, deleted: true } });
const delivered = { ...example, deliveries: [exampleDelivery] };

export const operations: Operations = {
  'GET /v1/events': {
    summary: 'List events',
    description:
      'Returns events in the order in which they were committed, so that a client that reads page by page ' +
      'misses none. To continue after an event, send its id as `cursor`.',
    example: () => examplePage(example),
    responses: { 200: s.pageOf(event) },
    query: { type: 'booking.confirmed' },
  },
  'GET /v1/events/:id': {
    summary: 'Get an event',
    description: 'Returns the event with all of its delivery attempts.',
    example: () => delivered,
    responses: { 200: event },
  },
  'POST /v1/events/:id/redeliver': {
    summary: 'Redeliver an event',
    description:
      'Attempts to deliver the event once, immediately, and returns it with all of its delivery attempts.',
    example: () => delivered,
    responses: { 200: event },
    errors: ['not_found'],
  },
};
