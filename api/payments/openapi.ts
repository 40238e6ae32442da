import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';
import { invoice } from '../invoices/responses.js';
import { payment } from './responses.js';

export const paymentOperations: Operations = {
  'GET /v1/payments': {
    summary: 'List payments',
    description: 'And refunds, the newest first. `from` and `to` are about `created_at`.',
    answers: { 200: s.pageOf(payment) },
    query: { kind: 'charge' },
  },
  'GET /v1/payments/:id': { summary: 'Get a payment', answers: { 200: payment } },
  'POST /v1/payments/:id/refund': {
    summary: 'Refund a payment',
    description:
      'All that is left of it, unless `amount_minor` says less. One that the processor is slow about is `pending` and followed until it ends.',
    answers: { 200: s.shape({ refund: payment, payment, invoice: s.orNull(invoice) }) },
    errors: ['amount_exceeds_refundable', 'processor_error'],
    idempotent: true,
    body: { amount_minor: 50, reason: 'requested_by_customer', notify_payer: false },
  },
};
