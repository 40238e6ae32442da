import joi from 'joi';
import type { Room } from '../../../db/rows.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { TIERS, type Tier } from '../../../domain/price.js';
import { MAX_MINUTES, WEEKDAYS } from '../../../domain/slots.js';
import { pageFields, type PageQuery } from '../../http/cursor.js';
import { currency, text, timeZone } from '../../http/fields.js';

const slotMinutes = joi
  .number()
  .integer()
  .min(1)
  .max(1440)
  .custom((value: number, helpers) =>
    1440 % value === 0
      ? value
      : helpers.message({ custom: '{{#label}} must be a divisor of 1440, such as 15, 30 or 60' }),
  );

const wallTime = joi
  .string()
  .pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM')
  .messages({
    'string.pattern.name':
      '{{#label}} must be a time from 00:00 to 23:59, such as 09:30; a closing time of 00:00 is midnight',
  });
const openHours = joi.array().items(joi.array().ordered(wallTime.required(), wallTime.required())).max(10);
const tiers = joi
  .array()
  .items(joi.string().valid(...TIERS))
  .unique();
const percent = joi.number().min(0).max(100).precision(2);
const minutes = joi.number().integer().min(1).max(MAX_MINUTES);

const fields = {
  name: text(200).trim().min(1).description('The name of the room.'),
  description: text(5_000).allow(null, '').description('A description of the room.'),
  time_zone: timeZone.description(
    'The IANA time zone of the opening hours and the slot grid. Defaults to that of the workspace.',
  ),
  slot_minutes: slotMinutes.description(
    'Bookings start and end at multiples of this many minutes after local midnight. Must be a divisor of 1440.',
  ),
  min_minutes: minutes.allow(null).description('The minimum length of a booking.'),
  max_minutes: minutes.allow(null).description('The maximum length of a booking.'),
  capacity: joi
    .number()
    .integer()
    .min(1)
    .max(100_000)
    .allow(null)
    .description('The maximum number of attendees.'),
  opening_hours: joi
    .object(
      Object.fromEntries(
        WEEKDAYS.map((day) => [
          day,
          openHours.description('Pairs of opening and closing time, `HH:MM` in the time zone of the room.'),
        ]),
      ),
    )
    .allow(null)
    .description('The opening hours of each weekday. Null for always open; a missing day is closed.'),
  turnaround_minutes: joi
    .number()
    .integer()
    .min(0)
    .max(1440)
    .description('The time that is kept free after each booking.'),
  edit_window_minutes: joi
    .number()
    .integer()
    .min(0)
    .max(525_600)
    .description('The time before the start of a booking after which it can no longer be changed.'),
  price_per_hour: joi
    .object({
      currency: currency.required().description('The ISO 4217 code of the currency.'),
      amount_minor: joi
        .number()
        .integer()
        .min(0)
        .max(MAX_AMOUNT_MINOR)
        .required()
        .description('The amount in minor units of the currency.'),
    })
    .description('The price of an hour, without tax.'),
  tax_code: text(50).min(1).description('One of the tax codes of the workspace.'),
  tiers: tiers
    .min(1)
    .allow(null)
    .description('The tiers that can book the room. Null for everyone, including guests.'),
  tier_discounts: joi
    .object(Object.fromEntries(TIERS.map((tier) => [tier, percent.description('The discount in percent.')])))
    .description('The discount of each tier on the price, in percent.'),
  refund_steps: joi
    .array()
    .items(
      joi.object({
        hours_before: joi
          .number()
          .min(0)
          .max(10_000)
          .required()
          .description('The step applies to cancellations at least this many hours before the start.'),
        percent: percent.required().description('The part of the price that is refunded, in percent.'),
      }),
    )
    .max(20)
    .description(
      'How much a cancellation refunds, by the time left until the start. Of the steps whose `hours_before` are still left, the one with the most hours applies. If there is none, nothing is refunded.',
    ),
  self_service: joi
    .boolean()
    .description(
      'Whether payers can cancel and move their bookings of the room with the manage link. They can always see them.',
    ),
  archived: joi.boolean().description('An archived room cannot be booked.'),
};

/** Body of `POST /v1/rooms`; defaults are applied by the handler (docs/rules/rooms.md#rooms). */
export const createSchema = joi
  .object({ ...fields, name: fields.name.required(), price_per_hour: fields.price_per_hour.required() })
  .required();

/** Body of `PATCH /v1/rooms/{id}`. */
export const updateSchema = joi.object(fields).min(1).required();

/** A room's fields as requests have them: the price is one object, stored in two columns. */
export type RoomBody = Partial<Room> & { price_per_hour?: { currency: string; amount_minor: number } };

/** Query of `GET /v1/rooms`. */
export const listSchema = joi.object({
  tier: joi
    .string()
    .valid(...TIERS)
    .description('Returns only rooms that this tier can book.'),
  include_archived: joi.boolean().default(false).description('Whether to include archived rooms.'),
  ...pageFields,
});
export interface ListQuery extends PageQuery {
  tier?: Tier;
  include_archived: boolean;
}
