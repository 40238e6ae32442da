import type { PresentedBooking } from '../../../domain/bookings/booking-presenter.js';
import { EXAMPLE_KEY, exampleInstant, examplePage, exampleTime } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import type { EventDescription, EventsOf } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { EXAMPLE_ROOM_ID } from '../rooms/openapi.js';
import {
  bookingOfPendingChange,
  bookingWithPendingChange,
  cancelledBooking,
  changedBooking,
  pendingChange,
} from './change-shape.js';
import {
  LINE,
  cancelled,
  confirmed,
  EXAMPLE_BOOKING_ID,
  linked,
  paidAtDesk,
  pending,
  PENDING_CHANGE,
  refund,
} from './examples.js';
import { paidBooking } from './payment-shape.js';
import { booking, CHANGED, DETAILS, linkedBooking, quote, sentBooking } from './shape.js';

export const operations: Operations = {
  'GET /v1/bookings': {
    summary: 'List bookings',
    description:
      'Returns the bookings that start in `[from, to)`, sorted by `start_at`, then id. `from` defaults to ' +
      'now, `to` to 30 days from now. `start_at[gte]` and `start_at[lt]` are aliases of `from` and `to`. ' +
      'The roles `member` and `billing_contact` see only their own bookings.',
    example: () => examplePage(linked(confirmed)),
    responses: { 200: s.pageOf(linkedBooking) },
    query: { status: 'confirmed', limit: '20' },
  },
  'POST /v1/bookings': {
    summary: 'Create a booking',
    description:
      'Creates a booking with status `pending_payment` and a reservation hold on the slot until ' +
      '`expires_at`. Redirect the payer to `checkout_url`; the booking is confirmed when the payment ' +
      'succeeds. A booking with a price of 0 is confirmed immediately and has no `checkout_url`. With ' +
      '`settle: on_account`, it is also confirmed immediately, and its invoice is due according to the ' +
      '`payment_terms` of the member’s company, or of the member if there is no company. The roles ' +
      '`front_desk`, `admin` and `owner` may start in the slot that is running. A repeat with the same ' +
      '`idempotency_key` and body returns 200 with the booking in its current state. `resource_id`, ' +
      '`member_id` and `duration_minutes` are aliases of `room_id`, `booked_by.member_id` and `end_at`. ' +
      '`extras` are booked with the room. `discount_code` takes a percentage or an amount off the price. ' +
      'For 409 `slot_unavailable`, `details.reason` is `booked`, `part_booked`, `blackout` or `closed`; ' +
      'for `extra_unavailable`, `details.available` is how many are left.',
    example: () => linked(pending),
    responses: { 200: linkedBooking, 201: linkedBooking },
    errors: [
      'room_not_found',
      'member_not_found',
      'member_cancelled',
      'tier_not_allowed',
      'slot_unavailable',
      'extra_unavailable',
      'discount_unavailable',
      'slot_misaligned',
      'idempotency_conflict',
      'credit_limit_exceeded',
      'too_many_unpaid_bookings',
      'processor_unconfigured',
      'amount_too_small',
      'processor_error',
    ],
    idempotent: true,
    body: {
      room_id: EXAMPLE_ROOM_ID,
      start_at: exampleTime(45, 9),
      end_at: exampleTime(45, 11),
      booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
      idempotency_key: EXAMPLE_KEY,
      ...DETAILS,
    },
  },
  'POST /v1/quotes': {
    summary: 'Quote a booking',
    description:
      'Returns the price of a booking without creating it. The body is that of `POST /v1/bookings` without ' +
      '`idempotency_key`, and the errors are the same, except that an occupied slot is no error: ' +
      '`available` is false, and `reason` says why. Extras that are booked out are. Nothing is stored and ' +
      'the slot is not held.',
    example: () => ({
      price: pending.price,
      net_minor: 5000,
      tax_minor: 1000,
      lines: [LINE],
      discount_percent: 0,
      tokens_used: 0,
      available: true,
      reason: null,
    }),
    responses: { 200: quote },
    errors: [
      'room_not_found',
      'member_not_found',
      'member_cancelled',
      'tier_not_allowed',
      'credit_limit_exceeded',
      'extra_unavailable',
      'discount_unavailable',
      'slot_misaligned',
      'processor_unconfigured',
      'amount_too_small',
    ],
    body: {
      room_id: EXAMPLE_ROOM_ID,
      start_at: exampleTime(45, 9),
      duration_minutes: 120,
      booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
      attendees: 4,
    },
  },
  'GET /v1/bookings/:id': {
    summary: 'Get a booking',
    example: () => linked(confirmed),
    responses: { 200: linkedBooking },
  },
  'PATCH /v1/bookings/:id': {
    summary: 'Change a booking',
    description:
      'Changes the details, time, room or extras of a booking. The roles `front_desk`, `admin` and `owner` ' +
      'can also give a booking that has begun a later `end_at`. The change is applied completely or not at ' +
      'all. If the new price is higher, the difference is charged to the card on file; if it is lower, the ' +
      'difference is refunded according to the room’s `refund_steps`. `adjustment.amount_minor` is ' +
      'positive for a charge and negative for a refund. A difference below the payment processor’s minimum ' +
      'charge is neither charged nor refunded: it is 0, and the price does not change. If the payer’s bank ' +
      'requires authentication, or no card is on file, the response is 402 with ' +
      '`details.authentication_required` set to true. With `on_authentication: link`, it is 202 with a ' +
      '`pending_change` instead: both slots are held, and the booking changes when the payer has paid at ' +
      'its `checkout_url`. `booked_by.guest` corrects the address or name of a guest: the manage link and ' +
      'the pay link are replaced, and a new address gets the latest mail about the booking.',
    example: () => ({ ...linked(confirmed), ...CHANGED, sequence: 1, adjustment: null }),
    responses: { 200: changedBooking, 202: bookingWithPendingChange },
    errors: [
      'payment_failed',
      'tier_not_allowed',
      'room_not_found',
      'booking_not_editable',
      'change_pending',
      'limit_reached',
      'too_many_unpaid_bookings',
      'slot_unavailable',
      'extra_unavailable',
      'slot_misaligned',
      'processor_unconfigured',
      'amount_too_small',
      'processor_error',
    ],
    body: { ...CHANGED },
  },
  'GET /v1/bookings/:id/pending-change': {
    summary: 'Get a pending change',
    description:
      'Returns the change of a booking that is awaiting payment. Fails with 404 `not_found` if there is ' +
      'none, or if it was paid or withdrawn, or has lapsed.',
    example: () => PENDING_CHANGE,
    responses: { 200: pendingChange },
    errors: ['not_found'],
  },
  'DELETE /v1/bookings/:id/pending-change': {
    summary: 'Withdraw a pending change',
    description:
      'Withdraws the change of a booking that is awaiting payment. The booking stays as it is and holds ' +
      'only its own slot. Fails with 409 `booking_not_editable` if the payer has already paid. A payment ' +
      'that arrives later is refunded in full.',
    responses: { 204: null },
    errors: ['not_found', 'booking_not_editable'],
  },
  'POST /v1/bookings/:id/cancel': {
    summary: 'Cancel a booking',
    description:
      'Cancels a booking and releases its slot. `refund_policy` is `standard` (refund according to ' +
      'the room’s `refund_steps`), `full` or `none`. In its place, `refund_amount_minor` is the ' +
      'amount to refund: at most what is left of the payments of the booking. `full` and ' +
      '`refund_amount_minor` require the role `front_desk`, `admin` or `owner`; `front_desk` can ' +
      'refund what the terms give, and up to `desk_refund_limit_minor` of the workspace. Cancelling a ' +
      'cancelled booking returns it unchanged.',
    example: () => ({ ...linked(cancelled), refund: { ...refund, refunds: [refund] } }),
    responses: { 200: cancelledBooking },
    errors: ['booking_not_cancellable', 'amount_exceeds_refundable'],
    body: { reason: 'Ill', refund_policy: 'standard', notify_attendees: true },
  },
  'POST /v1/bookings/:id/payments': {
    summary: 'Take a payment at the desk',
    description:
      'Records the full price of an unpaid booking, received outside the hosted page, and confirms the ' +
      'booking. With `pending_change_id`, records the difference of a change that is awaiting payment, and ' +
      'makes the change. The hosted page is closed first. If it was paid in the meantime, the response is ' +
      '409 `already_paid`. The booking then has `settle: desk` and no `confirmation_source`, unless it was ' +
      'for a change; the payment has the kind `manual`, for a change `top_up`, and its `method` is ' +
      '`card_terminal` for `terminal` and `bank_transfer` for `transfer`. A payment that still arrives ' +
      'through the hosted page is refunded in full.',
    id: 'takePayment',
    example: () => paidAtDesk,
    responses: { 200: paidBooking, 201: paidBooking },
    errors: ['already_paid', 'booking_not_payable', 'not_found', 'processor_error'],
    idempotent: true,
    body: { method: 'cash', amount_minor: 6000, reference: 'Till 2' },
  },
  'POST /v1/bookings/:id/no-show': {
    summary: 'Mark a no-show',
    description:
      'Records that the booker did not show up. Allowed from `start_at` until 7 days after `end_at`. Does ' +
      'not change the status of the booking or refund anything.',
    example: () => linked({ ...confirmed, no_show_at: exampleInstant(45, 10) }),
    responses: { 200: linkedBooking },
    errors: ['booking_not_started', 'booking_not_editable'],
    body: {},
  },
  'POST /v1/bookings/:id/send': {
    summary: "Resend a booking's email",
    id: 'sendBooking',
    description:
      'Emails the payer the current state of the booking: the payment link, the confirmation, the ' +
      'cancellation or the expiry. Allowed once every 10 minutes.',
    example: () => ({ booking_id: EXAMPLE_BOOKING_ID, sent_to: 'ada@example.com' }),
    responses: { 200: sentBooking },
    idempotent: true,
    body: {},
  },
  'POST /v1/bookings/:id/rotate-manage-link': {
    summary: 'Replace the manage link',
    description:
      'Returns the booking with a new `manage_url`. The link in earlier emails and responses stops ' +
      'working; later emails contain the new one.',
    example: () => linked(confirmed),
    responses: { 200: linkedBooking },
    body: {},
  },
};

const example = (object: PresentedBooking, previous?: Record<string, unknown>): EventDescription => ({
  schema: booking,
  object,
  previous,
});

export const events: Record<EventsOf<'booking'>, EventDescription> = {
  'booking.created': example(pending),
  'booking.confirmed': example(confirmed),
  'booking.updated': example({ ...confirmed, ...CHANGED, sequence: 1 }, { ...DETAILS, sequence: 0 }),
  'booking.change_pending': {
    schema: bookingOfPendingChange,
    object: { ...confirmed, pending_change: { ...PENDING_CHANGE, ended: null } },
  },
  'booking.change_lapsed': {
    schema: bookingOfPendingChange,
    object: { ...confirmed, pending_change: { ...PENDING_CHANGE, ended: 'lapsed' } },
  },
  'booking.cancelled': example(cancelled),
  'booking.expired': example({ ...pending, status: 'expired' }),
  'booking.completed': example({ ...confirmed, status: 'completed', completed_at: exampleInstant(45, 11) }),
  'booking.no_show': example({ ...confirmed, no_show_at: exampleInstant(45, 10) }),
};
