import { MAX_DAY_BOOKINGS, messageBooker, messageDay } from '../../../../commands/bookings/messages.js';
import { presentMessage } from '../../../../domain/bookings/message-presenter.js';
import { NO_MESSAGE } from '../../../../domain/bookings/message.js';
import { date, text, uuid } from '../../../http/fields.js';
import { created, operation } from '../../../http/operation.js';
import { array, object, oneOf } from '../../../http/typed.js';
import { EXAMPLES_DAY, exampleInstant } from '../../shared/examples.js';
import { name } from '../../shared/name.js';
import type { Resource } from '../../shared/resource.js';
import * as s from '../../shared/shapes.js';
import { EXAMPLE_BOOKING_ID } from '../examples.js';
import { EXAMPLE_ROOM_ID } from '../../rooms/operations.js';

/** What staff write. The subject follows the rules for names, because it stands alone in an inbox. */
const written = {
  subject: name.description('The subject of the email: one line without a web or email address.'),
  text: text(5_000)
    .meta({ json: { pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$' } })
    .custom((value: string, helpers) =>
      value.trim() ? value : helpers.message({ custom: '{{#label}} must not be blank' }),
    )
    .description('The message: plain text. Line breaks are kept, and web addresses stay text.'),
};

export const message = s.presentedBy(
  presentMessage,
  s.shape('BookingMessage', {
    id: s.prefixedId('msg').description('The id of the message.'),
    booking_ids: array(s.prefixedId('bk')).description('The bookings that it is about, by start.'),
    sent_to: s.nullableText.description('The address that the email is sent to. Null after an erasure.'),
    subject: s.nullableText.description('The subject. Null after an erasure.'),
    text: s.nullableText.description('The message. Null after an erasure.'),
    created_at: s.instant,
  }),
);

export const dayMessage = s.shape('DayMessage', {
  data: array(message).description('One message for each address, by the start of its first booking.'),
  skipped: array(
    s.shape('SkippedBooking', {
      booking_id: s.prefixedId('bk').description('The booking.'),
      reason: oneOf(NO_MESSAGE).description(
        '`erased`: the booker has no address any more. `unconfirmed`: a guest of the booking page has ' +
          'neither paid nor confirmed their address. `cancelled`: the booking is cancelled.',
      ),
    }),
  ).description('The bookings of the day whose bookers get no message.'),
});

const sent = {
  subject: 'The lift is out of order',
  text: 'Please use the stairs in the courtyard.\nOur team is there to help.',
};
const example = {
  id: 'msg_01kba6xz3fe4r9tq5v8mhc2s7q',
  booking_ids: [EXAMPLE_BOOKING_ID],
  sent_to: 'ada@example.com',
  ...sent,
  created_at: exampleInstant(0, 9),
};

export const sendMessage = operation({
  route: 'POST /v1/bookings/:id/messages',
  summary: 'Message a booker',
  id: 'sendBookingMessage',
  description:
    'Emails what you write to the booker, whatever the status of the booking. Allowed once every 10 ' +
    'minutes for a booking.',
  scope: 'calendar:write',
  capability: 'all_bookings',
  body: object(written, 'subject', 'text').required(),
  idempotent: true,
  responses: { 200: message, 201: message },
  examples: { body: sent, response: example },
  run: ({ params, body, idempotency }, caller, { db, mailQuotas }) =>
    messageBooker(db, mailQuotas, caller, params.id, body, idempotency),
  reply: created,
});

export const sendDayMessage = operation({
  route: 'POST /v1/messages',
  summary: 'Message the bookers of a day',
  id: 'sendMessages',
  description:
    'Emails what you write to the bookers of all bookings that are on a day in the workspace’s time zone, ' +
    'optionally of one room. An address with several bookings gets one email. Either all emails are sent ' +
    `or none. A day may have at most ${MAX_DAY_BOOKINGS} bookings. Allowed once every 10 minutes for a day.`,
  scope: 'calendar:write',
  capability: 'all_bookings',
  body: object(
    {
      date: date.description('The day, in the workspace’s time zone.'),
      room_id: uuid.description('Messages only the bookers of this room.'),
      ...written,
    },
    'date',
    'subject',
    'text',
  ).required(),
  idempotent: true,
  responses: { 200: dayMessage, 201: dayMessage },
  examples: {
    body: { date: EXAMPLES_DAY, room_id: EXAMPLE_ROOM_ID, ...sent },
    response: { data: [example], skipped: [] },
  },
  run: ({ body, idempotency }, caller, { db, mailQuotas }) =>
    messageDay(db, mailQuotas, caller, body, idempotency),
  reply: created,
});

/** What staff write to bookers (docs/rules/bookings.md#messages). */
export const messages: Resource = { tag: 'Bookings', operations: [sendMessage, sendDayMessage] };
