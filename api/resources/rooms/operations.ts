import joi from 'joi';
import { findBound } from '../../../commands/api-keys/idempotency.js';
import { copyRoom as copy } from '../../../commands/rooms/copy.js';
import { changeRoom as change, createRoom as create, showPicture } from '../../../commands/rooms/rooms.js';
import type { Room } from '../../../db/entities/rooms.js';
import { isUuid } from '../../../db/ids.js';
import { findRoom, listRooms as find } from '../../../db/queries/rooms/room.js';
import type { Tx } from '../../../db/transaction.js';
import { MAX_MINUTES, WEEKDAYS } from '../../../domain/bookings/slots.js';
import { DAY_MINUTES } from '../../../domain/durations.js';
import type { Principal } from '../../../domain/policies.js';
import { TIERS } from '../../../domain/rates/price.js';
import { MAX_LEAVES } from '../../../domain/rooms/parts.js';
import { MAX_PICTURE_BYTES } from '../../../domain/rooms/picture.js';
import { presentRoom, presentRoomFor } from '../../../domain/rooms/presenter.js';
import { assertSpaceForPicture, DEFAULTS, MAX_IMAGES, noSuchRoom } from '../../../domain/rooms/room.js';
import { pageFields } from '../../http/cursor.js';
import { text, timeZone, uuid } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, operation } from '../../http/operation.js';
import {
  array,
  boolean,
  integer,
  keyed,
  nullable,
  object,
  oneOf,
  optional,
  string,
  typed,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { imageUrl } from '../shared/image-url.js';
import { metadata, metadataFilter } from '../shared/metadata.js';
import { name } from '../shared/name.js';
import { PICTURE_BODY, uploadedPicture } from '../shared/picture-upload.js';
import { percent, refundSteps } from '../shared/refund-steps.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { priceSent } from '../shared/unit-price.js';

const listDivisors = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => i + 1).filter((each) => n % each === 0);

const slotMinutes = integer
  .min(1)
  .max(DAY_MINUTES)
  .meta({ json: { enum: listDivisors(DAY_MINUTES) } })
  .custom((value: number, helpers) =>
    DAY_MINUTES % value === 0
      ? value
      : helpers.message({ custom: '{{#label}} must be a divisor of 1440, such as 15, 30 or 60' }),
  );

const wallTime = string.pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM').messages({
  'string.pattern.name':
    '{{#label}} must be a time from 00:00 to 23:59, such as 09:30; a closing time of 00:00 is midnight',
});
const openHours = typed<[string, string]>(joi.array().ordered(wallTime.required(), wallTime.required()));
const HOURS = 'Pairs of opening and closing time, `HH:MM` in the time zone of the room.';
const minutes = integer.min(1).max(MAX_MINUTES);
const MAX_FEATURES = 30;

