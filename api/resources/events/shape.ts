import type joi from 'joi';
import { isId } from '../../../db/ids.js';
import { KNOWN_EVENT_TYPES, type EventType } from '../../../domain/events/types.js';
import { pageFields } from '../../http/cursor.js';
import { rangeEnd, timestamp } from '../../http/fields.js';
import { array, integer, nullable, object, oneOf, optional, typed, type Infer } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

export const isEventId = (id: string): boolean => isId('evt', id);

/** Query of `GET /v1/events`. */
export const listSchema = object({
  type: oneOf(KNOWN_EVENT_TYPES).description('Returns only events of this type.'),
  from: timestamp.description('Returns only events created at or after this time.'),
  to: rangeEnd.description('Returns only events created before this time.'),
  ...pageFields,
});
export type ListQuery = Infer<typeof listSchema>;

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
        object: typed<unknown, joi.Schema>(object).description('The object as it was just after the change.'),
        previous: optional(s.anyObject.description('The previous values of the fields that changed.')),
      })
      .description('What the event is about.'),
  });

/** The deliveries of an event, if it is requested by id. */
export const deliveries = array(
  s.shape({
    attempt: s.count.description('The number of the attempt, from 1.'),
    at: s.instant.description('The time of the attempt.'),
    status_code: nullable(integer).description('The HTTP status of the response. Null if there was none.'),
    duration_ms: nullable(s.count).description('How long the attempt took, in milliseconds.'),
    error: s.nullableText.description('Why there was no response.'),
    response_excerpt: s.nullableText.description('The beginning of the response body.'),
  }),
);
