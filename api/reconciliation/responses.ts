import joi from 'joi';
import * as s from '../resource/shapes.js';

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

/** A reconciliation whose report is not written yet. */
export const running = s.shape({ id: s.idOf('rec'), status: s.oneOf(['running']) });

/** A `ReconciliationReport`. */
export const report = s.shape({
  from: s.instant,
  to: s.instant,
  invoices_examined: s.count,
  totals,
  other_currencies: joi.object().pattern(/^[A-Z]{3}$/, totals),
  differences: joi.array().items(difference),
});
