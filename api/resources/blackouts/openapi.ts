import { exampleInstant, examplePage, exampleTime } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { blackout, createdBlackout } from './shape.js';

export const EXAMPLE_BLACKOUT_ID = 'bo_01kba6xz3fe4r9tq5v8mhc2s1m';

const painting = {
  id: EXAMPLE_BLACKOUT_ID,
  start_at: exampleInstant(40, 8),
  end_at: exampleInstant(40, 18),
  reason: 'Painting',
  created_at: exampleInstant(0, 12),
};

export const operations: Operations = {
  'GET /v1/rooms/:id/blackouts': {
    summary: "List a room's blackouts",
    id: 'listBlackouts',
    description: 'Returns all blackouts of the room, including past ones, by `start_at`.',
    example: () => examplePage(painting),
    responses: { 200: s.pageOf(blackout) },
  },
  'POST /v1/rooms/:id/blackouts': {
    summary: 'Create a blackout',
    description:
      'Closes the room for a time. Fails with 409 `slot_unavailable` if the blackout overlaps pending or ' +
      'confirmed bookings. To create it anyway, set `force` to true: the bookings are kept, and ' +
      '`booking_ids` lists them.',
    example: () => ({ ...painting, booking_ids: [] }),
    responses: { 200: createdBlackout, 201: createdBlackout },
    errors: ['slot_unavailable', 'limit_reached', 'not_found'],
    idempotent: true,
    body: { start_at: exampleTime(40, 8), end_at: exampleTime(40, 18), reason: 'Painting' },
  },
  'DELETE /v1/rooms/:id/blackouts/:blackout_id': {
    summary: 'Delete a blackout',
    responses: { 204: null },
  },
};
