import { findPayout, listPayoutEntries, listPayouts as find } from '../../../db/queries/reports/payouts.js';
import { ApiError } from '../../../domain/errors.js';
import {
  PAYOUT_ENTRY_KINDS,
  PAYOUT_STATUSES,
  presentPayout,
  presentPayoutEntry,
} from '../../../domain/reports/payouts.js';
import { pageFields } from '../../http/cursor.js';
import { rangeEnd, timestamp } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { operation } from '../../http/operation.js';
import { array, boolean, nullable, object, oneOf, string } from '../../http/typed.js';
import { EXAMPLE_INVOICE_ID } from '../invoices/invoice.js';
import { EXAMPLE_PAYMENT_ID } from '../payments/payment.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import * as s from '../shared/shapes.js';

const PAYOUT_ID = /^po_\w{1,60}$/;
const ENTRY_ID = /^txn_\w{1,60}$/;
/** The processor's ids. */
export const isPayoutId = (id: string): boolean => PAYOUT_ID.test(id);
export const isPayoutEntryId = (id: string): boolean => ENTRY_ID.test(id);

const kind = oneOf(PAYOUT_ENTRY_KINDS).description(
  'What it is about. `fee` is a fee of its own, such as for a dispute; `other` includes the money of a ' +
    'payout that failed.',
);
const amounts = {
  gross_minor: s.minor.description('What moved, in minor units. Negative if it left the account.'),
  fee_minor: s.minor.description('The fee of the payment processor, in minor units.'),
  net_minor: s.minor.description('`gross_minor` minus `fee_minor`.'),
};

export const payout = s.presentedBy(
  presentPayout,
  s.shape('Payout', {
    id: string.pattern(PAYOUT_ID).description('The id at the payment processor.'),
    status: oneOf(PAYOUT_STATUSES).description('The status at the payment processor.'),
    automatic: boolean.description(
      'False if the payout was requested at the payment processor, which does not say what is in it.',
    ),
    currency: s.currencyCode.description('The ISO 4217 code of the currency.'),
    amount_minor: s.minor.description('What the bank receives, in minor units. Negative if it is debited.'),
    arrives_on: s.day.description('The day on which the bank receives it.'),
    failure_code: s.nullableText.description('Why it failed, as a code of the payment processor.'),
    contents_known: boolean.description(
      'Whether it is known what is in the payout. If not, the sums and `contents` are zero and empty.',
    ),
    gross_minor: amounts.gross_minor,
    fee_minor: amounts.fee_minor,
    contents: array(
      s.shape('PayoutContents', {
        kind,
        count: s.count.description('The number of entries.'),
        ...amounts,
      }),
    ).description('What is in the payout, by kind. The sum of `net_minor` is the amount of the payout.'),
    created_at: s.instant,
  }),
);

export const payoutEntry = s.presentedBy(
  presentPayoutEntry,
  s.shape('PayoutEntry', {
    id: string.pattern(ENTRY_ID).description('The id of the balance transaction at the payment processor.'),
    kind,
    ...amounts,
    payment_id: nullable(s.prefixedId('pay')).description('The payment or refund.'),
    invoice_id: nullable(s.prefixedId('inv')).description('The invoice of the payment.'),
    invoice_number: s.nullableText.description('The number of the invoice on documents.'),
    booking_id: nullable(s.prefixedId('bk')).description('The booking of the invoice.'),
    booking_reference: s.nullableText.description('The reference of the booking.'),
    created_at: s.instant,
  }),
);

const sums = { gross_minor: 12_000, fee_minor: 220, net_minor: 11_780 };
export const EXAMPLE_PAYOUT_ID = 'po_1PkT4fLkdIwHu7ixR3aBcDeF';
const example = {
  id: EXAMPLE_PAYOUT_ID,
  status: 'paid',
  automatic: true,
  currency: 'GBP',
  amount_minor: 11_780,
  arrives_on: exampleInstant(2, 0).slice(0, 10),
  failure_code: null,
  contents_known: true,
  gross_minor: 12_000,
  fee_minor: 220,
  contents: [{ kind: 'payment', count: 2, ...sums }],
  created_at: exampleInstant(0, 1),
};

export const listPayouts = operation({
  route: 'GET /v1/reports/payouts',
  summary: 'List payouts',
  description:
    'Returns the payouts of the payment processor to the bank, newest first, with the fees and what is in ' +
    'them. They are read from the payment processor every six hours.',
  scope: 'billing:read',
  capability: 'read_billing',
  query: object({
    from: timestamp.description('Returns only payouts that were created at or after this time.'),
    to: rangeEnd.description('Returns only payouts that were created before this time.'),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(payout) },
  examples: { response: examplePage(example) },
  run: ({ query: { limit, cursor, ...filter } }, { workspace_id }, { db }) =>
    listPage(
      { limit, cursor },
      {
        by: 'created_at',
        list: { name: 'payouts', isId: isPayoutId },
        find: (page) => find(db.manager, { ...filter, workspace_id, ...page }),
        present: presentPayout,
      },
    ),
});

/** Errors: 404 `not_found` if the workspace has no such payout. */
const noSuchPayout = (): ApiError => new ApiError('not_found', 'No such payout.');

export const getPayout = operation({
  route: 'GET /v1/reports/payouts/:id',
  summary: 'Get a payout',
  scope: 'billing:read',
  capability: 'read_billing',
  responses: { 200: payout },
  examples: { response: example },
  async run({ params }, { workspace_id }, { db: { manager } }) {
    const found = isPayoutId(params.id) && (await findPayout(manager, workspace_id, params.id));
    if (!found) throw noSuchPayout();
    return presentPayout(found);
  },
});

export const listEntries = operation({
  route: 'GET /v1/reports/payouts/:id/entries',
  summary: 'List the entries of a payout',
  id: 'listPayoutEntries',
  description:
    'Returns what is in a payout, newest first: payments, refunds, disputes and fees, with the payment, ' +
    'invoice and booking of each. The ids are null for business on the account that is not of this service.',
  scope: 'billing:read',
  capability: 'read_billing',
  query: object(pageFields),
  responses: { 200: s.pageSchema(payoutEntry) },
  examples: {
    response: examplePage({
      id: 'txn_1PkT4fLkdIwHu7ixQ2gHiJkL',
      kind: 'payment',
      gross_minor: 6_000,
      fee_minor: 110,
      net_minor: 5_890,
      payment_id: EXAMPLE_PAYMENT_ID,
      invoice_id: EXAMPLE_INVOICE_ID,
      invoice_number: 'HH-35',
      booking_id: 'bk_01kba6xz3fe4r9tq5v8mhc2s1g',
      booking_reference: 'K7WQ2M',
      created_at: exampleInstant(-2, 10),
    }),
  },
  async run({ params: { id }, query }, { workspace_id }, { db: { manager } }) {
    if (!isPayoutId(id) || !(await findPayout(manager, workspace_id, id))) throw noSuchPayout();
    return listPage(query, {
      by: 'created_at',
      list: { name: `payout ${id}`.slice(0, 64), isId: isPayoutEntryId },
      find: (page) => listPayoutEntries(manager, { workspace_id, payout_id: id, ...page }),
      present: presentPayoutEntry,
    });
  },
});
