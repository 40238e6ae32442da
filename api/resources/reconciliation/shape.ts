import joi from 'joi';
import { timestamp } from '../../http/fields.js';
import { array, nullable, object, oneOf, typed, type Infer } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** Query of `GET /v1/reconciliation`. */
export const querySchema = object(
  {
    from: timestamp.description('Includes invoices created, and money moved, at or after this time.'),
    to: timestamp.description('Includes what happened before this time; at most 92 days after `from`.'),
  },
  'from',
  'to',
);
export type Query = Infer<typeof querySchema>;

const totals = s.shape({
  ledger: s.minor.description('The total in this service, in minor units.'),
  processor: s.minor.description('The total at the payment processor, in minor units.'),
  accounting: s.minor.description('The total in the accounting system, in minor units.'),
});

const difference = s.shape({
  invoice_id: nullable(s.idOf('inv')).description('The invoice. Null if the payment belongs to none.'),
  kind: oneOf([
    'processor_missing',
    'ledger_missing',
    'processor_amount',
    'ledger_amount',
    'accounting_missing',
    'accounting_amount',
    'accounting_duplicate',
  ]).description('Which side is missing the payment, has a different amount or has a sale twice.'),
  ledger_minor: nullable(s.minor).description('The amount in this service, in minor units.'),
  processor_minor: nullable(s.minor).description('The amount at the payment processor, in minor units.'),
  accounting_minor: nullable(s.minor).description('The amount in the accounting system, in minor units.'),
  message: s.anyText.description('What differs, for people.'),
});

/** A reconciliation whose report is not written yet. */
export const running = s.shape({
  id: s.idOf('rec'),
  status: oneOf(['running']).description('Always `running`.'),
});

/** A `ReconciliationReport`. */
export const report = s.shape({
  from: s.instant.description('The start of the time range, inclusive.'),
  to: s.instant.description('The end of the time range, exclusive.'),
  invoices_examined: s.count.description('The number of invoices that were compared.'),
  totals: totals.description(
    'Payments minus refunds that moved in the range, in the currency of the workspace. Negative ' +
      'if more was refunded.',
  ),
  other_currencies: typed<Record<string, Infer<typeof totals>>>(
    joi.object().pattern(/^[A-Z]{3}$/, totals),
  ).description('The same totals in other currencies, by ISO 4217 code.'),
  differences: array(difference).description('The differences, one for each invoice and kind.'),
});
