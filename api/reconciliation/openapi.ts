import { exampleTime } from '../resource/examples.js';
import type { Operations } from '../resource/operation.js';
import { report } from './responses.js';

export const operations: Operations = {
  'GET /v1/reconciliation': {
    summary: 'Reconcile ledger, processor and accounting',
    id: 'reconcileLedgerProcessorAndBooks',
    description:
      'Compares the ledger with the payment processor and the accounting system for the invoices created in `[from, to)`, a range of at most 92 days. `totals` are payments minus refunds, in the workspace’s currency.',
    responses: { 200: report },
    query: { from: exampleTime(-30, 0), to: exampleTime(1, 0) },
  },
};
