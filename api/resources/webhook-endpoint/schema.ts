import joi from 'joi';
import { ALL_EVENTS, EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../../domain/events.js';
import { text } from '../../http/fields.js';

const MAX_OVERLAP_HOURS = 7 * 24;

/** Body of `PUT /v1/webhook-endpoint` (docs/rules/events.md#types). */
export const putSchema = joi
  .object({
    url: text(2_000).required().description('The URL that receives events by POST; https in production.'),
    event_types: joi
      .array()
      .items(joi.string().valid(ALL_EVENTS, ...EVENT_TYPES, ...OPT_IN_EVENT_TYPES))
      .unique()
      .min(1)
      .default([ALL_EVENTS])
      .description('The event types to receive. Defaults to `*`: all `booking` and `member` events.'),
  })
  .required();

export interface PutBody {
  url: string;
  event_types: string[];
}

/** Body of `POST /v1/webhook-endpoint/rotate-secret`. */
export const rotateSchema = joi.object({
  overlap_hours: joi
    .number()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .description('How long the previous secret stays valid.'),
});
export interface RotateBody {
  overlap_hours: number;
}
