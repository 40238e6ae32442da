import type joi from 'joi';
import { isId } from '../../../db/ids.js';
import { MAX_EXTRAS, MAX_QUANTITY } from '../../../domain/extras/extras.js';
import { BOOKING_SOURCES } from '../../../domain/bookings/origin.js';
import { SETTLE } from '../../../domain/bookings/create.js';
import { REFERENCE } from '../../../domain/bookings/reference.js';
import type { BookingDetails } from '../../../domain/bookings/details.js';
import { presentBooking } from '../../../domain/bookings/booking-presenter.js';
import { MAX_MINUTES, UNAVAILABLE_REASONS } from '../../../domain/bookings/slots.js';
import { BOOKING_STATUSES, CONFIRMATION_SOURCES, SETTLED } from '../../../domain/states.js';
import { pageFields } from '../../http/cursor.js';
import { email, memberId, searchText, text, timestamp, uuid } from '../../http/fields.js';
import {
  array,
  boolean,
  either,
  integer,
  nullable,
  number,
  object,
  oneOf,
  string,
  type Infer,
} from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { name } from '../shared/name.js';
import { code } from '../discounts/operations.js';
import * as s from '../shared/shapes.js';
import { priceLine } from './price-line-shape.js';
import { LANGUAGES } from '../../../domain/words/languages.js';
import { locale } from '../shared/locale.js';

export const isBookingId = (id: string): boolean => isId('bk', id);

/** The details of a booking, which a create and a `PATCH` set alike. */
export const details = sidesOf({
  notes: field(nullable(text(5_000).allow('')), 'Free text for staff.', {
    sent: 'Free text for staff. An empty string is stored as null.',
  }),
  attendees: field(integer.min(1).max(100_000), 'The number of people.', {
    sent: 'The number of people. Defaults to 1.',
    read: s.count,
  }),
} satisfies Record<keyof BookingDetails, unknown>);

/** The extras of a booking as requests send them. */
export const extras = array(
  object(
    {
      extra_id: uuid.description('The id of the extra.'),
      quantity: integer.min(1).max(MAX_QUANTITY).description('How many.'),
    },
    'extra_id',
    'quantity',
  ),
).max(MAX_EXTRAS);

/** The extras of a booking in responses. */
export const bookedExtras = array(
  s.shape({
    extra_id: s.anyUuid.description('The id of the extra.'),
    name: s.anyText.description('Its name when it was booked.'),
    quantity: s.count.description('How many.'),
  }),
);

/** The details of the examples, before and after a change. */
export const DETAILS: BookingDetails = { notes: 'Projector, please', attendees: 4 };
export const CHANGED: BookingDetails = { notes: 'Vegetarian lunch', attendees: 6 };

const guestFields = {
  email: email.description('The email address of the guest, which receives the confirmation.'),
  name: name.description('The name of the guest.'),
  locale,
};
/** The guest of a `PATCH`: what is absent stays as it is. */
export const correctedGuest = object(guestFields)
  .min(1)
  .description('The guest, as far as they are corrected.');

const bookedBy = object({
  member_id: memberId,
  guest: object(guestFields, 'email', 'name').description('A person who is not a member.'),
}).xor('member_id', 'guest');

const { sent, read } = sidesOf({
  settle: field(
    oneOf(SETTLE),
    'How the booking is paid: at its hosted page (`checkout`), by its invoice (`on_account`), or at the ' +
      'desk (`desk`). A free booking has `checkout`.',
    {
      sent:
        'How the booking is paid. `on_account` confirms it immediately; its invoice is due by the ' +
        'payment terms of the payer. Defaults to `checkout`.',
      read: oneOf(SETTLED),
    },
  ),
});

