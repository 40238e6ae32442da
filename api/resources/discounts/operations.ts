import { changeDiscount as change, createDiscount as create } from '../../../commands/discounts/discounts.js';
import { isUuid } from '../../../db/ids.js';
import { findDiscount, listDiscounts as find } from '../../../db/queries/discounts/discount.js';
import { CODE_PATTERN, MAX_USES, noSuchDiscount } from '../../../domain/discounts/code.js';
import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { presentDiscount } from '../../../domain/discounts/presenter.js';
import { EVERYONE } from '../../../domain/rates/rates.js';
import { pageFields } from '../../http/cursor.js';
import { timestamp, uuid } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, operation } from '../../http/operation.js';
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
import { exampleInstant, examplePage } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

/** A code as people enter it. */
export const code = string.pattern(CODE_PATTERN, 'code').messages({
  'string.pattern.name':
    '{{#label}} must have 2 to 40 letters, digits, hyphens or underscores, and begin with a letter ' +
    'or digit',
});

/** Who can use a code, where, when and how often. */
const terms = splitSides({
  rooms: field(
    nullable(array(uuid).unique().min(1).max(500)),
    'The rooms that the code is valid for. Null for all rooms.',
  ),
  audience: field(audienceSent, 'Which bookers can use the code.'),
  valid_from: field(nullable(timestamp), 'The time from which the code can be used. Null for no start.', {
    read: s.nullableInstant,
  }),
  valid_until: field(
    nullable(timestamp),
    'The time from which the code can no longer be used. The time at which the booking is made ' +
      'counts. Null for no end.',
    { read: s.nullableInstant },
  ),
  max_uses: field(
    nullable(integer.min(1).max(MAX_USES)),
    'How many bookings can use the code. Null for no limit.',
  ),
  max_uses_per_payer: field(
    nullable(integer.min(1).max(MAX_USES)),
    'How many bookings of one member, or of one guest email address, can use the code. Null for no ' +
      'limit.',
  ),
  archived: field(boolean, 'Whether the code is archived. New bookings cannot use an archived code.'),
});

/** The code and its discount, which cannot be changed. */
const amountOff = splitSides({
  code: field(code, 'The code. Letter case is ignored when the code is used.', { read: s.anyText }),
  percent: field(
    number.greater(0).max(100).precision(2),
    'The percentage that the code takes off the price of a booking without tax.',
    { read: s.orNull(number) },
  ),
  amount_minor: field(
    integer.min(1).max(MAX_AMOUNT_MINOR),
    'The amount that the code takes off the price without tax, in minor units of `currency`.',
    {
      sent:
        'The amount that the code takes off the price without tax, in minor units of the workspace’s ' +
        'currency. Send either this or `percent`.',
      read: s.orNull(s.minor),
    },
  ),
});

export const discount = s.presentedBy(
  presentDiscount,
  s.shape('Discount', {
    id: s.anyUuid.description('The id of the discount code.'),
    ...amountOff.read,
    currency: s
      .orNull(s.currencyCode)
      .description(
        'The currency of `amount_minor`: the currency of the workspace when the code was created. ' +
          'Null for a percentage.',
      ),
    ...terms.read,
    used: s.count.description('How many bookings have used the code, including bookings that are held.'),
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

export type Discount = Infer<typeof discount>;

const spring = {
  id: '019a3c5e-a1b3-7d52-9f40-3c8e61d7b5a4',
  code: 'SPRING-10',
  percent: 10,
  amount_minor: null,
  currency: null,
  rooms: null,
  audience: EVERYONE,
  valid_from: exampleInstant(60, 0),
  valid_until: exampleInstant(150, 0),
  max_uses: 200,
  max_uses_per_payer: 1,
  used: 0,
  archived: false,
  created_at: exampleInstant(0, 9),
  updated_at: exampleInstant(0, 9),
};

const { code: exampleCode, percent, valid_from, valid_until, max_uses, max_uses_per_payer } = spring;
const sent = { code: exampleCode, percent, valid_from, valid_until, max_uses, max_uses_per_payer };

export const listDiscounts = operation({
  route: 'GET /v1/discounts',
  summary: 'List discount codes',
  id: 'listDiscounts',
  description: 'Returns discount codes by creation time, oldest first. Only admins and owners can list them.',
  scope: 'calendar:read',
  capability: 'write_rooms',
  query: object({
    include_archived: withDefault(boolean.description('Whether to include archived codes.'), false),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(discount) },
  examples: { response: examplePage(spring) },
  run: ({ query: { include_archived, ...position } }, { workspace_id }, { db }) =>
    listPage(position, {
      by: 'created_at',
      list: { name: 'discounts', isId: isUuid },
      find: (page) => find(db.manager, { workspace_id, include_archived, ...page }),
      present: presentDiscount,
    }),
});

export const createDiscount = operation({
  route: 'POST /v1/discounts',
  summary: 'Create a discount code',
  id: 'createDiscount',
  description:
    'The code and its percentage or amount cannot be changed later: archive it and create another ' +
    'code instead. The owner receives an email when a 100% code is created.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object({ ...amountOff.sent, ...terms.sent }, 'code')
    .xor('percent', 'amount_minor')
    .required(),
  idempotent: true,
  responses: { 200: discount, 201: discount },
  errors: ['limit_reached'],
  examples: { body: sent, response: spring },
  run: ({ body, idempotency }, caller, { db, quotas }) => create(db, quotas, caller, body, idempotency),
  reply: created,
});

export const getDiscount = operation({
  route: 'GET /v1/discounts/:id',
  summary: 'Get a discount code',
  id: 'getDiscount',
  scope: 'calendar:read',
  capability: 'write_rooms',
  responses: { 200: discount },
  examples: { response: spring },
  async run({ params }, { workspace_id }, { db }) {
    const found = await findDiscount(db.manager, workspace_id, params.id);
    if (!found) throw noSuchDiscount();
    return presentDiscount(found);
  },
});

export const changeDiscount = operation({
  route: 'PATCH /v1/discounts/:id',
  summary: 'Update a discount code',
  id: 'updateDiscount',
  description:
    'Bookings that have used the code keep their discount. The owner receives an email if the change ' +
    'makes a 100% code usable.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object(terms.sent).min(1).required(),
  idempotent: getDiscount.run,
  responses: { 200: discount },
  examples: { body: { max_uses: 300 }, response: { ...spring, max_uses: 300 } },
  run: ({ params, body }, caller, { db }) => change(db, caller, params.id, body),
});

/**
 * Discount codes (docs/rules/discounts.md). Anyone who knows a code can use it, so only admins can list
 * codes.
 */
export const discounts: Resource = {
  tag: 'Discounts',
  operations: [listDiscounts, createDiscount, getDiscount, changeDiscount],
  ids: {
    discounts: {
      name: 'discount',
      description: 'The id of the discount code.',
      example: spring.id,
      notFound: 'not_found',
    },
  },
};
