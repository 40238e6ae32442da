import joi from 'joi';
import { DAY_MINUTES } from '../../../domain/durations.js';
import { presentRoom } from '../../../domain/rooms/presenter.js';
import { TIERS } from '../../../domain/rates/price.js';
import { MAX_LEAVES } from '../../../domain/rooms/parts.js';
import { MAX_MINUTES, WEEKDAYS } from '../../../domain/bookings/slots.js';
import { pageFields } from '../../http/cursor.js';
import { text, timeZone, uuid } from '../../http/fields.js';
import {
  array,
  boolean,
  integer,
  keyed,
  nullable,
  object,
  oneOf,
  optional,
  string,
  typed,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { imageUrl } from '../shared/image-url.js';
import { name } from '../shared/name.js';
import { percent, refundSteps } from '../shared/refund-steps.js';
import * as s from '../shared/shapes.js';
import { priceSent } from '../shared/unit-price.js';

const divisorsOf = (n: number): number[] =>
  Array.from({ length: n }, (_, i) => i + 1).filter((each) => n % each === 0);

const slotMinutes = integer
  .min(1)
  .max(DAY_MINUTES)
  .meta({ json: { enum: divisorsOf(DAY_MINUTES) } })
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
const minutes = integer.min(1).max(MAX_MINUTES);
export const MAX_IMAGES = 10;
const MAX_FEATURES = 30;

const { sent, read } = sidesOf({
  name: field(name, 'The name of the room.'),
  description: field(nullable(text(5_000).allow('')), 'The description of the room.'),
  image_urls: field(
    array(imageUrl).unique().max(MAX_IMAGES),
    'The URLs (https) of pictures of the room. Lists show the first one.',
  ),
  features: field(
    array(text(60).trim().min(1)).unique().max(MAX_FEATURES),
    'What the room has, such as `Projector` or `Step-free access`.',
  ),
  floor: field(nullable(text(60).trim().min(1)), 'The floor of the room, such as `2nd floor`.'),
  size_m2: field(nullable(integer.min(1).max(100_000)), 'The size of the room in square metres.'),
  address: field(
    nullable(text(500).allow('')),
    'The postal address of the room. Null for callers who are not staff.',
    {
      sent: 'The postal address of the room, which bookers get with their confirmation.',
    },
  ),
  directions: field(
    nullable(text(2_000).allow('')),
    'How to find the room. Null for callers who are not staff.',
    { sent: 'How to find the room, which bookers get with their confirmation.' },
  ),
  access_notes: field(
    nullable(text(2_000).allow('')),
    'How to get in, such as a door code. Null for callers who are not staff.',
    { sent: 'How to get in, such as a door code, which bookers get with their confirmation.' },
  ),
  reminder_hours: field(
    nullable(integer.min(1).max(336)),
    'How many hours before the start bookers are reminded by email. Null for no reminder. A change ' +
      'applies to bookings that are confirmed or moved afterwards.',
  ),
  time_zone: field(timeZone, 'The IANA time zone of the opening hours and the slot grid.', {
    sent: 'The IANA time zone of the opening hours and the slot grid. Defaults to that of the workspace.',
  }),
  slot_minutes: field(
    slotMinutes,
    'Bookings start and end at multiples of this many minutes after local midnight. Must ' +
      'be a divisor of 1440.',
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
  price_per_hour: field(priceSent, 'The price of an hour, without tax.', {
    sent: 'The price of an hour, without tax. The currency changes only while the room has no rates.',
    read: s.money,
  }),
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
    refundSteps,
    'How much a cancellation refunds, by the time left until the start. Of the steps whose ' +
      '`hours_before` are still left, the one with the most hours applies. If there is none, ' +
      'nothing is refunded.',
  ),
  parts: field(
    array(uuid).unique().max(MAX_LEAVES),
    'The rooms that the room consists of, which may have parts too, up to three levels and 32 rooms ' +
      'without parts. A booking of the room and one of a part exclude each other; those of different parts ' +
      'do not. Empty for a room without parts.',
    { read: array(s.anyUuid) },
  ),
  self_service: field(
    boolean,
    'Whether payers can cancel and move their bookings of the room with the manage link. They ' +
      'can always see them.',
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

/** What a room has unless its create says otherwise; its time zone is the workspace's. */
export const DEFAULTS = {
  description: null,
  image_urls: [],
  features: [],
  floor: null,
  size_m2: null,
  address: null,
  directions: null,
  access_notes: null,
  reminder_hours: null,
  slot_minutes: 30,
  min_minutes: null,
  max_minutes: null,
  capacity: null,
  opening_hours: null,
  turnaround_minutes: 0,
  edit_window_minutes: 60,
  tax_code: 'STANDARD',
  tiers: null,
  tier_discounts: {},
  refund_steps: [
    { hours_before: 24, percent: 100 },
    { hours_before: 0, percent: 0 },
  ],
  parts: [] as string[],
  self_service: true,
  archived: false,
};

/** Body of `POST /v1/rooms`; the handler applies the defaults (docs/rules/rooms.md#rooms). */
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
