import { confirmed } from '../examples.js';
import { lunch } from '../../extras/operations.js';
import { exampleTime } from '../../shared/examples.js';
import type { Operations } from '../../shared/operation.js';
import { preparations } from './shape.js';

const { reference, room, start_at, end_at, attendees, notes } = confirmed;

export const operations: Operations = {
  'GET /v1/preparations': {
    summary: 'List preparations',
    description:
      'Returns what is to be prepared for the confirmed bookings that start in `[from, to)`, at most 31 ' +
      'days, by room, then by start. For the roles `front_desk`, `admin` and `owner`.',
    example: () => ({
      data: [
        {
          booking_id: confirmed.id,
          reference,
          room,
          start_at,
          end_at,
          attendees,
          notes,
          extras: [{ extra_id: lunch.id, name: lunch.name, quantity: 4 }],
        },
      ],
    }),
    responses: { 200: preparations },
    query: { from: exampleTime(45, 0), to: exampleTime(46, 0) },
  },
};
