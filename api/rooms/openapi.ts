import { exampleTime } from '../openapi/examples.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';
import { blackout, madeBlackout, room } from './responses.js';

export const roomOperations: Operations = {
  'GET /v1/rooms': {
    summary: 'List rooms',
    description: 'In the order of their making. Archived ones only with `include_archived`.',
    answers: { 200: s.pageOf(room) },
    query: { tier: 'pro' },
  },
  'POST /v1/rooms': {
    summary: 'Create a room',
    description:
      'The price is without tax. No `opening_hours` means always open; no day, or an empty one, is closed that day.',
    answers: { 200: room, 201: room },
    idempotent: true,
    body: {
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
    },
  },
  'GET /v1/rooms/:id': { summary: 'Get a room', answers: { 200: room } },
  'PATCH /v1/rooms/:id': {
    summary: 'Change a room',
    description: 'Bookings that stand keep their price, and their place.',
    answers: { 200: room },
    body: { capacity: 10, edit_window_minutes: 120 },
  },
  'GET /v1/rooms/:id/blackouts': {
    summary: "List a room's blackouts",
    answers: { 200: s.pageOf(blackout) },
  },
  'POST /v1/rooms/:id/blackouts': {
    summary: 'Black out a room',
    description:
      'Refused over live bookings, unless `force` is true: then they stand, and the answer lists them in `booking_ids`.',
    answers: { 200: madeBlackout, 201: madeBlackout },
    errors: ['slot_unavailable', 'not_found'],
    idempotent: true,
    body: { start_at: exampleTime(40, 8), end_at: exampleTime(40, 18), reason: 'Painting' },
  },
  'DELETE /v1/rooms/:id/blackouts/:blackout_id': {
    summary: 'Lift a blackout',
    answers: { 204: null },
    errors: ['not_found'],
  },
};