const fields = splitSides({
  name: field(name, 'The name of the room.'),
  description: field(nullable(text(5_000).allow('')), 'The description of the room.'),
  image_urls: field(
    array(imageUrl).unique().max(MAX_IMAGES),
    'The https URLs of pictures of the room. Lists show the first one.',
  ),
  features: field(
    array(text(60).trim().min(1)).unique().max(MAX_FEATURES),
    'What the room has, such as `Projector` or `Step-free access`.',
  ),
  floor: field(nullable(text(60).trim().min(1)), 'The floor of the room, such as `2nd floor`.'),
  size_m2: field(nullable(integer.min(1).max(100_000)), 'The size of the room in square metres.'),
  address: field(
    nullable(text(500).allow('')),
    'The postal address of the room. Null for callers who are not staff.',
    {
      sent: 'The postal address of the room. Bookers receive it with their confirmation.',
    },
  ),
  directions: field(
    nullable(text(2_000).allow('')),
    'How to find the room. Null for callers who are not staff.',
    { sent: 'How to find the room. Bookers receive it with their confirmation.' },
  ),
  access_notes: field(
    nullable(text(2_000).allow('')),
    'How to get in, such as a door code. Null for callers who are not staff.',
    { sent: 'How to get in, such as a door code. Bookers receive it with their confirmation.' },
  ),
  reminder_hours: field(
    nullable(integer.min(1).max(336)),
    'How many hours before the start bookers receive a reminder by email. Null for no reminder. A ' +
      'change applies to bookings that are confirmed or moved afterwards.',
  ),
  time_zone: field(timeZone, 'The IANA time zone of the opening hours and the slot grid.', {
    sent:
      'The IANA time zone of the opening hours and the slot grid. Defaults to the time zone of the ' +
      'workspace.',
  }),
  slot_minutes: field(
    slotMinutes,
    'The spacing of the slot grid, in minutes: bookings start and end at multiples of it after local ' +
      'midnight. Must be a divisor of 1440.',
  ),
  min_minutes: field(nullable(minutes), 'The minimum length of a booking, in minutes.'),
  max_minutes: field(nullable(minutes), 'The maximum length of a booking, in minutes.'),
  capacity: field(nullable(integer.min(1).max(100_000)), 'The maximum number of attendees.'),
  opening_hours: field(
    nullable(
      keyed(WEEKDAYS, array(openHours).max(10).description(HOURS)).meta({ component: 'OpeningHours' }),
    ),
    'The opening hours of each weekday. Absent if the room is always open. A day that is missing is ' +
      'closed.',
    {
      sent:
        'The opening hours of each weekday. Null if the room is always open. A day that is missing is ' +
        'closed.',
      read: keyed(WEEKDAYS, array(array(string).length(2)).description(HOURS)).meta({
        component: 'OpeningHours',
      }),
    },
  ),
  turnaround_minutes: field(
    integer.min(0).max(DAY_MINUTES),
    'The time that is kept free after each booking, in minutes.',
  ),
  edit_window_minutes: field(
    integer.min(0).max(525_600),
    'How many minutes before its start a booking can no longer be changed.',
  ),
  price_per_hour: field(priceSent, 'The price per hour, without tax.', {
    sent: 'The price per hour, without tax. The currency can be changed only while the room has no rates.',
    read: s.money,
  }),
  tax_code: field(text(50).min(1), 'One of the tax codes of the workspace.'),
  tiers: field(
    nullable(array(oneOf(TIERS)).unique().min(1)),
    'The tiers that can book the room. Null for everyone, including guests.',
  ),
  tier_discounts: field(
    keyed(TIERS, percent.description('The discount in percent.')).meta({ component: 'TierDiscounts' }),
    'The discount of each tier on the price, in percent.',
  ),
  refund_steps: field(
    refundSteps,
    'How much a cancellation refunds, depending on the time left until the start. The step with the ' +
      'largest `hours_before` that does not exceed the time left applies. If no step applies, nothing ' +
      'is refunded.',
  ),
  parts: field(
    array(uuid).unique().max(MAX_LEAVES),
    'The rooms that this room consists of. They can have parts too, up to three levels and 32 rooms ' +
      'without parts. A booking of the room and a booking of one of its parts cannot overlap; bookings ' +
      'of different parts can. Empty for a room without parts.',
    { read: array(s.anyUuid) },
  ),
  self_service: field(
    boolean,
    'Whether bookers can cancel and move their bookings of the room with the manage link. They ' +
      'can always see them.',
  ),
  archived: field(boolean, 'Whether the room is archived. An archived room cannot be booked.'),
  metadata,
});

