import { MAX_DOCUMENTS } from '../../http/concurrency.js';
import { paymentIn } from '../../../commands/payments/payments.js';
import { refundFile } from '../../../commands/invoices/pdf/files.js';
import { refundPayment as refund } from '../../../commands/payments/request-refund.js';
import { REFUND_REASONS } from '../../../commands/payments/refunds.js';
import { isId } from '../../../db/ids.js';
import { findInvoice } from '../../../db/queries/invoices/invoice.js';
import { findPayment, listPayments as find, type PaymentRow } from '../../../db/queries/payments/payment.js';
import type { Tx } from '../../../db/transaction.js';
import { PDF_COST } from '../../../domain/api-keys/limits.js';
import { visibleTo } from '../../../domain/invoices/visibility.js';
import { PAYMENT_KINDS, presentPayment } from '../../../domain/payments/presenter.js';
import { noSuchPayment } from '../../../domain/payments/refund.js';
import { PAYMENT_STATUSES } from '../../../domain/states.js';
import { pageFields } from '../../http/cursor.js';
import { stillStored } from '../../http/errors.js';
import { rangeEnd, rangeEndField, text, timestamp } from '../../http/fields.js';
import { pdfReply } from '../../http/files.js';
import { listPage } from '../../http/list.js';
import { operation } from '../../http/operation.js';
import { boolean, integer, object, oneOf, withDefault } from '../../http/typed.js';
import { invoice, presentWithLink } from '../invoices/invoice.js';
import { examplePage } from '../shared/examples.js';
import type { EventTypesFor, Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { events, EXAMPLE_PAYMENT_ID, payment, refunded, succeeded } from './payment.js';
import { awaitRefunds, startRefund } from './run-refunds.js';

export const isPaymentId = (id: string): boolean => isId('pay', id);

/** A payment or refund that a request has stored. Errors: those of `stillStored`. */
export const storedPayment = async (tx: Tx, workspaceId: string, id: string): Promise<PaymentRow> =>
  stillStored(await findPayment(tx, workspaceId, id));

export const listPayments = operation({
  route: 'GET /v1/payments',
  summary: 'List payments',
  description:
    'Returns payments and refunds, newest first, by the time at which their money moved: ' +
    '`settled_at`, or `created_at` if no money has moved. For a payment that staff recorded, ' +
    '`settled_at` is `paid_at`. `from` and `to` filter by this time, `created_from` and `created_to` ' +
    'by `created_at`. For example, a transfer received on 20 October and recorded on 28 November is ' +
    'listed under 20 October. To find newly recorded payments, use `created_from`: with `created_from` or ' +
    '`created_to`, payments are ordered by `created_at`, which never changes.',
  scope: 'billing:read',
  capability: 'read_billing',
  query: object({
    from: timestamp.description('Returns only payments whose money moved at or after this time.'),
    to: rangeEnd.description('Returns only payments whose money moved before this time.'),
    created_from: timestamp.description(
      'Returns only payments that were recorded at or after this time. Use it to find newly recorded ' +
        'payments.',
    ),
    created_to: rangeEndField('created_from').description(
      'Returns only payments that were recorded before this time.',
    ),
    invoice_id: text(64).description('Returns only payments of this invoice.'),
    booking_id: text(64).description('Returns only payments of this booking.'),
    status: oneOf(PAYMENT_STATUSES).description('Returns only payments with this status.'),
    kind: oneOf(PAYMENT_KINDS).description('Returns only payments of this kind.'),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(payment) },
  examples: { query: { kind: 'charge' }, response: examplePage(succeeded) },
  run: ({ query: { limit, cursor, ...filter } }, { workspace_id }, { db }) =>
    listPage(
      { limit, cursor },
      {
        by: 'listed_at',
        list: { name: 'payments', isId: isPaymentId },
        find: (page) => find(db.manager, { ...filter, workspace_id, ...page }),
        present: (row) => presentPayment(row),
      },
    ),
});

const getPayment = operation({
  route: 'GET /v1/payments/:id',
  summary: 'Get a payment',
  scope: 'billing:read',
  capability: 'read_billing',
  responses: { 200: payment },
  examples: { response: succeeded },
  run: async ({ params }, { workspace_id }, { db }) =>
    presentPayment(await paymentIn(db.manager, workspace_id, params.id)),
});

const getCreditNotePdf = operation({
  route: 'GET /v1/payments/:id.pdf',
  summary: 'Get a credit note as PDF',
  id: 'getCreditNotePdf',
  description:
    'Returns the credit note of a refund that has succeeded. Requires the right to read its invoice. ' +
    'Other payments have no credit note. Counts as 10 requests against the rate limit.',
  scope: 'billing:read',
  capability: 'read_own_invoices',
  cost: PDF_COST,
  concurrent: MAX_DOCUMENTS,
  responses: { 200: { mediaType: 'application/pdf' } },
  async run({ params: { id } }, caller, { db: { manager } }) {
    const { workspace_id } = caller;
    const refund = isPaymentId(id) ? await findPayment(manager, workspace_id, id) : null;
    const invoice = refund?.invoice_id
      ? await findInvoice(manager, workspace_id, refund.invoice_id, visibleTo(caller))
      : null;
    const file = invoice && (await refundFile(manager, invoice, id));
    if (!file) throw noSuchPayment('No such refund, or it has not succeeded.');
    return file;
  },
  reply: pdfReply,
});

export const refundPayment = operation({
  route: 'POST /v1/payments/:id/refund',
  summary: 'Refund a payment',
  description:
    'Refunds `amount_minor` to the original payment method, by default everything that has not been ' +
    'refunded yet. If the payment processor does not confirm the refund in time, it is returned as ' +
    '`pending` and updated later.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: object({
    amount_minor: integer
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .description(
        'The amount to refund, in minor units. Defaults to the amount that has not been refunded yet.',
      ),
    reason: withDefault(
      oneOf(REFUND_REASONS).description('The reason for the refund, as recorded by the payment processor.'),
      'requested_by_customer',
    ),
    notify_payer: withDefault(boolean.description('Whether to email the payer about the refund.'), true),
  }).required(),
  idempotent: true,
  responses: {
    200: s.shape({
      refund: payment.description('The refund.'),
      payment: payment.description('The refunded payment.'),
      invoice: s.orNull(invoice).description('The invoice of the payment.'),
    }),
  },
  errors: ['amount_exceeds_refundable'],
  examples: {
    body: { amount_minor: 50, reason: 'requested_by_customer', notify_payer: false },
    response: {
      refund: refunded,
      payment: { ...succeeded, status: 'partially_refunded', refunded_minor: 5000 },
      invoice: null,
    },
  },
  async run({ params, body, idempotency }, caller, deps) {
    const { manager } = deps.db;
    const { workspace_id } = caller;
    const refundId = await refund(deps.db, caller, params.id, body, idempotency);
    const stored = await storedPayment(manager, workspace_id, refundId);
    if (stored.account_id && stored.status === 'pending') {
      await startRefund(deps, refundId, workspace_id);
      await awaitRefunds(deps, [refundId]);
    }
    const { invoice_id } = stored;
    const invoice = invoice_id ? await findInvoice(manager, workspace_id, invoice_id) : null;
    return {
      refund: presentPayment(await storedPayment(manager, workspace_id, refundId)),
      payment: presentPayment(await paymentIn(manager, workspace_id, params.id)),
      invoice: invoice && presentWithLink(deps, caller, invoice),
    };
  },
});

/** Payments and their refunds (docs/rules/billing.md#payments). */
export const payments: Resource<EventTypesFor<'payment'>> = {
  tag: 'Payments',
  operations: [listPayments, getPayment, getCreditNotePdf, refundPayment],
  ids: { payments: { name: 'payment', example: EXAMPLE_PAYMENT_ID, notFound: 'payment_not_found' } },
  events,
};
