import joi from 'joi';
import { ALL_EVENTS, EVENT_TYPES, OPT_IN_EVENT_TYPES } from '../../domain/events.js';
import { text } from '../http/validate.js';

const MAX_OVERLAP_HOURS = 7 * 24;

/**
 * Body of `PUT /v1/webhook-endpoint`. `*`, an empty list and no list mean every event of spec.md; those of invoices
 * and payments come only to who names them.
 */
export const putEndpointSchema = joi
  .object({
    url: text(2_000).required(),
    event_types: joi
      .array()
      .items(joi.string().valid(ALL_EVENTS, ...EVENT_TYPES, ...OPT_IN_EVENT_TYPES))
      .unique()
      .default([]),
  })
  .required();

export interface PutEndpointBody {
  url: string;
  event_types: string[];
}

/** Body of `POST /v1/webhook-endpoint/rotate-secret`. */
export const rotateSecretSchema = joi.object({
  overlap_hours: joi.number().min(0).max(MAX_OVERLAP_HOURS).default(24),
});
