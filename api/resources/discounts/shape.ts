import { CODE_PATTERN, MAX_USES } from '../../../domain/discounts.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { presentDiscount } from '../../../domain/presenters/discount.js';
import { pageFields } from '../../http/cursor.js';
import { timestamp, uuid } from '../../http/fields.js';
import {
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  string,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { audienceSent } from '../rates/audience.js';
import { field, sidesOf } from '../shared/field.js';
import * as s from '../shared/shapes.js';

/** A code as people enter it. */
export const code = string.pattern(CODE_PATTERN, 'code').messages({
  'string.pattern.name':
    '{{#label}} must be 2 to 40 letters, digits, hyphens and underscores, and begin with a letter or digit',
});

const { sent, read } = sidesOf({
  rooms: field(
    nullable(array(uuid).unique().min(1).max(500)),
    'The rooms whose bookings it is for. Null for all.',
  ),
  audience: field(audienceSent, 'Whose bookings it is for.'),
  valid_from: field(nullable(timestamp), 'When it can first be used. Null for any time.', {
    read: s.nullableInstant,
  }),
  valid_until: field(
    nullable(timestamp),
    'When it can no longer be used: what counts is when the booking is made. Null for no end.',
    { read: s.nullableInstant },
  ),
  max_uses: field(
    nullable(integer.min(1).max(MAX_USES)),
    'How many bookings can use it. Null for any number.',
  ),
  max_uses_per_payer: field(
    nullable(integer.min(1).max(MAX_USES)),
    'How many bookings of a member, or of a guest by their email address, can use it. Null for any number.',
  ),
  archived: field(boolean, 'Whether it is archived: no further booking can use it.'),
});

/** What a code is and takes off, which stays. */
const worth = sidesOf({
  code: field(code, 'The code. It is entered in any letter case.', { read: s.anyText }),
  percent: field(
    number.greater(0).max(100).precision(2),
    'What it takes off the net of a booking, in percent.',
    { read: s.orNull(number) },
  ),
  amount_minor: field(
    integer.min(1).max(MAX_AMOUNT_MINOR),
    'The amount without tax that it takes off, in minor units of `currency`.',
    {
      sent: 'The amount without tax that it takes off, in minor units of the currency of the workspace. Send this or `percent`.',
      read: s.orNull(s.minor),
    },
  ),
});

/** A discount code in responses. */
export const discount = s.presentedBy(
  presentDiscount,
  s.shape({
    id: s.anyUuid.description('The id of the discount code.'),
    ...worth.read,
    currency: s
      .orNull(s.currencyCode)
      .description(
        'The currency of `amount_minor`: that of the workspace when it was created. Null for a percentage.',
      ),
    ...read,
    used: s.count.description('How many bookings have used it, those that are held included.'),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

const EVERYONE = { kind: 'everyone' as const, tiers: null, company_ids: null };

/** What a code has unless its create says otherwise. */
export const DEFAULTS = {
  percent: null,
  amount_minor: null,
  room_ids: null,
  audience: EVERYONE,
  valid_from: null,
  valid_until: null,
  max_uses: null,
  max_uses_per_payer: null,
  archived: false,
};

export const EXAMPLE_DISCOUNT_ID = '019a3c5e-a1b3-7d52-9f40-3c8e61d7b5a4';

/** An example of a discount code, in the document. */
export const spring = {
  id: EXAMPLE_DISCOUNT_ID,
  code: 'SPRING-10',
  percent: 10,
  amount_minor: null,
  currency: null,
  rooms: null,
  audience: EVERYONE,
  valid_from: '2027-03-01T00:00:00.000Z',
  valid_until: '2027-06-01T00:00:00.000Z',
  max_uses: 200,
  max_uses_per_payer: 1,
  used: 0,
  archived: false,
  created_at: '2027-01-04T09:00:00.000Z',
  updated_at: '2027-01-04T09:00:00.000Z',
};

/** Body of `POST /v1/discounts`; the handler applies the defaults. */
export const createSchema = object({ ...worth.sent, ...sent }, 'code')
  .xor('percent', 'amount_minor')
  .required();
export type CreateBody = Infer<typeof createSchema>;

/** Body of `PATCH /v1/discounts/{id}`. */
export const updateSchema = object(sent).min(1).required();
export type UpdateBody = Infer<typeof updateSchema>;

/** Query of `GET /v1/discounts`. */
export const listSchema = object({
  include_archived: withDefault(boolean.description('Whether to include archived codes.'), false),
  ...pageFields,
});
