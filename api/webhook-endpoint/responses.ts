import joi from 'joi';
import * as s from '../openapi/shapes.js';

/** The endpoint as `presentEndpoint` shows it. */
export const webhookEndpoint = s.shape({
  id: s.idOf('wh'),
  url: s.anyText,
  event_types: joi.array().items(joi.string()),
  status: s.oneOf(['enabled', 'disabled']),
  disabled_reason: s.nullableText,
  created_at: s.instant,
});
