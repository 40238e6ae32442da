import joi from 'joi';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** An endpoint as `presentWebhookEndpoint` returns it. */
export const webhookEndpoint = s.shape({
  id: s.idOf('wh'),
  url: s.anyText.description('The URL that receives events.'),
  event_types: joi
    .array()
    .items(joi.string())
    .description('The event types that it receives. Empty for all `booking` and `member` events.'),
  status: oneOf(['enabled', 'disabled']).description(
    'A disabled endpoint receives no events until it is registered again.',
  ),
  disabled_reason: s.nullableText.description('Why the endpoint is disabled.'),
  created_at: s.instant,
});

/** A new endpoint with its secret. */
export const createdEndpoint = webhookEndpoint.keys({
  secret: joi.string().required().description('The secret that signs events. Returned only once.'),
});

/** An endpoint after a rotation of its secret, with the new one or null. */
export const rotatedEndpoint = webhookEndpoint.keys({
  secret: s.nullableText.required().description('The new secret. Returned only once, null in a repeat.'),
  previous_secret_expires_at: s.instant
    .required()
    .description('The time at which the previous secret is no longer used.'),
});