/** What is booked, for whom and when, with aliases. */
const bookable = {
  room_id: uuid.description('The room to book.'),
  resource_id: uuid.description('An alias of `room_id`.'),
  start_at: timestamp.description('The start, on the slot grid of the room.'),
  end_at: timestamp.description('The end, exclusive, on the slot grid of the room.'),
  duration_minutes: integer.min(1).max(MAX_MINUTES).description('An alternative to `end_at`.'),
  booked_by: bookedBy.description('The booker: a member or a guest.'),
  member_id: memberId.description('An alias of `booked_by.member_id`.'),
};
const options = {
  ...details.sent,
  use_tokens: boolean.description(
    'Whether to pay with hour credits, as far as they lower the price. Members only.',
  ),
  extras: extras.description('The extras to book with the room.'),
  discount_code: code.description('A discount code, in any letter case.'),
  ...sent,
};
const oneOfEach = <Schema extends joi.ObjectSchema>(body: Schema): Schema =>
  body.or('room_id', 'resource_id').or('end_at', 'duration_minutes').or('booked_by', 'member_id').required();

/** Body of `POST /v1/bookings`. */
export const createSchema = oneOfEach(
  object(
    {
      ...bookable,
      idempotency_key: uuid.description(
        'A new UUID for each booking. A repeat with the same key returns the same booking.',
      ),
      ...options,
    },
    'start_at',
    'idempotency_key',
  ),
);
export type CreateBody = Infer<typeof createSchema>;

/** Body of `POST /v1/quotes`: that of a create, without a key. */
export const quoteSchema = oneOfEach(object({ ...bookable, ...options }, 'start_at'));
export type QuoteBody = Infer<typeof quoteSchema>;

/** Query of `GET /v1/bookings`, with its aliases. */
export const listSchema = object({
  from: timestamp.description('Returns only bookings that start at or after this time. Defaults to now.'),
  to: timestamp.description(
    'Returns only bookings that start before this time. Defaults to 30 days from now.',
  ),
  'start_at[gte]': timestamp.description('An alias of `from`.'),
  'start_at[lt]': timestamp.description('An alias of `to`.'),
  status: oneOf(BOOKING_STATUSES).description('Returns only bookings with this status.'),
  room_id: uuid.description('Returns only bookings of this room.'),
  member_id: memberId.description('Returns only bookings of this member.'),
  company_id: uuid.description('Returns only bookings of members of this company.'),
  reference: string
    .pattern(REFERENCE, 'the reference of a booking, seven letters and digits')
    .custom((value: string) => value.toUpperCase())
    .description(
      'Returns only the booking with this reference, in any letter case. `from` and `to` ' +
        'then have no defaults.',
    ),
  q: searchText.description(
    'At most ten words to search for in the name and email address of the booker and in the company, VAT ' +
      'number and order reference of a guest, in any case and with or without accents; or the reference of ' +
      'a booking, or at least its first four characters.',
  ),
  ...pageFields,
});
export type ListQuery = Infer<typeof listSchema>;

const guest = s.shape({
  guest: s
    .shape({
      email: s.nullableText.description('The email address of the guest.'),
      name: s.nullableText.description('The name of the guest.'),
    })
    .description('A person who is not a member. Null fields after an erasure.'),
});

