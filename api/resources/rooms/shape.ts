import joi from 'joi';
import { DAY_MINUTES } from '../../../domain/durations.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { presentRoom } from '../../../domain/presenters/room.js';
import { TIERS } from '../../../domain/price.js';
import { MAX_MINUTES, WEEKDAYS } from '../../../domain/slots.js';
import { pageFields } from '../../http/cursor.js';
import { currency, text, timeZone } from '../../http/fields.js';
import {
  array,
  boolean,
  integer,
  keyed,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  typed,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { name } from '../shared/name.js';
import * as s from '../shared/shapes.js';

const slotMinutes = integer
  .min(1)
  .max(DAY_MINUTES)
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
const percent = number.min(0).max(100).precision(2);
const minutes = integer.min(1).max(MAX_MINUTES);

const { sent, read } = sidesOf({
  name: field(name, 'The name of the room.'),
  description: field(nullable(text(5_000).allow('')), 'The description of the room.'),
  time_zone: field(timeZone, 'The IANA time zone of the opening hours and the slot grid.', {
    sent: 'The IANA time zone of the opening hours and the slot grid. Defaults to that of the workspace.',
  }),
  slot_minutes: field(
    slotMinutes,
    'Bookings start and end at multiples of this many minutes after local midnight. Must be a divisor of 1440.',
  ),
  min_minutes: field(nullable(minutes), 'The minimum length of a booking.'),
  max_minutes: field(nullable(minutes), 'The maximum length of a booking.'),
  capacity: field(nullable(integer.min(1).max(100_000)), 'The maximum number of attendees.'),
  opening_hours: field(
    nullable(keyed(WEEKDAYS, array(openHours).max(10).description(HOURS))),
    'The opening hours of each weekday. Absent for always open; a missing day is closed.',
    {
      sent: 'The opening hours of each weekday. Null for always open; a missing day is closed.',
      read: keyed(WEEKDAYS, array(array(string).length(2)).description(HOURS)),
    },
  ),
  turnaround_minutes: field(
    integer.min(0).max(DAY_MINUTES),
    'The time that is kept free after each booking.',
  ),
  edit_window_minutes: field(
    integer.min(0).max(525_600),
    'The time before the start of a booking after which it can no longer be changed.',
  ),
  price_per_hour: field(
    object(
      {
        currency: currency.description('The ISO 4217 code of the currency.'),
        amount_minor: integer
          .min(0)
          .max(MAX_AMOUNT_MINOR)
          .description('The amount in minor units of the currency.'),
      },
      'currency',
      'amount_minor',
    ),
    'The price of an hour, without tax.',
    { read: s.money },
  ),
  tax_code: field(text(50).min(1), 'One of the tax codes of the workspace.'),
  tiers: field(
    nullable(array(oneOf(TIERS)).unique().min(1)),
    'The tiers that can book the room. Null for everyone, including guests.',
  ),
  tier_discounts: field(
    keyed(TIERS, percent.description('The discount in percent.')),
    'The discount of each tier on the price, in percent.',
  ),
  refund_steps: field(
    array(
      object(
        {
          hours_before: number
            .min(0)
            .max(10_000)
            .description('The step applies to cancellations at least this many hours before the start.'),
          percent: percent.description('The part of the price that is refunded, in percent.'),
        },
        'hours_before',
        'percent',
      ),
    ).max(20),
    'How much a cancellation refunds, by the time left until the start. Of the steps whose `hours_before` are still left, the one with the most hours applies. If there is none, nothing is refunded.',
  ),
  self_service: field(
    boolean,
    'Whether payers can cancel and move their bookings of the room with the manage link. They can always see them.',
  ),
  archived: field(boolean, 'Whether the room is archived: it cannot be booked.'),
});

/** A room in responses. */
export const room = s.presentedBy(
  presentRoom,
  s.shape({
    id: s.anyUuid.description('The id of the room.'),
    ...read,
    opening_hours: optional(read.opening_hours),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

/** Body of `POST /v1/rooms`; defaults are applied by the handler (docs/rules/rooms.md#rooms). */
export const createSchema = object(sent, 'name', 'price_per_hour').required();
export type CreateBody = Infer<typeof createSchema>;

/** Body of `PATCH /v1/rooms/{id}`. */
export const updateSchema = object(sent).min(1).required();
export type UpdateBody = Infer<typeof updateSchema>;

/** Query of `GET /v1/rooms`. */
export const listSchema = object({
  tier: oneOf(TIERS).description('Returns only rooms that this tier can book.'),
  include_archived: withDefault(boolean.description('Whether to include archived rooms.'), false),
  ...pageFields,
});
