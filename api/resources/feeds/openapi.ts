import { EXAMPLE_ROOM_ID } from '../rooms/openapi.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { createdFeed, feed } from './shape.js';

export const EXAMPLE_FEED_ID = 'feed_01kba6xz3fe4r9tq5v8mhc2s1f';

const example = {
  id: EXAMPLE_FEED_ID,
  kind: 'room',
  object_id: EXAMPLE_ROOM_ID,
  created_at: exampleInstant(0, 12),
};

export const operations: Operations = {
  'GET /v1/feeds': {
    summary: 'List calendar addresses',
    description:
      'Returns the calendar addresses of the member of the key, newest first, without the ' +
      'addresses themselves.',
    example: () => examplePage(example),
    responses: { 200: s.pageOf(feed) },
  },
  'POST /v1/feeds': {
    summary: 'Create a calendar address',
    description:
      'Creates an address to which calendar programs subscribe without a key. Its document has the ' +
      'bookings that the member of the key may see when it is read: of a room, or their own. It ends ' +
      'with the token of this request: when the key expires or is revoked, when a rotation has ended the ' +
      'token, and when the key no longer has `calendar:read`, which it needs now too. It is read from ' +
      'the `ip_allowlist` of the key only. It also ends with the membership. Another one for the same ' +
      'room or member ends the earlier one. `url` is returned only once: a repeat with the same ' +
      '`Idempotency-Key` returns null.',
    example: () => ({ ...example, url: `https://book.example.com/feeds/${EXAMPLE_FEED_ID}.3q2-7w….ics` }),
    responses: { 200: createdFeed, 201: createdFeed },
    errors: ['room_not_found', 'not_found'],
    idempotent: true,
    body: { kind: 'room', id: EXAMPLE_ROOM_ID },
  },
  'DELETE /v1/feeds/:id': {
    summary: 'End a calendar address',
    description: 'Ends a calendar address of the member of the key.',
    responses: { 204: null },
  },
};