/** A booking, as events have it. */
export const booking = s.presentedBy(
  presentBooking,
  s.shape({
    id: s.idOf('bk'),
    reference: s.anyText.description(
      'A short reference to read aloud and to print, unique in the workspace: seven letters and digits ' +
        'without look-alikes.',
    ),
    status: oneOf(BOOKING_STATUSES).description(
      'The status. Only `pending_payment` and `confirmed` occupy the room.',
    ),
    checkout_url: s.nullableText.description(
      'The URL of the hosted page where the payer pays. Null for a free booking and for one on account.',
    ),
    expires_at: s.nullableInstant.description(
      'The time at which the reservation hold ends, at the latest `end_at`. Null for a free booking ' +
        'and for one on account.',
    ),
    room: s
      .shape({
        id: s.anyUuid.description('The id of the room.'),
        name: s.anyText.description('The name of the room.'),
      })
      .description('The room.'),
    room_id: s.anyUuid.description('The id of the room.'),
    start_at: s.instant.description('The start, inclusive.'),
    end_at: s.instant.description('The end, exclusive.'),
    booked_by: either(
      s.shape({ member_id: s.idOf('mem').description('The member who booked.') }),
      guest,
    ).description('Who booked: a member or a guest.'),
    member_id: nullable(s.idOf('mem')).description('The member who booked. Null for a guest.'),
    company_id: nullable(s.anyUuid).description('The company of the member who booked.'),
    ...details.read,
    price: s.money.description('The price that the payer pays, including tax.'),
    lines: array(priceLine).description(
      'What the price consists of. The nets and taxes of the lines sum to it.',
    ),
    extras: bookedExtras.description('The extras that are booked with the room.'),
    discount_code: s.nullableText.description('The discount code that it was booked with. Null without one.'),
    tokens_used: s.count.description('The number of hour credits used.'),
    ...read,
    source: oneOf(BOOKING_SOURCES).description(
      'How it came about: by the API, at the dashboard, on the booking page, or by an import.',
    ),
    billing: s
      .orNull(
        s.shape({
          company: s.nullableText.description('The company.'),
          vat_number: s.nullableText.description('Its VAT number.'),
          order_reference: s.nullableText.description('Its reference of the order.'),
        }),
      )
      .description(
        'For whom a guest of the booking page books. Null if they entered nothing, and after an erasure.',
      ),
    answers: array(
      s.shape({
        id: s.anyText.description('The id of the question.'),
        label: s.anyText.description('The question, as it was asked.'),
        value: either(string, boolean).description('The answer. `true` for a selected checkbox.'),
      }),
    ).description('The answers to the questions of the booking page. Empty after an erasure.'),
    locale: nullable(oneOf(LANGUAGES)).description(
      'The language of the pages and emails of the booker. Null for that of their membership ' +
        'or of the workspace.',
    ),
    terms_version: s.nullableText.description('The version of the terms that the booker accepted.'),
    terms_accepted_at: s.nullableInstant.description('When the booker accepted them.'),
    invoice_id: nullable(s.idOf('inv')).description(
      'The invoice of the booking. A free booking has one of 0.',
    ),
    processor_payment_intent_id: s.nullableText.description(
      'The id of the payment at the payment processor. Null until the payment is confirmed, ' +
        'and for a free booking.',
    ),
    confirmation_source: s
      .orNull(oneOf(CONFIRMATION_SOURCES))
      .description('What confirmed the payment first.'),
    sequence: s.count.description('The revision number, as in iCalendar. It increases with every change.'),
    created_at: s.instant,
    updated_at: s.instant,
    confirmed_at: s.nullableInstant.description('The time of the confirmation.'),
    cancelled_at: s.nullableInstant.description('The time of the cancellation.'),
    completed_at: s.nullableInstant.description('The time at which the confirmed booking ended.'),
    no_show_at: s.nullableInstant.description('The time at which the booker was marked as a no-show.'),
  }),
);

/** A booking as the API returns it (`presentBookingFor`). */
export const linkedBooking = s.extend(booking, {
  manage_url: s.nullableText.description(
    'The URL of the page where the payer can view, move and cancel the booking. Anyone with the link can ' +
      'do so. Null without the scope `calendar:write`, and after an erasure.',
  ),
});

/** The price of a create that was not made. */
export const quote = s.shape({
  price: s.money.description('The price that the payer would pay, including tax.'),
  net_minor: s.minor.description('The price without tax, in minor units.'),
  tax_minor: s.minor.description('The tax, in minor units.'),
  lines: array(priceLine).description('What the price consists of.'),
  discount_percent: number.description("The discount of the member's tier."),
  tokens_used: s.count.description('The number of hour credits that would be used.'),
  available: boolean.description('Whether the slot is available now.'),
  reason: s
    .orNull(oneOf(UNAVAILABLE_REASONS))
    .description('Why the slot is not available, as in `details.reason` of `slot_unavailable`.'),
});

/** A booking whose mail has been sent, and the email address. */
export const sentBooking = s.shape({
  booking_id: s.idOf('bk').description('The booking.'),
  sent_to: s.anyText.description('The email address that it was sent to.'),
});
