import { exampleInstant, examplePage } from '../shared/examples.js';
import { PICTURE_BODY } from '../shared/picture-upload.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { DEFAULTS, room } from './shape.js';

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
};

const blueRoom = {
  id: EXAMPLE_ROOM_ID,
  ...DEFAULTS,
  ...NEW_ROOM,
  created_at: exampleInstant(0, 12),
  updated_at: exampleInstant(0, 12),
};

export const operations: Operations = {
  'GET /v1/rooms': {
    summary: 'List rooms',
    description:
      'Returns rooms by creation time, oldest first. To include archived rooms, set ' +
      '`include_archived` to true.',
    example: () => examplePage(blueRoom),
    responses: { 200: s.pageOf(room) },
    query: { tier: 'pro' },
  },
  'POST /v1/rooms': {
    summary: 'Create a room',
    description:
      '`price_per_hour` excludes tax. A room without `opening_hours` is always open. In `opening_hours`, a ' +
      'day that is missing or empty is closed.',
    example: () => blueRoom,
    responses: { 200: room, 201: room },
    errors: ['limit_reached'],
    idempotent: true,
    body: { ...NEW_ROOM },
  },
  'GET /v1/rooms/:id': { summary: 'Get a room', example: () => blueRoom, responses: { 200: room } },
  'POST /v1/rooms/:id/pictures': {
    summary: 'Upload a picture of a room',
    description:
      'The body is the picture: PNG, JPEG or WebP, at most 5 MiB, with its content type. It becomes the ' +
      'last of `image_urls`; to change their order or to remove it, change `image_urls`. The same picture ' +
      'again changes nothing and returns 200.',
    example: () => ({
      ...blueRoom,
      image_urls: [`https://api.example.com/pictures/${'0f'.repeat(32)}.jpg`],
      updated_at: exampleInstant(1, 9),
    }),
    responses: { 200: room, 201: room },
    ...PICTURE_BODY,
  },
  'PATCH /v1/rooms/:id': {
    summary: 'Change a room',
    description:
      'Existing bookings keep their price and time. Changed `parts` apply to them too: while bookings of ' +
      'the room and of a part overlap, the change fails with 409 `parts_conflict`, and ' +
      '`details.bookings` lists them.',
    example: () => ({
      ...blueRoom,
      capacity: 10,
      edit_window_minutes: 120,
      updated_at: exampleInstant(1, 9),
    }),
    responses: { 200: room },
    errors: ['parts_conflict'],
    body: { capacity: 10, edit_window_minutes: 120 },
  },
};
