import joi from 'joi';
import { MAX_ANSWER, QUESTION_KINDS } from '../../../../domain/booking-page/booking-page.js';
import { UNAVAILABLE_REASONS } from '../../../../domain/bookings/slots.js';
import { BOOKING_STATUSES } from '../../../../domain/states.js';
import {
  presentPublicBooking,
  presentPublicExtra,
  presentPublicRoom,
} from '../../../../domain/booking-page/public-booking-presenter.js';
import { email, text, timestamp, uuid } from '../../../http/fields.js';
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  typed,
  withDefault,
  type Infer,
} from '../../../http/typed.js';
import { EXTRA_UNITS } from '../../../../domain/extras/extras.js';
import { extras } from '../../bookings/booking.js';
import { code } from '../../discounts/operations.js';
import { priceLine } from '../../bookings/booking.js';
import { name } from '../../shared/name.js';
import { FREE, roomOfTime, window } from '../../bookings/availability/shape.js';
import * as s from '../../shared/shapes.js';
import { locale } from '../../shared/locale.js';

/** Query of `GET /v1/public/availability`. */
export const availabilityQuery = object(
  {
    room_id: uuid.description('The room.'),
    from: timestamp.description('The start of the time range, inclusive.'),
    to: timestamp.description('The end of the time range, exclusive; at most 31 days after `from`.'),
  },
  'room_id',
  'from',
  'to',
);
export type AvailabilityQuery = Infer<typeof availabilityQuery>;

const wanted = {
  room_id: uuid.description('The room.'),
  start_at: timestamp.description('The start, on the slot grid of the room.'),
  end_at: timestamp.description('The end.'),
  attendees: withDefault(integer.min(1).max(100_000).description('The number of people. Defaults to 1.'), 1),
  extras: extras.description('The extras to book with the room.'),
  discount_code: code.description('A discount code, in any letter case.'),
};

/** Body of `POST /v1/public/quotes`. */
export const quoteBody = object(wanted, 'room_id', 'start_at', 'end_at').required();
export type QuoteBody = Infer<typeof quoteBody>;

const line = nullable(text(50).trim());

/** Body of `POST /v1/public/bookings`. */
export const bookBody = object(
  {
    ...wanted,
    guest: object(
      {
        email: email.description('The email address of the guest.'),
        name: name.description('The name of the guest.'),
        locale,
      },
      'email',
      'name',
    ).description('Who books.'),
    billing: object({
      company: nullable(name).description('The company they book for.'),
      vat_number: line.description('Its VAT number.'),
      order_reference: line.description('Their order reference.'),
    }).description('What is printed on the documents of the booking.'),
    answers: withDefault(
      typed<Record<string, string>>(joi.object().pattern(text(40), text(MAX_ANSWER).allow('')).max(20)),
      {},
    ).description('The answers to `questions` of the rooms, by the id of the question. `on` for a checkbox.'),
    terms_version: text(50).description('The version of the terms that the guest has accepted.'),
    expected_price_minor: integer
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .description(
        'The price that the guest was shown, in minor units. If it is another one now, nothing is booked.',
      ),
    proof: text(4_000).description(
      'The answer to `details.challenge` of a `proof_required`: base64 of `{challenge, solution}` in JSON.',
    ),
    idempotency_key: uuid.description(
      'A new UUID for each booking. A repeat with the same key returns the same booking.',
    ),
  },
  'room_id',
  'start_at',
  'end_at',
  'guest',
  'idempotency_key',
).required();
export type BookBody = Infer<typeof bookBody>;

const extra = s.presentedBy(
  presentPublicExtra,
  s.shape({
    id: s.anyUuid.description('The id of the extra.'),
    name: s.anyText.description('Its name.'),
    unit: oneOf(EXTRA_UNITS).description('What its price is for.'),
    price: s.money.description('The price of a unit, without tax.'),
  }),
);

const room = s.presentedBy(
  presentPublicRoom,
  s.shape({
    id: s.anyUuid.description('The id of the room.'),
    name: s.anyText.description('The name of the room.'),
    description: s.nullableText.description('What the room is like.'),
    capacity: nullable(s.count).description('How many people it is for. Null if that is not limited.'),
    image_urls: array(s.anyText).description('Pictures, the first of which lists show.'),
    features: array(s.anyText).description('What it has, such as `Projector`.'),
    floor: s.nullableText.description('Its floor.'),
    size_m2: nullable(s.count).description('Its size in square metres.'),
    time_zone: s.anyText.description('The IANA time zone of the room.'),
    slot_minutes: s.count.description('The distance between lines of the slot grid, in minutes.'),
    lengths: array(s.count).description('The lengths that can be booked, in minutes, up to a day.'),
    hour_price: s
      .orNull(s.money)
      .description('What an hour costs, with tax. Null if that depends on the time: ask for a quote.'),
    extras: array(extra).description('What can be booked with the room.'),
  }),
);

/** The rooms of a site. */
export const rooms = s.shape({
  data: array(room).description('The rooms that can be booked now, by creation time.'),
  questions: array(
    s.shape({
      id: s.anyText.description('Identifies the question.'),
      label: s.anyText.description('The question.'),
      kind: oneOf(QUESTION_KINDS).description('A line of text, one of `choices`, or a checkbox.'),
      required: boolean.description('Whether it must be answered.'),
      choices: array(s.anyText).description('What to choose from.'),
    }),
  ).description('What people are asked when they book, as on the booking page.'),
  terms: s
    .orNull(
      s.shape({
        url: s.anyText.description('The URL of the terms.'),
        version: s.anyText.description('Their version, to send as `terms_version`.'),
      }),
    )
    .description('The terms that people must accept. Null for none.'),
});

/** When a room is free. */
export const freeTime = s.shape({
  ...roomOfTime,
  free: array(s.shape(window)).description(FREE),
});

/** What a booking would cost. */
export const quote = s.shape({
  price: s.money.description('The price, with tax.'),
  net_minor: s.minor.description('The price without tax, in minor units.'),
  tax_minor: s.minor.description('The tax, in minor units.'),
  lines: array(priceLine).description('What the price consists of.'),
  available: boolean.description('Whether the time is free now.'),
  reason: s
    .orNull(oneOf(UNAVAILABLE_REASONS))
    .description('Why it is not free, as in `details.reason` of `slot_unavailable`.'),
});

/** A stranger's own booking. */
export const publicBooking = s.presentedBy(
  presentPublicBooking,
  s.shape({
    reference: s.anyText.description('A short reference to read aloud and to print.'),
    status: oneOf([...BOOKING_STATUSES, 'to_confirm']).description(
      'As of other bookings; `to_confirm`: it is free, and is confirmed by the link in ' +
        'the mail to the guest.',
    ),
    room: s
      .shape({
        id: s.anyUuid.description('The id of the room.'),
        name: s.anyText.description('The name of the room.'),
      })
      .description('The room.'),
    time_zone: s.anyText.description('The IANA time zone of the room.'),
    start_at: s.instant.description('The start.'),
    end_at: s.instant.description('The end.'),
    attendees: s.count.description('The number of people.'),
    price: s.money.description('The price, with tax.'),
    checkout_url: s.nullableText.description('Where to pay, to open at top level. Null if nothing is due.'),
    expires_at: s.nullableInstant.description('How long the room is held until it is paid or confirmed.'),
    manage_url: s.nullableText.description(
      'The page on which the guest sees and cancels the booking. Null for a free booking, whose link ' +
        'is in its mail only.',
    ),
    manage_token: s.nullableText.description('The last part of `manage_url`, to read the booking with.'),
  }),
);
