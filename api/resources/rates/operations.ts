import { replaceRates as replace } from '../../../commands/rates/rates.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { can } from '../../../domain/policies.js';
import { presentRates } from '../../../domain/rates/presenter.js';
import { EVERYONE, MAX_RATES, RATE_UNITS } from '../../../domain/rates/rates.js';
import { MAX_MINUTES, WEEKDAYS } from '../../../domain/bookings/slots.js';
import { date, text, uuid } from '../../http/fields.js';
import { operation } from '../../http/operation.js';
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  oneOfFixed,
  string,
  withDefault,
  type Typed,
} from '../../http/typed.js';
import { field, splitSides } from '../shared/field.js';
import { roomIn } from '../rooms/operations.js';
import { name } from '../shared/name.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { audienceSent } from './audience.js';

const wallTime = string.pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM').messages({
  'string.pattern.name': '{{#label}} must be a time from 00:00 to 23:59, such as 09:30',
});

const amount = integer.min(0).max(MAX_AMOUNT_MINOR);
const optionally = <T>(schema: Typed<T>) => withDefault<T | null>(nullable(schema), null);

const fields = splitSides({
  id: field(uuid, 'The id of the rate.', {
    sent: 'The id of an existing rate of the room, to keep it. Omit it for a new rate.',
    read: s.anyUuid,
  }),
  name: field(name, 'The name of the rate, as shown on invoices.'),
  days: field(
    optionally(array(oneOfFixed(WEEKDAYS)).unique().min(1)),
    'The weekdays on which the rate’s window starts. Null for every day.',
  ),
  from: field(
    optionally(wallTime),
    'The start of the window, `HH:MM` in the time zone of the room. Null for midnight.',
  ),
  to: field(
    optionally(wallTime),
    'The end of the window, `HH:MM` in the time zone of the room. If it is not after `from`, the ' +
      'window ends on the next day. Null for the next midnight.',
  ),
  dates: field(
    optionally(
      object({
        from: optionally(date).description('The first date, `YYYY-MM-DD`.'),
        to: optionally(date).description('The last date, `YYYY-MM-DD`, inclusive.'),
      }),
    ),
    'The dates on which the window starts. Null for any date.',
  ),
  audience: field(withDefault(audienceSent, EVERYONE), 'The bookers that the rate applies to.'),
  unit: field(
    withDefault(oneOf(RATE_UNITS), 'hour'),
    'Whether the amount is charged per hour, once per window (`flat`), or per day in the time zone ' +
      'of the room.',
  ),
  amount_minor: field(amount, 'The amount in minor units of the currency of the room, without tax.', {
    sent:
      'The amount in minor units of the currency of the room, without tax. Required ' +
      'unless `closed` is true.',
  }),
  cap_minor: field(
    optionally(amount),
    'The maximum price of the minutes that this rate prices in one booking, in minor units.',
  ),
  day_cap_minor: field(
    optionally(amount),
    'The maximum price of the minutes that this rate prices in one day of a booking, in minor units.',
  ),
  minimum_minor: field(
    optionally(amount),
    'The minimum price of the minutes that this rate prices in one booking, in minor units.',
  ),
  min_minutes: field(
    optionally(integer.min(1).max(MAX_MINUTES)),
    'The minimum length of a booking, in minutes. The rate does not apply to shorter bookings.',
  ),
  notice: field(
    optionally(
      object({
        min_minutes: optionally(integer.min(0).max(1_051_200)).description(
          'The minimum notice, in minutes. The rate does not apply to bookings that are priced with ' +
            'less notice.',
        ),
        max_days: optionally(integer.min(0).max(730)).description(
          'The maximum notice, in days. The rate does not apply to bookings that are priced with ' +
            'more notice.',
        ),
      }),
    ),
    'How long before its start a booking must be priced for the rate to apply.',
  ),
  closed: field(withDefault(boolean, false), 'Whether the room cannot be booked in the window.'),
  always: field(
    withDefault(boolean, false),
    'Whether a flat or day price is charged even if the hours that it replaces cost less.',
  ),
  accounting_account: field(
    optionally(text(50).min(1)),
    'The code of the sales account for its lines in the accounting system. Null for the workspace’s ' +
      '`sales_account`.',
  ),
});

export const rateSent = object(fields.sent, 'name').meta({ component: 'Rate' });

export const roomRates = s.presentedBy(
  presentRates,
  s.shape('RoomRates', {
    version: s.count.description('The version of the list: 0 at first, and higher after every change.'),
    rates: array(s.shape('Rate', fields.read)).description('The rates, in order of precedence.'),
  }),
);

const EVENING = {
  name: 'Evening',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '18:00',
  to: '23:00',
  amount_minor: 4000,
  minimum_minor: 8000,
};
const MORNING = { name: 'Half day', from: '08:00', to: '12:00', unit: 'flat', amount_minor: 7000 };

const REST = {
  days: null,
  dates: null,
  audience: EVERYONE,
  unit: 'hour',
  cap_minor: null,
  day_cap_minor: null,
  minimum_minor: null,
  min_minutes: null,
  notice: null,
  closed: false,
  always: false,
  accounting_account: null,
};

const example = {
  version: 1,
  rates: [
    { id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4c01', ...REST, ...EVENING },
    { id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4c02', ...REST, ...MORNING },
  ],
};

/** The version is also the ETag. */
const withVersion = (rates: ReturnType<typeof presentRates>) => ({
  headers: { ETag: `"${rates.version}"` },
  body: rates,
});

const getRates = operation({
  route: 'GET /v1/rooms/:id/rates',
  summary: 'Get the rates of a room',
  id: 'getRoomRates',
  description:
    'Returns the list of rates and its version, which is also the ETag. Members and billing contacts ' +
    'do not see the rates of companies.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  etag: true,
  responses: { 200: roomRates },
  examples: { response: example },
  async run({ params }, { workspace_id, role }, { db }) {
    const room = await roomIn(db.manager, { workspace_id }, params.id);
    const { rates, rate_version } = room;
    const seesAll = can(role, 'all_bookings');
    const shown = seesAll ? rates : rates.filter(({ audience }) => audience.company_ids === null);
    return presentRates({ rates: shown, rate_version });
  },
  reply: withVersion,
});

export const replaceRates = operation({
  route: 'PUT /v1/rooms/:id/rates',
  summary: 'Replace the rates of a room',
  id: 'replaceRoomRates',
  description:
    'Replaces the whole list and increases its version. Each minute, in the time zone of the room, ' +
    'is priced by the first rate that matches it, or by `price_per_hour` if no rate does. Existing ' +
    'bookings keep the version that priced them, even when they are changed within the same room. ' +
    'With `If-Match`, the list is replaced only if it has that version.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object(
    {
      rates: array(rateSent)
        .max(MAX_RATES)
        .description('The rates, in order of precedence. The first rate that matches a minute prices it.'),
    },
    'rates',
  ).required(),
  versioned: true,
  etag: true,
  responses: { 200: roomRates },
  errors: ['version_conflict'],
  examples: { body: { rates: [EVENING, MORNING] }, response: example },
  run: async ({ params, body: { rates }, version, idempotency }, caller, { db }) =>
    presentRates(await replace(db, caller, { room_id: params.id, version, rates }, idempotency)),
  reply: withVersion,
});

/** Rates of a room (docs/rules/rates.md). */
export const rates: Resource = {
  tag: 'Rooms',
  operations: [getRates, replaceRates],
};
