import joi from 'joi';
import type { EventType } from '../../../domain/events.js';
import { EXAMPLE_WORKSPACE_ID, exampleInstant } from '../shared/examples.js';
import { integer, oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

export const EXAMPLE_EVENT_ID = 'evt_01kba6xz3fe4r9tq5v8mhc2s1k';

/** Any event. The document builds the schema from the events of all resources. */
export const event = s.component('Event');

/** An event of some types with a schema of its object (docs/rules/events.md#body). */
export const eventOf = (types: readonly EventType[], object: joi.Schema): joi.ObjectSchema =>
  s.shape({
    id: s.idOf('evt'),
    type: oneOf(types).description('The type of the event.'),
    created_at: s.instant,
    workspace_id: s.idOf('ws'),
    sequence: integer
      .min(1)
      .description('Counts the events of the object. Events of one object are delivered in this order.'),
    data: s
      .shape({
        object: object.description('The object as it was just after the change.'),
        previous: s.anyObject.optional().description('The previous values of the fields that changed.'),
      })
      .description('What the event is about.'),
  });

/** The deliveries of an event, if it is requested by id. */
export const deliveries = joi.array().items(
  s.shape({
    attempt: s.count.description('The number of the attempt, from 1.'),
    at: s.instant.description('The time of the attempt.'),
    status_code: integer.allow(null).description('The HTTP status of the response. Null if there was none.'),
    duration_ms: s.count.allow(null).description('How long the attempt took, in milliseconds.'),
    error: s.nullableText.description('Why there was no response.'),
    response_excerpt: s.nullableText.description('The beginning of the response body.'),
  }),
);

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
