import joi from 'joi';
import { COLLECTION_STATUSES } from '../../../domain/collection.js';
import { INVOICE_KINDS } from '../../../domain/invoice.js';
import { INVOICE_STATUSES } from '../../../domain/states.js';
import { payment } from '../payments/shape.js';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** An invoice line as `presentLine` returns it. */
export const line = s.shape({
  description: s.anyText.description('A description of what is charged.'),
  quantity: joi.number().description('The quantity, with at most 4 decimal places.'),
  unit_amount_minor: s.minor.description('The price of one unit without tax, in minor units.'),
  tax_code: s.anyText.description('The tax code of the line.'),
  net_minor: s.minor.description('Quantity × unit amount, rounded half away from zero, in minor units.'),
  tax_minor: s.minor.description('The tax on the net amount, in minor units.'),
});

/** An invoice as `presentInvoice` returns it and events carry it. */
export const invoiceInEvents = s.shape({
  id: s.idOf('inv'),
  kind: oneOf(INVOICE_KINDS).description('What the invoice is for.'),
  number: s.count.description('The number, counted in the workspace from 1.'),
  status: oneOf(INVOICE_STATUSES).description(
    'The status. `paid`, `void` and `cancelled` invoices are no longer synced.',
  ),
  currency: s.currencyCode.description('The ISO 4217 code of the currency of all amounts.'),
  net_minor: s.minor.description('The sum of the net amounts of the lines, in minor units.'),
  tax_minor: s.minor.description('The sum of the tax of the lines, in minor units.'),
  total_minor: s.minor.description('Net plus tax, in minor units.'),
  paid_minor: s.minor.description('The amount received so far, in minor units.'),
  outstanding_minor: s.minor.description('The amount still to be paid, in minor units.'),
  due_at: s.instant.description('The time at which the invoice is due.'),
  company_id: s.anyUuid.allow(null).description('The company that pays.'),
  member_id: s.idOf('mem').allow(null).description('The member who pays.'),
  booking_id: s.idOf('bk').allow(null).description('The booking that the invoice is for.'),
  adjusts: s.idOf('inv').allow(null).description('The invoice that this one adjusts.'),
  period_start: s.day
    .allow(null)
    .description('The first day of the period that a subscription invoice covers.'),
  period_end: s.day
    .allow(null)
    .description('The end of the period that a subscription invoice covers, exclusive.'),
  reference: s.nullableText.description('Your reference, such as a purchase order number.'),
  accounting_id: s.nullableText.description('The id of the invoice in the accounting system.'),
  accounting_reference: s.anyText.description('The reference of the invoice in the accounting system.'),
  accounting_error: s.nullableText.description(
    'Why the invoice could not be synced to the accounting system.',
  ),
  lines: joi.array().items(line).description('The lines of the invoice.'),
  created_at: s.instant,
  sent_at: s.nullableInstant.description('The time at which the invoice was last emailed to its payer.'),
  overdue_at: s.nullableInstant.description(
    'The time at which all attempts to collect the invoice had failed.',
  ),
  collection: s
    .orNull(
      s.shape({
        status: oneOf(COLLECTION_STATUSES).description('The state of the collection.'),
        next_at: s.nullableInstant.description('The time of the next attempt or reminder.'),
        attempts: s.count.description('The number of attempts so far.'),
      }),
    )
    .description('How the invoice is collected. Null if it is paid with its booking.'),
  paid_at: s.nullableInstant.description('The time at which the invoice was paid in full.'),
  voided_at: s.nullableInstant.description('The time at which the invoice was voided.'),
  cancelled_at: s.nullableInstant.description('The time at which the invoice was cancelled.'),
});

/** An invoice as responses have it. */
export const invoice = invoiceInEvents.keys({
  pay_url: s.nullableText
    .required()
    .description(
      'The URL of a page where anyone with the link can view and pay the invoice. It does not expire. Null for a draft.',
    ),
});

/** An invoice and the payment that was recorded for it. */
export const markedPaid = s.shape({
  invoice: invoice.description('The invoice after the payment.'),
  payment: payment.description('The recorded payment.'),
});

/** An adjustment as `presentAdjustment` returns it. */
const adjustment = s.shape({
  id: s.idOf('adj'),
  kind: oneOf(['debit', 'credit']).description('`debit` for a positive total, `credit` for a negative one.'),
  total_minor: s.minor.description('The total including tax, in minor units.'),
  lines: joi.array().items(line).description('The lines of the adjustment.'),
  reason: s.anyText.description('The reason, as shown on the document.'),
  invoice_id: s.idOf('inv').optional().description('The new invoice, if the adjustment is a debit.'),
  credit_note_id: s.nullableText
    .optional()
    .description(
      'The id of the credit note in the accounting system, if the adjustment is a credit. Null until it is synced.',
    ),
  refund_id: s.idOf('pay').allow(null).description('The first refund, if the adjustment is a credit.'),
  refund_ids: joi
    .array()
    .items(s.idOf('pay'))
    .description('All refunds of the adjustment. `refund_id` is the first one.'),
  created_at: s.instant,
});

/** An adjustment with its invoice. */
export const adjusted = s.shape({
  adjustment: adjustment.description('The adjustment.'),
  invoice: invoice.description('The adjusted invoice.'),
});

/** An invoice that has been sent, and the email address. */
export const sent = s.shape({
  invoice_id: s.idOf('inv').description('The invoice.'),
  sent_to: s.anyText.description('The email address that it was sent to.'),
});

/** The checkout of an invoice. */
export const openCheckout = s.shape({
  checkout_url: s.anyText.description('The URL of the hosted page where the invoice can be paid.'),
  expires_at: s.instant.description('The time at which the page expires.'),
});
