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

/** When an event of each type occurs. Does not compile if a type is missing. */
const WHEN: Record<EventType, string> = {
  'booking.created': 'A booking was created, with its checkout.',
  'booking.confirmed': 'A booking was confirmed.',
  'booking.updated': 'The time, room, extras, details, guest or metadata of a booking changed.',
  'booking.change_pending': 'A change of a booking is awaiting payment.',
  'booking.change_lapsed': 'A change of a booking that was awaiting payment ended without being paid.',
  'booking.cancelled': 'A booking was cancelled.',
  'booking.expired': 'The hold of a booking ended without payment.',
  'booking.completed': 'The time of a confirmed booking ended.',
  'booking.no_show': 'A booking was marked as a no-show.',
  'member.created': 'A member was created without an invite.',
  'member.invited': 'A member was created with an invite, or an invite was resent.',
  'member.activated': 'An invited member signed up.',
  'member.updated': 'A field of a member changed.',
  'member.tier_changed': 'The tier of a member changed. Sent in addition to `member.updated`.',
  'member.role_changed': 'The role of a member changed. Sent in addition to `member.updated`.',
  'member.archived': 'A member was archived.',
  'member.deleted': 'A member was erased. The object contains only `id` and `deleted`.',
  'invoice.created': 'An invoice was created, or the draft of a subscription invoice was opened.',
  'invoice.updated': 'The metadata of an invoice changed.',
  'invoice.sent': 'A mail server accepted the email with the invoice to its payer.',
  'invoice.overdue': 'An invoice became overdue: it is unpaid and no further charge is planned.',
  'invoice.paid': 'An invoice was paid in full.',
  'invoice.voided': 'An invoice was voided.',
  'invoice.refunded': 'All payments of an invoice were refunded.',
  'payment.succeeded': 'A payment was received.',
  'payment.failed': 'A charge to a card on file was declined.',
  'payment.action_required': 'The payer’s bank requires authentication for a charge to a card on file.',
  'payment.refunded': 'A refund succeeded.',
  'payment.refund_failed': 'A refund failed.',
  'payment.disputed': 'A dispute of a payment was opened or changed.',
  'payment.dispute_closed': 'A dispute of a payment ended.',
  'webhook.test': 'A test was requested with `POST /v1/webhook-endpoint/test`.',
};

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
      description: WHEN[type],
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
