import { EXAMPLE_IDS, EXAMPLE_KEY, exampleTime } from '../openapi/examples.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';
import { booking, refund, adjustment } from './responses.js';

export const bookingOperations: Operations = {
  'GET /v1/bookings': {
    summary: 'List bookings',
    description:
      'Those that start in `[from, to)`: from now, for 30 days, unless told otherwise. By `start_at`, then id. `start_at[gte]` and `start_at[lt]` are other names of `from` and `to`. A member sees their own.',
    answers: { 200: s.pageOf(booking) },
    query: { status: 'confirmed', limit: '20' },
  },
  'POST /v1/bookings': {
    summary: 'Create a booking',
    description:
      'Holds the slot while the payer pays at `checkout_url`, until `expires_at`. The same `idempotency_key` with the same body answers the same booking (200), as it is then; a free booking is confirmed at once and has no `checkout_url`. `resource_id`, `member_id` and `duration_minutes` are other names of `room_id`, `booked_by.member_id` and `end_at`. 409 `slot_unavailable` says in `details.reason` whether the time is `booked`, a `blackout` or `closed`.',
    answers: { 200: booking, 201: booking },
    errors: [
      'room_not_found',
      'member_not_found',
      'tier_not_allowed',
      'slot_unavailable',
      'slot_misaligned',
      'idempotency_conflict',
      'processor_unconfigured',
      'processor_error',
    ],
    idempotent: true,
    body: {
      room_id: EXAMPLE_IDS.room,
      start_at: exampleTime(45, 9),
      end_at: exampleTime(45, 11),
      booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
      idempotency_key: EXAMPLE_KEY,
      attendees: 4,
    },
  },
  'GET /v1/bookings/:id': { summary: 'Get a booking', answers: { 200: booking } },
  'PATCH /v1/bookings/:id': {
    summary: 'Change a booking',
    description:
      "A move of time or room is one step: it happens whole, or not at all. A dearer one charges the difference to the payer's card, a cheaper one gives it back by the room's refund steps; `adjustment.amount_minor` is above zero for the first, below for the second.",
    answers: { 200: booking.keys({ adjustment: s.orNull(adjustment).required() }) },
    errors: [
      'payment_failed',
      'tier_not_allowed',
      'room_not_found',
      'booking_not_editable',
      'slot_unavailable',
      'slot_misaligned',
      'processor_unconfigured',
      'processor_error',
    ],
    body: { attendees: 6, notes: 'Vegetarian lunch' },
  },
  'POST /v1/bookings/:id/cancel': {
    summary: 'Cancel a booking',
    description:
      "Gives money back by the room's refund steps (`standard`), all of it (`full`) or `none`. Cancelling again answers the same.",
    answers: { 200: booking.keys({ refund: s.orNull(refund).required() }) },
    errors: ['booking_not_cancellable', 'processor_error'],
    body: { reason: 'Ill', refund_policy: 'standard', notify_attendees: true },
  },
  'POST /v1/bookings/:id/no-show': {
    summary: 'Mark a no-show',
    description: 'From `start_at` until 7 days after the end. Changes no status and gives no money back.',
    answers: { 200: booking },
    errors: ['booking_not_started', 'booking_not_editable'],
    body: {},
  },
};
