import { exampleInstant, exampleTime } from '../shared/examples.js';
import { EXAMPLE_INVOICE_ID } from '../invoices/examples.js';
import type { Operations } from '../shared/operation.js';
import { report, running } from './shape.js';

export const EXAMPLE_RECONCILIATION_ID = 'rec_01kmy3a8f4e5rvbq2w9s7t6n1d';

const agreed = {
  from: exampleInstant(-30, 0),
  to: exampleInstant(1, 0),
  invoices_examined: 128,
  totals: { ledger: 2_175_000, processor: 2_175_000, accounting: 2_169_000 },
  other_currencies: {},
  differences: [
    {
      invoice_id: EXAMPLE_INVOICE_ID,
      kind: 'accounting_missing',
      ledger_minor: 6000,
      processor_minor: 6000,
      accounting_minor: null,
      message: 'The accounting system has no payment of this invoice.',
    },
  ],
};

export const operations: Operations = {
  'GET /v1/reconciliation': {
    summary: 'Reconcile ledger, processor and accounting',
    id: 'reconcile',
    description:
      'Compares the ledger with the payment processor and the accounting system for the invoices that were ' +
      'created in `[from, to)`, or whose money moved then, a range of at most 92 days. Charges and refunds ' +
      'of this service that the ledger does not have are settled first. `totals` are what moved in the ' +
      'range: payments minus refunds that have ended and what banks have taken, in the workspace’s ' +
      'currency, so that the totals of two ranges that follow each other add up. A reconciliation that ' +
      'takes longer than 25 seconds returns 202, with the path of its report in `Location`.',
    example: () => agreed,
    responses: { 200: report, 202: running },
    query: { from: exampleTime(-30, 0), to: exampleTime(1, 0) },
  },
  'GET /v1/reconciliations/:id': {
    summary: 'Get a reconciliation',
    description: 'Returns the report of a reconciliation that took longer than its request.',
    example: () => agreed,
    responses: { 200: report, 202: running },
  },
};
