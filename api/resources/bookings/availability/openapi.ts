import { exampleInstant, exampleTime } from '../../shared/examples.js';
import type { Operations } from '../../shared/operation.js';
import { EXAMPLE_ROOM_ID } from '../../rooms/openapi.js';
import { availability } from './shape.js';

export const operations: Operations = {
  'GET /v1/availability': {
    summary: 'Get free and busy time',
    id: 'getAvailability',
    description:
      'Returns the free and busy time of one room, or of all rooms that a tier can book, for a range of at ' +
      'most 31 days. Every booking on the slot grid within a `free` window can be created now. With ' +
      '`include=price`, each free window has the lowest price of a booking in it, for a member of the ' +
      'tier; with `room_id`, for a guest. The response does not say who booked.',
    example: () => ({
      data: [
        {
          room: { id: EXAMPLE_ROOM_ID, name: 'Blue room' },
          time_zone: 'Europe/London',
          slot_minutes: 30,
          free: [
            {
              start_at: exampleInstant(30, 8),
              end_at: exampleInstant(30, 20),
              from_price: { currency: 'GBP', amount_minor: 1500 },
            },
          ],
          busy: [
            { start_at: exampleInstant(30, 0), end_at: exampleInstant(30, 8), reason: 'closed' },
            { start_at: exampleInstant(30, 20), end_at: exampleInstant(31, 0), reason: 'closed' },
          ],
        },
      ],
    }),
    responses: { 200: availability },
    errors: ['room_not_found'],
    query: { tier: 'pro', from: exampleTime(30, 0), to: exampleTime(31, 0), include: 'price' },
  },
};
