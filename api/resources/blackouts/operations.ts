import { createBlackout as create, deleteBlackout as remove } from '../../../commands/blackouts/blackouts.js';
import { isId } from '../../../db/ids.js';
import { listBlackouts as find } from '../../../db/queries/blackouts/blackout.js';
import { presentBlackout } from '../../../domain/blackouts/presenter.js';
import { can } from '../../../domain/policies.js';
import { pageSchema } from '../../http/cursor.js';
import { text, timestamp } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, nothing, operation } from '../../http/operation.js';
import { array, boolean, nullable, object, withDefault } from '../../http/typed.js';
import { roomIn } from '../rooms/operations.js';
import { exampleInstant, examplePage, exampleTime } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

const fields = splitSides({
  start_at: field(timestamp, 'The start of the blackout, inclusive.'),
  end_at: field(timestamp, 'The end of the blackout, exclusive.'),
  reason: field(
    nullable(text(1_000).allow('')),
    'The reason, visible to owners, admins and the front desk; null for other roles.',
  ),
});

/** The time and the reason as requests send them. */
export const blackoutSent = fields.sent;

export const blackout = s.presentedBy(
  presentBlackout,
  s.shape('Blackout', { id: s.prefixedId('bo'), ...fields.read, created_at: s.instant }),
);

export const createdBlackout = s.extend('CreatedBlackout', blackout, {
  booking_ids: array(s.prefixedId('bk')).description('The live bookings that the blackout overlaps.'),
});

const painting = {
  id: 'bo_01kba6xz3fe4r9tq5v8mhc2s1m',
  start_at: exampleInstant(40, 8),
  end_at: exampleInstant(40, 18),
  reason: 'Painting',
  created_at: exampleInstant(0, 12),
};

export const listBlackouts = operation({
  route: 'GET /v1/rooms/:id/blackouts',
  summary: 'List a room’s blackouts',
  id: 'listBlackouts',
  description: 'Returns all blackouts of the room, including past ones, by `start_at`.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  query: pageSchema,
  responses: { 200: s.pageSchema(blackout) },
  examples: { response: examplePage(painting) },
  async run({ params, query }, caller, { db }) {
    const { id: room_id } = await roomIn(db.manager, caller, params.id);
    const seesReasons = can(caller.role, 'write_blackouts');
    return listPage(query, {
      by: 'start_at',
      list: { name: `blackouts of ${room_id}`, isId: (id) => isId('bo', id) },
      find: (page) => find(db.manager, { room_id, ...page }),
      present: (row) => presentBlackout(seesReasons ? row : { ...row, reason: null }),
    });
  },
});

export const createBlackout = operation({
  route: 'POST /v1/rooms/:id/blackouts',
  summary: 'Create a blackout',
  description:
    'Closes the room for a time. Fails with 409 `slot_unavailable` if the blackout overlaps pending or ' +
    'confirmed bookings. To create it anyway, set `force` to true: the bookings are kept, and ' +
    '`booking_ids` lists them.',
  scope: 'calendar:write',
  capability: 'write_blackouts',
  body: object(
    {
      ...blackoutSent,
      force: withDefault(
        boolean.description(
          'Whether to create the blackout even if it overlaps bookings. The bookings are kept.',
        ),
        false,
      ),
    },
    'start_at',
    'end_at',
  ).required(),
  idempotent: true,
  responses: { 200: createdBlackout, 201: createdBlackout },
  errors: ['slot_unavailable', 'limit_reached', 'not_found'],
  examples: {
    body: { start_at: exampleTime(40, 8), end_at: exampleTime(40, 18), reason: 'Painting' },
    response: { ...painting, booking_ids: [] },
  },
  run: ({ params, body, idempotency }, caller, { db, quotas }) =>
    create(db, quotas, caller, { ...body, room_id: params.id }, idempotency),
  reply: created,
});

export const deleteBlackout = operation({
  route: 'DELETE /v1/rooms/:id/blackouts/:blackout_id',
  summary: 'Delete a blackout',
  scope: 'calendar:write',
  capability: 'write_blackouts',
  idempotent: nothing,
  responses: { 204: null },
  run: ({ params }, caller, { db }) => remove(db, caller, { room_id: params.id, id: params.blackout_id }),
});

/** Blackouts of a room (docs/rules/rooms.md#blackouts). */
export const blackouts: Resource = {
  tag: 'Rooms',
  operations: [listBlackouts, createBlackout, deleteBlackout],
  ids: { blackouts: { name: 'blackout', example: painting.id, notFound: 'not_found' } },
};