export const room = s.presentedBy(
  presentRoom,
  s.shape('Room', {
    id: s.anyUuid.description('The id of the room.'),
    ...fields.read,
    opening_hours: optional(fields.read.opening_hours),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

export type ShownRoom = Infer<typeof room>;

export const EXAMPLE_ROOM_ID = '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4b70';

const NEW_ROOM = {
  name: 'Blue room',
  time_zone: 'Europe/London',
  capacity: 8,
  opening_hours: { mon: [['08:00', '20:00']], tue: [['08:00', '20:00']], wed: [['08:00', '12:00']] },
  price_per_hour: { currency: 'GBP', amount_minor: 2500 },
  tier_discounts: { pro: 20 },
  refund_steps: [
    { hours_before: 24, percent: 100 },
    { hours_before: 0, percent: 0 },
  ],
  metadata: { door_lock: 'lock-12' },
};

const blueRoom = {
  id: EXAMPLE_ROOM_ID,
  ...DEFAULTS,
  ...NEW_ROOM,
  created_at: exampleInstant(0, 12),
  updated_at: exampleInstant(0, 12),
};

/** A room of the caller's workspace. Errors: 404 `room_not_found`. */
export async function roomIn(
  tx: Tx,
  { workspace_id }: Pick<Principal, 'workspace_id'>,
  id: string,
): Promise<Room> {
  const found = await findRoom(tx, workspace_id, id);
  if (!found) throw noSuchRoom();
  return found;
}

export const listRooms = operation({
  route: 'GET /v1/rooms',
  summary: 'List rooms',
  description:
    'Returns rooms by creation time, oldest first. To include archived rooms, set ' +
    '`include_archived` to true.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  query: object({
    tier: oneOf(TIERS).description('Returns only rooms that this tier can book.'),
    include_archived: withDefault(boolean.description('Whether to include archived rooms.'), false),
    metadata: metadataFilter('rooms'),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(room) },
  examples: { query: { tier: 'pro' }, response: examplePage(blueRoom) },
  run: ({ query: { cursor, limit, ...filter } }, caller, { db }) =>
    listPage(
      { cursor, limit },
      {
        by: 'created_at',
        list: { name: 'rooms', isId: isUuid },
        find: (page) => find(db.manager, { ...filter, workspace_id: caller.workspace_id, ...page }),
        present: (row) => presentRoomFor(caller, row),
      },
    ),
});

export const createRoom = operation({
  route: 'POST /v1/rooms',
  summary: 'Create a room',
  description:
    '`price_per_hour` excludes tax. A room without `opening_hours` is always open. In `opening_hours`, a ' +
    'day that is missing or empty is closed.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object(fields.sent, 'name', 'price_per_hour').required(),
  idempotent: true,
  responses: { 200: room, 201: room },
  errors: ['limit_reached'],
  examples: { body: NEW_ROOM, response: blueRoom },
  run: ({ body, idempotency }, caller, { db, quotas }) => create(db, quotas, caller, body, idempotency),
  reply: created,
});

export const copyRoom = operation({
  route: 'POST /v1/rooms/:id/copy',
  summary: 'Copy a room',
  description:
    'Creates a room with everything that describes this one, and with its rates: hours, prices, access, ' +
    'refund steps, features, pictures and arrival details. Bookings, blackouts, calendar addresses, ' +
    '`parts` and `metadata` are not copied. The copy of an archived room can be booked.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object({ name: name.description('The name of the copy.') }, 'name').required(),
  idempotent: true,
  responses: { 200: room, 201: room },
  errors: ['limit_reached'],
  examples: {
    body: { name: 'Green room' },
    response: { ...blueRoom, id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4b71', name: 'Green room', metadata: {} },
  },
  run: ({ params, body, idempotency }, caller, { db, quotas }) =>
    copy(db, quotas, caller, { room_id: params.id, ...body }, idempotency),
  reply: created,
});

export const getRoom = operation({
  route: 'GET /v1/rooms/:id',
  summary: 'Get a room',
  scope: 'calendar:read',
  capability: 'own_bookings',
  responses: { 200: room },
  examples: { response: blueRoom },
  run: async ({ params }, caller, { db }) =>
    presentRoomFor(caller, await roomIn(db.manager, caller, params.id)),
});

export const addRoomPicture = operation({
  route: 'POST /v1/rooms/:id/pictures',
  summary: 'Upload a picture of a room',
  id: 'uploadRoomPicture',
  description:
    'The request body is the picture: PNG, JPEG or WebP, at most 5 MiB, with its content type. Its ' +
    'URL is added at the end of `image_urls`; to reorder or remove pictures, update `image_urls`. ' +
    'Uploading the same picture again changes nothing and returns 200.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  upload: { types: PICTURE_BODY.upload, maxBytes: MAX_PICTURE_BYTES },
  idempotent: true,
  responses: { 200: room, 201: room },
  errors: PICTURE_BODY.errors,
  examples: {
    response: {
      ...blueRoom,
      image_urls: [`https://api.example.com/pictures/${'0f'.repeat(32)}.jpg`],
      updated_at: exampleInstant(1, 9),
    },
  },
  async run({ params, file, idempotency }, caller, deps) {
    const room = await roomIn(deps.db.manager, caller, params.id);
    if (await findBound(deps.db.manager, caller.workspace_id, idempotency))
      return { object: presentRoom(room), isNew: false };
    const { id, image_urls } = room;
    const { url, store } = uploadedPicture(deps, caller.workspace_id, file!);
    const isNew = !image_urls.includes(url);
    if (isNew) assertSpaceForPicture({ image_urls });
    await store();
    return { object: await showPicture(deps.db, caller, id, url, idempotency), isNew };
  },
  reply: created,
});

export const changeRoom = operation({
  route: 'PATCH /v1/rooms/:id',
  summary: 'Update a room',
  description:
    'Existing bookings keep their price and time. A change of `parts` applies to existing bookings ' +
    'too: it fails with 409 `parts_conflict` while bookings of the room and of a part overlap. ' +
    '`details.bookings` lists these bookings.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object(fields.sent).min(1).required(),
  idempotent: getRoom.run,
  responses: { 200: room },
  errors: ['parts_conflict'],
  examples: {
    body: { capacity: 10, edit_window_minutes: 120 },
    response: { ...blueRoom, capacity: 10, edit_window_minutes: 120, updated_at: exampleInstant(1, 9) },
  },
  run: ({ params, body }, caller, { db }) => change(db, caller, params.id, body),
});

/** Rooms (docs/rules/rooms.md#rooms). */
export const rooms: Resource = {
  tag: 'Rooms',
  operations: [listRooms, createRoom, copyRoom, getRoom, addRoomPicture, changeRoom],
  ids: { rooms: { name: 'room', example: EXAMPLE_ROOM_ID, notFound: 'room_not_found' } },
};
