import { changeExtra as change, createExtra as create } from '../../../commands/extras/extras.js';
import { isUuid } from '../../../db/ids.js';
import { findExtra, listExtras as find } from '../../../db/queries/extras/extra.js';
import { EXTRA_UNITS, MAX_QUANTITY, noSuchExtra } from '../../../domain/extras/extras.js';
import { can, type Principal } from '../../../domain/policies.js';
import { presentExtra } from '../../../domain/extras/presenter.js';
import { pageFields } from '../../http/cursor.js';
import { text, uuid } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, operation } from '../../http/operation.js';
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { metadata, metadataFilter } from '../shared/metadata.js';
import { name } from '../shared/name.js';
import { refundSteps } from '../shared/refund-steps.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { priceSent } from '../shared/unit-price.js';

const fields = splitSides({
  name: field(name, 'The name of the extra, as shown on invoices.'),
  unit: field(oneOf(EXTRA_UNITS), 'What the price applies to: each booking, hour, attendee or piece.', {
    sent: 'What the price applies to: each booking, hour, attendee or piece. Defaults to `piece`.',
  }),
  price: field(priceSent, 'The price of one unit, without tax.', { read: s.money }),
  tax_code: field(text(50).min(1), 'One of the tax codes of the workspace.'),
  rooms: field(
    nullable(array(uuid).unique().min(1).max(500)),
    'The rooms that the extra can be booked with. Null for all rooms.',
  ),
  stock: field(
    nullable(integer.min(0).max(MAX_QUANTITY)),
    'How many are available. Bookings at the same time can have at most this quantity in total. Null ' +
      'for no limit.',
  ),
  cutoff_hours: field(
    integer.min(0).max(10_000),
    'How many hours before the start of a booking the extra can no longer be added. 0 if it can be ' +
      'added as long as the booking can be created or changed.',
  ),
  refund_steps: field(
    nullable(refundSteps),
    'How much of the extra’s price a cancellation refunds, depending on the time left until the ' +
      'start. Null for the `refund_steps` of the room.',
  ),
  internal: field(boolean, 'Whether only staff can book the extra. Other callers do not see it in lists.'),
  archived: field(boolean, 'Whether the extra is archived. An archived extra cannot be added to bookings.'),
  accounting_account: field(
    nullable(text(50).min(1)),
    'The code of the sales account for its lines in the accounting system. Null for the workspace’s ' +
      '`sales_account`.',
  ),
  metadata,
});

export const extra = s.presentedBy(
  presentExtra,
  s.shape('Extra', {
    id: s.anyUuid.description('The id of the extra.'),
    ...fields.read,
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

export type Extra = Infer<typeof extra>;

export const lunch = {
  id: '019a3c5e-8f44-7a21-b6d0-7c15e2a4930b',
  name: 'Lunch',
  unit: 'attendee',
  price: { currency: 'GBP', amount_minor: 1_800 },
  tax_code: 'STANDARD',
  rooms: null,
  stock: 60,
  cutoff_hours: 48,
  refund_steps: [{ hours_before: 48, percent: 100 }],
  internal: false,
  archived: false,
  accounting_account: '220',
  metadata: { supplier: 'orchard-catering' },
  created_at: exampleInstant(0, 9),
  updated_at: exampleInstant(0, 9),
};

const { id: _, created_at: _created, updated_at: _updated, ...sent } = lunch;

/** Whether a caller sees internal extras. */
const seesInternal = ({ role }: Pick<Principal, 'role'>): boolean => can(role, 'all_bookings');

export const listExtras = operation({
  route: 'GET /v1/extras',
  summary: 'List extras',
  description:
    'Returns extras by creation time, oldest first. Members and billing contacts do not see internal ' +
    'extras.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  query: object({
    room_id: uuid.description('Returns only extras that can be booked with this room.'),
    include_archived: withDefault(boolean.description('Whether to include archived extras.'), false),
    metadata: metadataFilter('extras'),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(extra) },
  examples: { response: examplePage(lunch) },
  run: ({ query: { cursor, limit, ...filter } }, caller, { db }) =>
    listPage(
      { cursor, limit },
      {
        by: 'created_at',
        list: { name: 'extras', isId: isUuid },
        find: (page) =>
          find(db.manager, {
            ...filter,
            workspace_id: caller.workspace_id,
            only_public: !seesInternal(caller),
            ...page,
          }),
        present: presentExtra,
      },
    ),
});

export const createExtra = operation({
  route: 'POST /v1/extras',
  summary: 'Create an extra',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object(fields.sent, 'name', 'price').required(),
  idempotent: true,
  responses: { 200: extra, 201: extra },
  errors: ['limit_reached'],
  examples: { body: sent, response: lunch },
  run: ({ body, idempotency }, caller, { db, quotas }) => create(db, quotas, caller, body, idempotency),
  reply: created,
});

export const getExtra = operation({
  route: 'GET /v1/extras/:id',
  summary: 'Get an extra',
  scope: 'calendar:read',
  capability: 'own_bookings',
  responses: { 200: extra },
  examples: { response: lunch },
  async run({ params }, caller, { db }) {
    const found = await findExtra(db.manager, caller.workspace_id, params.id);
    if (!found || (found.internal && !seesInternal(caller))) throw noSuchExtra();
    return presentExtra(found);
  },
});

export const changeExtra = operation({
  route: 'PATCH /v1/extras/:id',
  summary: 'Update an extra',
  description: 'Existing bookings keep the terms that the extra had when they were made.',
  scope: 'calendar:write',
  capability: 'write_rooms',
  body: object(fields.sent).min(1).required(),
  idempotent: getExtra.run,
  responses: { 200: extra },
  examples: { body: { stock: 80 }, response: { ...lunch, stock: 80 } },
  run: ({ params, body }, caller, { db }) => change(db, caller, params.id, body),
});

/** Extras (docs/rules/extras.md). */
export const extras: Resource = {
  tag: 'Extras',
  operations: [listExtras, createExtra, getExtra, changeExtra],
  ids: { extras: { name: 'extra', example: lunch.id, notFound: 'not_found' } },
};
