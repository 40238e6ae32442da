import joi from 'joi';
import { exampleTime } from '../openapi/examples.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';

const window = { start_at: s.instant, end_at: s.instant };

export const availability = s.shape({
  data: joi.array().items(
    s.shape({
      room: s.shape({ id: s.anyUuid, name: s.anyText }),
      time_zone: s.anyText,
      slot_minutes: s.count,
      free: joi.array().items(s.shape(window)),
      busy: joi.array().items(s.shape({ ...window, reason: s.oneOf(['booked', 'blackout', 'closed']) })),
    }),
  ),
});

export const availabilityOperations: Operations = {
  'GET /v1/availability': {
    summary: 'Get free and busy time',
    description:
      'Of a room, or of all that a tier may book; at most 31 days. Every booking on the grid inside a `free` window would be accepted now. Never says who booked.',
    answers: { 200: availability },
    errors: ['room_not_found'],
    query: { tier: 'pro', from: exampleTime(30, 0), to: exampleTime(31, 0) },
  },
};
