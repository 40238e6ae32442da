import { exampleTime } from '../resource/examples.js';
import type { Operations } from '../resource/operation.js';
import { report, running } from './responses.js';

export const EXAMPLE_ID = 'rec_01kba6xz3fe4r9tq5v8mhc2s1n';

export const operations: Operations = {
  'GET /v1/reconciliation': {
    summary: 'Reconcile ledger, processor and accounting',
    id: 'reconcileLedgerProcessorAndBooks',
    description:
      'Compares the ledger with the payment processor and the accounting system for the invoices created in `[from, to)`, a range of at most 92 days. `totals` are payments minus refunds, in the workspace’s currency. If it takes longer than 25 s, the response is 202: `Location` has the address of the report, and `Retry-After` says when to ask for it.',
    responses: { 200: report, 202: running },
    query: { from: exampleTime(-30, 0), to: exampleTime(1, 0) },
  },
  'GET /v1/reconciliations/:id': {
    summary: 'Retrieve a reconciliation',
    description: 'Returns the report of a reconciliation, or 202 while it is being compiled.',
    responses: { 200: report, 202: running },
  },
};
