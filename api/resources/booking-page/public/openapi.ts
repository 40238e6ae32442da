import { EXAMPLE_BOOKING_ID, LINE } from '../../bookings/examples.js';
import { lunch } from '../../extras/operations.js';
import { EXAMPLE_ROOM_ID } from '../../rooms/openapi.js';
import { EXAMPLE_KEY, exampleInstant, exampleTime } from '../../shared/examples.js';
import type { Operations } from '../../shared/operation.js';
import { freeTime, publicBooking, quote, rooms } from './shape.js';

export const EXAMPLE_TOKEN = `${EXAMPLE_BOOKING_ID}.3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

const room = { id: EXAMPLE_ROOM_ID, name: 'Blue room' };
const wanted = {
  room_id: EXAMPLE_ROOM_ID,
  start_at: exampleTime(30, 10),
  end_at: exampleTime(30, 11),
  attendees: 4,
};

const booking = {
  reference: 'KT4WQ7M',
  status: 'pending_payment',
  room,
  time_zone: 'Europe/London',
  start_at: exampleInstant(30, 10),
  end_at: exampleInstant(30, 11),
  attendees: 4,
  price: { currency: 'GBP', amount_minor: 3_000 },
  checkout_url: 'https://checkout.stripe.com/c/pay/cs_test_a1',
  expires_at: exampleInstant(0, 12),
  manage_url: `https://book.example.com/manage/${EXAMPLE_TOKEN}`,
  manage_token: EXAMPLE_TOKEN,
};

export const operations: Operations = {
  'GET /v1/public/rooms': {
    summary: 'List rooms for a web site',
    id: 'listPublicRooms',
    description:
      'Returns the rooms of the key that guests can book now, and what people are asked when they book. ' +
      'Takes a publishable key, like all operations under `/v1/public`: from one of the origins of the ' +
      'key, browsers may send it from any page (CORS), without cookies. These operations count against ' +
      'buckets of their own: 600 requests a minute for each key, 60 for each client address.',
    example: () => ({
      data: [
        {
          ...room,
          description: 'A bright room with a view.',
          capacity: 8,
          image_urls: ['https://www.harbour.example/blue.jpg'],
          features: ['Projector'],
          floor: '2nd floor',
          size_m2: 24,
          time_zone: 'Europe/London',
          slot_minutes: 30,
          lengths: [30, 60, 90, 120],
          hour_price: { currency: 'GBP', amount_minor: 3_000 },
          extras: [
            {
              id: lunch.id,
              name: 'Lunch',
              unit: 'attendee',
              price: { currency: 'GBP', amount_minor: 1_200 },
            },
          ],
        },
      ],
      questions: [
        {
          id: 'layout',
          label: 'How should the chairs stand?',
          kind: 'choice',
          required: true,
          choices: ['In rows', 'In a circle'],
        },
      ],
      terms: { url: 'https://www.harbour.example/terms', version: '2026-05' },
    }),
    responses: { 200: rooms },
  },
  'GET /v1/public/availability': {
    summary: 'Get free time for a web site',
    id: 'getPublicAvailability',
    description:
      'Returns when a room is free, in a range of at most 31 days. Every booking on the slot grid within a ' +
      'window can be created now. It says nothing about what the room is booked for otherwise.',
    example: () => ({
      room,
      time_zone: 'Europe/London',
      slot_minutes: 30,
      free: [{ start_at: exampleInstant(30, 8), end_at: exampleInstant(30, 20) }],
    }),
    responses: { 200: freeTime },
    errors: ['room_not_found'],
    query: { room_id: EXAMPLE_ROOM_ID, from: exampleTime(30, 0), to: exampleTime(31, 0) },
  },
  'POST /v1/public/quotes': {
    summary: 'Get a price for a web site',
    id: 'createPublicQuote',
    description:
      'Returns what a booking by a guest would cost now, and whether its time is free. Nothing is stored.',
    example: () => ({
      price: { currency: 'GBP', amount_minor: 3_000 },
      net_minor: 2_500,
      tax_minor: 500,
      lines: [LINE],
      available: true,
      reason: null,
    }),
    responses: { 200: quote },
    errors: ['room_not_found', 'extra_unavailable', 'discount_unavailable', 'slot_misaligned'],
    body: wanted,
  },
  'POST /v1/public/bookings': {
    summary: 'Book as a guest of a web site',
    id: 'createPublicBooking',
    description:
      'Creates a booking for the guest who is at the web site, as the booking page does: the room is held ' +
      'until `expires_at`. Open `checkout_url` at top level; the booking is confirmed when it is paid. A ' +
      'free booking is confirmed by the link in the mail to the guest. With `expected_price_minor`, ' +
      'nothing is booked at another price than the guest was shown. A client makes at most five holds in ' +
      '10 minutes and has at most two unpaid bookings for a mailbox, and a room has at most 20 of ' +
      'strangers: 429 `rate_limited`. From its third hold in 10 minutes on, a client has to solve a proof ' +
      'of work: 403 `proof_required` with a challenge in `details`, whose answer is `proof`. A repeat with ' +
      'the same `idempotency_key` and body returns 200 with the same booking.',
    example: () => booking,
    responses: { 200: publicBooking, 201: publicBooking },
    errors: [
      'proof_required',
      'room_not_found',
      'slot_unavailable',
      'extra_unavailable',
      'discount_unavailable',
      'idempotency_conflict',
      'processor_unconfigured',
      'slot_misaligned',
      'amount_too_small',
      'processor_error',
    ],
    body: {
      ...wanted,
      guest: { email: 'ada@example.com', name: 'Ada Lovelace' },
      answers: { layout: 'In a circle' },
      terms_version: '2026-05',
      expected_price_minor: 3_000,
      idempotency_key: EXAMPLE_KEY,
    },
  },
  'GET /v1/public/bookings/:token': {
    summary: 'Get a guest’s own booking',
    id: 'getPublicBooking',
    description:
      'Returns the booking of a manage link of a guest, by the last part of its address. Another link of ' +
      'the same booking ends earlier ones.',
    example: () => ({ ...booking, status: 'confirmed', checkout_url: null, expires_at: null }),
    responses: { 200: publicBooking },
  },
};
