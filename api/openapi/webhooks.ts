import joi from 'joi';
import { KNOWN_EVENT_TYPES, type EventType } from '../../domain/events/types.js';
import { oneOf, oneOfFixed } from '../http/typed.js';
import { deliveries, eventExample, eventSchema } from '../resources/events/operations.js';
import type { EventDescription } from '../resources/shared/resource.js';
import type { Writer } from './components.js';
import { content } from './content.js';
import { SIGNATURE_HEADERS } from './headers.js';
import type { OpenApi } from './open-api.js';

/** A description of every event type. Does not compile if a type is missing. */
export type EventDescriptions = Record<EventType, EventDescription>;

/** The schema of any event, with its deliveries if it is requested by id. */
export function anyEventSchema(events: EventDescriptions): joi.Schema {
  const objects = [...new Set(KNOWN_EVENT_TYPES.map((type) => events[type].schema))];
  return eventSchema(oneOf(KNOWN_EVENT_TYPES), joi.alternatives(...objects)).keys({
    deliveries: deliveries.optional().description('The delivery attempts, if the event is requested by id.'),
  });
}

/** `booking.no_show` → `onBookingNoShow`. */
const webhookId = (type: EventType): string =>
  `on_${type}`.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The `webhooks` of the document: one operation for each event type, with an example. */
export function describeWebhooks(events: EventDescriptions, { response }: Writer): OpenApi['webhooks'] {
  const webhook = (type: EventType, { schema, ...example }: EventDescription) => ({
    post: {
      tags: ['Webhooks'],
      operationId: webhookId(type),
      summary: `Receive ${type}`,
      parameters: SIGNATURE_HEADERS,
      requestBody: {
        required: true,
        content: content(response(eventSchema(oneOfFixed([type]), schema)), eventExample(type, example)),
      },
      responses: {
        '2XX': {
          description:
            'The event was received. After any other status the delivery is retried, except after 410, ' +
            'which disables the endpoint.',
        },
      },
    },
  });
  return Object.fromEntries(KNOWN_EVENT_TYPES.map((type) => [type, webhook(type, events[type])]));
}
