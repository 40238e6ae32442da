import { ALL_EVENTS, EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../../../domain/events/types.js';
import { presentWebhookEndpoint } from '../../../../domain/events/webhook-endpoint-presenter.js';
import { text } from '../../../http/fields.js';
import { WEB_URL } from '../../../http/patterns.js';
import { array, number, object, oneOf, string, withDefault, type Infer } from '../../../http/typed.js';
import { field, sidesOf } from '../../shared/field.js';
import * as s from '../../shared/shapes.js';

const MAX_OVERLAP_HOURS = 7 * 24;

const { sent, read } = sidesOf({
  url: field(text(2_000).meta({ json: { pattern: WEB_URL } }), 'The URL that receives events.', {
    sent: 'The URL that receives events by POST; https in production.',
  }),
  event_types: field(
    array(oneOf([ALL_EVENTS, ...EVENT_TYPES, ...OPT_IN_EVENT_TYPES]))
      .unique()
      .min(1),
    'The event types that it receives. `*` stands for all `booking` and `member` events.',
    {
      sent: 'The event types to receive. Defaults to `*`: all `booking` and `member` events.',
      read: array(string),
    },
  ),
});

/** Body of `PUT /v1/webhook-endpoint` (docs/rules/events.md#types). */
export const putSchema = object(
  { url: sent.url, event_types: withDefault(sent.event_types, [ALL_EVENTS]) },
  'url',
).required();
export type PutBody = Infer<typeof putSchema>;

/** Body of `POST /v1/webhook-endpoint/rotate-secret`. */
export const rotateSchema = object({
  overlap_hours: withDefault(
    number.min(0).max(MAX_OVERLAP_HOURS).description('How long the previous secret stays valid.'),
    24,
  ),
});
export type RotateBody = Infer<typeof rotateSchema>;

/** An endpoint in responses. */
export const webhookEndpoint = s.presentedBy(
  presentWebhookEndpoint,
  s.shape({
    id: s.idOf('wh'),
    ...read,
    status: oneOf(['enabled', 'disabled']).description(
      'A disabled endpoint receives no events until it is registered again.',
    ),
    disabled_reason: s.nullableText.description('Why the endpoint is disabled.'),
    created_at: s.instant,
  }),
);

/** A new endpoint with its secret. */
export const createdEndpoint = s.extend(webhookEndpoint, {
  secret: string.description('The secret that signs events. Returned only once.'),
});

/** An endpoint after a rotation of its secret, with the new one or null. */
export const rotatedEndpoint = s.extend(webhookEndpoint, {
  secret: s.nullableText.description('The new secret. Returned only once, null in a repeat.'),
  previous_secret_expires_at: s.instant.description(
    'The time at which the previous secret is no longer used.',
  ),
});
