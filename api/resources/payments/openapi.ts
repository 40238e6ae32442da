import type { PresentedPayment } from '../../../domain/payments/presenter.js';
import { EXAMPLE_INVOICE_ID } from '../invoices/examples.js';
import { invoice } from '../invoices/shape.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import type { EventDescription, EventsOf } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { payment } from './shape.js';

export const EXAMPLE_PAYMENT_ID = 'pay_01kba6xz3fe4r9tq5v8mhc2s1g';
const EXAMPLE_REFUND_ID = 'pay_01kba6xz3fe4r9tq5v8mhc2s1p';

export const operations: Operations = {
  'GET /v1/payments': {
    summary: 'List payments',
    description:
      'Returns payments and refunds by when their money moved, newest first: `settled_at`, which is ' +
      '`paid_at` for a payment that staff have taken, and `created_at` where no money has moved. `from` ' +
      'and `to` filter by that time, `created_from` and `created_to` by `created_at`. A transfer of 20 ' +
      'October that is recorded on 28 November is of October; a program that reads what is new finds it ' +
      'with `created_from`.',
    example: () => examplePage(succeeded),
    responses: { 200: s.pageOf(payment) },
    query: { kind: 'charge' },
  },
  'GET /v1/payments/:id': { summary: 'Get a payment', example: () => succeeded, responses: { 200: payment } },
  'GET /v1/payments/:id.pdf': {
    summary: 'Get a credit note as PDF',
    id: 'getCreditNotePdf',
    description:
      'Returns the credit note of a refund that has succeeded. Requires the right to read its invoice. ' +
      'Other payments have no credit note. Counts as 10 requests against the rate limit.',
    responses: { 200: { mediaType: 'application/pdf' } },
  },
  'POST /v1/payments/:id/refund': {
    summary: 'Refund a payment',
    description:
      'Refunds `amount_minor` to the original payment method, by default everything that has not been ' +
      'refunded yet. If the payment processor does not confirm the refund in time, it is returned as ' +
      '`pending` and updated later.',
    example: () => ({
      refund,
      payment: { ...succeeded, status: 'partially_refunded', refunded_minor: 5000 },
      invoice: null,
    }),
    responses: {
      200: s.shape({
        refund: payment.description('The refund.'),
        payment: payment.description('The refunded payment.'),
        invoice: s.orNull(invoice).description('The invoice of the payment.'),
      }),
    },
    errors: ['amount_exceeds_refundable'],
    idempotent: true,
    body: { amount_minor: 50, reason: 'requested_by_customer', notify_payer: false },
  },
};

const succeeded: PresentedPayment = {
  id: EXAMPLE_PAYMENT_ID,
  invoice_id: EXAMPLE_INVOICE_ID,
  booking_id: null,
  kind: 'charge',
  status: 'succeeded',
  amount_minor: 21750,
  currency: 'GBP',
  method: 'card',
  reference: null,
  processor_payment_intent_id: 'pi_3QhZ2kLkdIwHu7ix0a1b2c3d',
  refunded_minor: 0,
  refunds: [],
  disputed_minor: 0,
  disputes: [],
  refund_of: null,
  origin: null,
  reason: null,
  source: 'connect_webhook',
  paid_at: exampleInstant(3, 10),
  settled_at: exampleInstant(3, 10),
  created_at: exampleInstant(3, 10),
};

const refund: PresentedPayment = {
  ...succeeded,
  id: EXAMPLE_REFUND_ID,
  kind: 'refund',
  amount_minor: 5000,
  refund_of: EXAMPLE_PAYMENT_ID,
  origin: 'service',
  reason: 'requested_by_customer',
  source: null,
  paid_at: null,
  settled_at: exampleInstant(4, 10),
  created_at: exampleInstant(4, 9),
};

const disputed: PresentedPayment = {
  ...succeeded,
  status: 'disputed',
  disputed_minor: 21750,
  disputes: [
    {
      id: 'dp_1QhZ2kLkdIwHu7ixq4e5f6g7',
      status: 'open',
      amount_minor: 21750,
      reason: 'fraudulent',
      evidence: 'none',
      due_by: exampleInstant(12, 10),
      created_at: exampleInstant(5, 10),
    },
  ],
};

const won: PresentedPayment = {
  ...succeeded,
  disputes: [{ ...disputed.disputes[0]!, status: 'won', evidence: 'submitted', due_by: null }],
};

const failed: PresentedPayment = {
  ...succeeded,
  status: 'failed',
  reason: 'insufficient_funds',
  source: null,
  paid_at: null,
  settled_at: null,
};

const example = (object: PresentedPayment): EventDescription => ({ schema: payment, object });

export const events: Record<EventsOf<'payment'>, EventDescription> = {
  'payment.succeeded': example(succeeded),
  'payment.failed': example(failed),
  'payment.action_required': example({ ...failed, reason: 'authentication_required' }),
  'payment.refunded': example(refund),
  'payment.refund_failed': example({ ...refund, status: 'failed' }),
  'payment.disputed': example(disputed),
  'payment.dispute_closed': example(won),
};
