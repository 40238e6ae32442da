import joi from 'joi';
import * as s from '../resource/shapes.js';

/** An endpoint as `presentWebhookEndpoint` returns it. */
export const webhookEndpoint = s.shape({
  id: s.idOf('wh'),
  url: s.anyText,
  event_types: joi.array().items(joi.string()),
  status: s.oneOf(['enabled', 'disabled']),
  disabled_reason: s.nullableText,
  created_at: s.instant,
});

/** A new endpoint with its secret. */
export const createdEndpoint = webhookEndpoint.keys({ secret: joi.string().required() });

/** An endpoint after a rotation of its secret, with the new one or null. */
export const rotatedEndpoint = webhookEndpoint.keys({
  secret: s.nullableText.required(),
  previous_secret_expires_at: s.instant.required(),
});
