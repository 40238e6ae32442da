import joi from 'joi';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { presentRates } from '../../../domain/presenters/room-rates.js';
import { MAX_RATES, RATE_UNITS } from '../../../domain/rates.js';
import { MAX_MINUTES, WEEKDAYS } from '../../../domain/slots.js';
import { text, uuid } from '../../http/fields.js';
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  string,
  typed,
  withDefault,
  type Infer,
  type Typed,
} from '../../http/typed.js';
import { audienceSent } from './audience.js';
import { field, sidesOf } from '../shared/field.js';
import { name } from '../shared/name.js';
import * as s from '../shared/shapes.js';

const wallTime = string.pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM').messages({
  'string.pattern.name': '{{#label}} must be a time from 00:00 to 23:59, such as 09:30',
});

const date = typed<string, joi.StringSchema>(
  joi
    .string()
    .meta({ json: { format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } })
    .custom((value: string, helpers) => {
      const known = /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`);
      const exists = known && !Number.isNaN(known.getTime()) && known.toISOString().startsWith(value);
      return exists ? value : helpers.message({ custom: '{{#label}} must be a date such as 2027-01-31' });
    }),
);

const amount = integer.min(0).max(MAX_AMOUNT_MINOR);
const optionally = <T>(schema: Typed<T>) => withDefault<T | null>(nullable(schema), null);

const { sent, read } = sidesOf({
  id: field(uuid, 'The id of the rate.', {
    sent: 'The id of a rate that the room has, to keep it. A rate without one is new.',
    read: s.anyUuid,
  }),
  name: field(name, 'The name of the rate, which is on invoices.'),
  days: field(
    optionally(array(oneOf(WEEKDAYS)).unique().min(1)),
    'The weekdays on which its window begins. Null for every day.',
  ),
  from: field(
    optionally(wallTime),
    'When its window begins, `HH:MM` by the clock of the room. Null for midnight.',
  ),
  to: field(
    optionally(wallTime),
    'When its window ends. If that is not after `from`, it ends on the next day. Null for the next midnight.',
  ),
  dates: field(
    optionally(
      object({
        from: optionally(date).description('The first date, `YYYY-MM-DD`.'),
        to: optionally(date).description('The last date, included.'),
      }),
    ),
    'The dates on which its window begins. Null for any date.',
  ),
  audience: field(
    withDefault(audienceSent, { kind: 'everyone', tiers: null, company_ids: null }),
    'Whose bookings it prices.',
  ),
  unit: field(
    withDefault(oneOf(RATE_UNITS), 'hour'),
    'Whether the amount is for an hour, for each time its window comes (`flat`), or for each day by the clock of the room.',
  ),
  amount_minor: field(amount, 'The amount in minor units of the currency of the room, without tax.', {
    sent: 'The amount in minor units of the currency of the room, without tax. Required unless `closed` is true.',
  }),
  cap_minor: field(optionally(amount), 'The most that its minutes cost in one booking.'),
  day_cap_minor: field(optionally(amount), 'The most that its minutes cost in one day of a booking.'),
  minimum_minor: field(optionally(amount), 'The least that its minutes cost in one booking.'),
  min_minutes: field(
    optionally(integer.min(1).max(MAX_MINUTES)),
    'It is passed over in bookings that are shorter.',
  ),
  notice: field(
    optionally(
      object({
        min_minutes: optionally(integer.min(0).max(1_051_200)).description(
          'It is passed over in bookings that are priced later than this before they start.',
        ),
        max_days: optionally(integer.min(0).max(730)).description(
          'It is passed over in bookings that are priced earlier than this before they start.',
        ),
      }),
    ),
    'How long before its start a booking must be priced.',
  ),
  closed: field(withDefault(boolean, false), 'Whether the room cannot be booked in its window.'),
  always: field(
    withDefault(boolean, false),
    'Whether a flat or day price is also charged where the hours that it replaces cost less.',
  ),
  accounting_account: field(
    optionally(text(50).min(1)),
    'The account of its lines in the accounting system. Null for that of the workspace.',
  ),
});

/** Body of `PUT /v1/rooms/{id}/rates`. */
export const ratesSchema = object(
  {
    rates: array(object(sent, 'name'))
      .max(MAX_RATES)
      .description('The rates in order: of those that match a minute, the first one prices it.'),
  },
  'rates',
).required();
export type RatesBody = Infer<typeof ratesSchema>;

/** The rates of a room. */
export const roomRates = s.presentedBy(
  presentRates,
  s.shape({
    version: s.count.description(
      'The version of the list. It increases with every change; 0 before the first.',
    ),
    rates: array(s.shape(read)).description('The rates in order.'),
  }),
);
