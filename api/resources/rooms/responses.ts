import joi from 'joi';
import { TIERS } from '../../../domain/price.js';
import { WEEKDAYS } from '../../../domain/slots.js';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

const openingHours = joi.object(
  Object.fromEntries(
    WEEKDAYS.map((day) => [
      day,
      joi
        .array()
        .items(joi.array().items(joi.string()).length(2))
        .description('Pairs of opening and closing time, `HH:MM` in the time zone of the room.'),
    ]),
  ),
);

/** A room as `presentRoom` returns it. */
export const room = s.shape({
  id: s.anyUuid.description('The id of the room.'),
  name: s.anyText.description('The name of the room.'),
  description: s.nullableText.description('The description of the room.'),
  time_zone: s.anyText.description('The IANA time zone of the opening hours and the slot grid.'),
  slot_minutes: s.count.description(
    'Bookings start and end at multiples of this many minutes after local midnight.',
  ),
  min_minutes: s.count.allow(null).description('The minimum length of a booking.'),
  max_minutes: s.count.allow(null).description('The maximum length of a booking.'),
  capacity: s.count.allow(null).description('The maximum number of attendees.'),
  opening_hours: openingHours
    .optional()
    .description('The opening hours of each weekday. Absent for always open; a missing day is closed.'),
  turnaround_minutes: s.count.description('The time that is kept free after each booking.'),
  edit_window_minutes: s.count.description(
    'The time before the start of a booking after which it can no longer be changed.',
  ),
  price_per_hour: s.money.description('The price of an hour, without tax.'),
  tax_code: s.anyText.description('The tax code of the workspace that applies.'),
  tiers: joi
    .array()
    .items(oneOf(TIERS))
    .allow(null)
    .description('The tiers that can book the room. Null for everyone, including guests.'),
  tier_discounts: joi
    .object(
      Object.fromEntries(TIERS.map((tier) => [tier, joi.number().description('The discount in percent.')])),
    )
    .description('The discount of each tier on the price, in percent.'),
  refund_steps: joi
    .array()
    .items(
      s.shape({
        hours_before: joi
          .number()
          .description('The step applies to cancellations at least this many hours before the start.'),
        percent: joi.number().description('The part of the price that is refunded, in percent.'),
      }),
    )
    .description('How much a cancellation refunds, by the time left until the start.'),
  self_service: joi
    .boolean()
    .description(
      'Whether payers can cancel and move their bookings of the room with the manage link. They can always see them.',
    ),
  archived: joi.boolean().description('Whether the room is archived: it cannot be booked.'),
  created_at: s.instant,
  updated_at: s.instant,
});
