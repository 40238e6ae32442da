import { exampleTime } from '../resource/examples.js';
import type { Operations } from '../resource/operation.js';
import { report, running } from './responses.js';

export const EXAMPLE_RECONCILIATION_ID = 'rec_01kmy3a8f4e5rvbq2w9s7t6n1d';

export const operations: Operations = {
  'GET /v1/reconciliation': {
    summary: 'Reconcile ledger, processor and accounting',
    id: 'reconcileLedgerProcessorAndBooks',
    description:
      'Compares the ledger with the payment processor and the accounting system for the invoices created in `[from, to)`, a range of at most 92 days. `totals` are payments minus refunds, in the workspace’s currency. One that takes over 25 s is a 202: its `Location` returns the report.',
    responses: { 200: report, 202: running },
    query: { from: exampleTime(-30, 0), to: exampleTime(1, 0) },
  },
  'GET /v1/reconciliations/:id': {
    summary: 'Get a reconciliation',
    description: 'Returns the report of a reconciliation that took longer than its request.',
    responses: { 200: report, 202: running },
  },
};
