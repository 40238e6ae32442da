import { exampleTime } from '../resource/examples.js';
import type { Operations } from '../resource/operation.js';
import { availability } from './responses.js';

export const operations: Operations = {
  'GET /v1/availability': {
    summary: 'Get free and busy time',
    description:
      'Returns the free and busy time of one room, or of all rooms that a tier can book, for a range of at most 31 days. Every booking on the slot grid within a `free` window can be created now. The response does not say who booked.',
    responses: { 200: availability },
    errors: ['room_not_found'],
    query: { tier: 'pro', from: exampleTime(30, 0), to: exampleTime(31, 0) },
  },
};
