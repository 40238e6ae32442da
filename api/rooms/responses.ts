import joi from 'joi';
import { TIERS } from '../../domain/price.js';
import { WEEKDAYS } from '../../domain/slots.js';
import * as s from '../resource/shapes.js';

const openingHours = joi.object(
  Object.fromEntries(
    WEEKDAYS.map((day) => [day, joi.array().items(joi.array().items(joi.string()).length(2))]),
  ),
);

/** A room as `presentRoom` returns it. */
export const room = s.shape({
  id: s.anyUuid,
  name: s.anyText,
  description: s.nullableText,
  time_zone: s.anyText,
  slot_minutes: s.count.description(
    'Bookings start and end at multiples of this many minutes after local midnight.',
  ),
  min_minutes: s.count.allow(null).description('The minimum length of a booking.'),
  max_minutes: s.count.allow(null).description('The maximum length of a booking.'),
  capacity: s.count.allow(null).description('The maximum number of attendees.'),
  opening_hours: openingHours.optional(),
  turnaround_minutes: s.count.description('The time that is kept free after each booking.'),
  edit_window_minutes: s.count.description('How long before its start a booking can last be changed.'),
  price_per_hour: s.money,
  tax_code: s.anyText,
  tiers: joi
    .array()
    .items(s.oneOf(TIERS))
    .allow(null)
    .description('The tiers that can book the room. Null for everyone, including guests.'),
  tier_discounts: joi.object(Object.fromEntries(TIERS.map((tier) => [tier, joi.number()]))),
  refund_steps: joi.array().items(s.shape({ hours_before: joi.number(), percent: joi.number() })),
  self_service: joi
    .boolean()
    .description(
      'Whether payers can cancel and move their bookings of the room with the manage link. They can always see them.',
    ),
  archived: joi.boolean(),
  created_at: s.instant,
  updated_at: s.instant,
});
