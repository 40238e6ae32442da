import joi from 'joi';
import { exampleTime } from '../openapi/examples.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';

const totals = s.shape({ ledger: s.minor, processor: s.minor, accounting: s.minor });

const difference = s.shape({
  invoice_id: s.idOf('inv').allow(null),
  kind: s.oneOf([
    'processor_missing',
    'ledger_missing',
    'processor_amount',
    'ledger_amount',
    'accounting_missing',
    'accounting_amount',
  ]),
  ledger_minor: s.minor.allow(null),
  processor_minor: s.minor.allow(null),
  accounting_minor: s.minor.allow(null),
  message: s.anyText,
});

export const reconciliationOperations: Operations = {
  'GET /v1/reconciliation': {
    summary: 'Reconcile ledger, processor and books',
    description:
      'For the invoices created in `[from, to)`, of at most 92 days. `totals` are in the workspace’s currency: money received, less money given back.',
    answers: {
      200: s.shape({
        from: s.instant,
        to: s.instant,
        invoices_examined: s.count,
        totals,
        other_currencies: joi.object().pattern(/^[A-Z]{3}$/, totals),
        differences: joi.array().items(difference),
      }),
    },
    query: { from: exampleTime(-30, 0), to: exampleTime(1, 0) },
  },
};
