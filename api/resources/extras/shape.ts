import { EXTRA_UNITS, MAX_QUANTITY } from '../../../domain/extras.js';
import { presentExtra } from '../../../domain/presenters/extra.js';
import { pageFields } from '../../http/cursor.js';
import { text, uuid } from '../../http/fields.js';
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
import { field, sidesOf } from '../shared/field.js';
import { name } from '../shared/name.js';
import { refundSteps } from '../shared/refund-steps.js';
import * as s from '../shared/shapes.js';
import { priceSent } from '../shared/unit-price.js';

const { sent, read } = sidesOf({
  name: field(name, 'The name of the extra, which is on invoices.'),
  unit: field(
    oneOf(EXTRA_UNITS),
    'What its price is for: a booking, an hour of each, an attendee, or a piece.',
    {
      sent: 'What its price is for: a booking, an hour of each, an attendee, or a piece. Defaults to `piece`.',
    },
  ),
  price: field(priceSent, 'The price of one unit, without tax.', { read: s.money }),
  tax_code: field(text(50).min(1), 'One of the tax codes of the workspace.'),
  rooms: field(
    nullable(array(uuid).unique().min(1).max(500)),
    'The rooms that it can be booked with. Null for all.',
  ),
  stock: field(
    nullable(integer.min(0).max(MAX_QUANTITY)),
    'How many there are: bookings at the same time have at most as many together. Null for any number.',
  ),
  cutoff_hours: field(
    integer.min(0).max(10_000),
    'How many hours before the start of a booking it can last be added. 0 for as long as the booking can be made or changed.',
  ),
  refund_steps: field(
    nullable(refundSteps),
    'How much a cancellation refunds of it, by the time left until the start. Null for the steps of the room.',
  ),
  internal: field(boolean, 'Whether only staff book it. Others do not see it in lists.'),
  archived: field(boolean, 'Whether it is archived: it cannot be added to bookings.'),
  accounting_account: field(
    nullable(text(50).min(1)),
    'The account of its lines in the accounting system. Null for that of the workspace.',
  ),
});

/** An extra in responses. */
export const extra = s.presentedBy(
  presentExtra,
  s.shape({
    id: s.anyUuid.description('The id of the extra.'),
    ...read,
    created_at: s.instant,
    updated_at: s.instant,
  }),
);

/** What an extra has unless its create says otherwise. */
export const DEFAULTS = {
  unit: 'piece',
  tax_code: 'STANDARD',
  room_ids: null,
  stock: null,
  cutoff_hours: 0,
  refund_steps: null,
  internal: false,
  archived: false,
  accounting_account: null,
} as const;

export const EXAMPLE_EXTRA_ID = '019a3c5e-8f44-7a21-b6d0-7c15e2a4930b';

/** An example of an extra, in the document. */
export const lunch = {
  id: EXAMPLE_EXTRA_ID,
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
  created_at: '2027-01-04T09:00:00.000Z',
  updated_at: '2027-01-04T09:00:00.000Z',
};

/** Body of `POST /v1/extras`; the handler applies the defaults. */
export const createSchema = object(sent, 'name', 'price').required();
export type CreateBody = Infer<typeof createSchema>;

/** Body of `PATCH /v1/extras/{id}`. */
export const updateSchema = object(sent).min(1).required();
export type UpdateBody = Infer<typeof updateSchema>;

/** Query of `GET /v1/extras`. */
export const listSchema = object({
  room_id: uuid.description('Returns only extras that can be booked with this room.'),
  include_archived: withDefault(boolean.description('Whether to include archived extras.'), false),
  ...pageFields,
});
