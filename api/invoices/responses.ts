import joi from 'joi';
import { COLLECTION_STATUSES } from '../../domain/collection.js';
import { INVOICE_KINDS } from '../../domain/presenters/invoice.js';
import { INVOICE_STATUSES } from '../../domain/states.js';
import * as s from '../resource/shapes.js';

/** An invoice line as `presentLine` returns it. */
export const line = s.shape({
  description: s.anyText,
  quantity: joi.number(),
  unit_amount_minor: s.minor,
  tax_code: s.anyText,
  net_minor: s.minor,
  tax_minor: s.minor,
});

/** An invoice as `presentInvoice` returns it and events carry it. */
export const invoiceInEvents = s.shape({
  id: s.idOf('inv'),
  kind: s.oneOf(INVOICE_KINDS),
  number: s.count,
  status: s.oneOf(INVOICE_STATUSES),
  currency: s.currencyCode,
  net_minor: s.minor,
  tax_minor: s.minor,
  total_minor: s.minor,
  paid_minor: s.minor,
  outstanding_minor: s.minor,
  due_at: s.instant.description('The time by which the invoice is to be paid.'),
  company_id: s.anyUuid.allow(null),
  member_id: s.idOf('mem').allow(null),
  booking_id: s.idOf('bk').allow(null),
  adjusts: s.idOf('inv').allow(null).description('The invoice that this one adjusts.'),
  period_start: s.day.allow(null).description('The first day that a subscription invoice covers.'),
  period_end: s.day.allow(null).description('The day after the last one that a subscription invoice covers.'),
  reference: s.nullableText,
  accounting_id: s.nullableText.description('The id of the invoice in the accounting system.'),
  accounting_reference: s.anyText.description('The reference of the invoice in the accounting system.'),
  accounting_error: s.nullableText.description(
    'Why the invoice could not be written to the accounting system.',
  ),
  lines: joi.array().items(line),
  created_at: s.instant,
  sent_at: s.nullableInstant.description('The time at which the invoice was last emailed to its payer.'),
  overdue_at: s.nullableInstant.description(
    'The time at which everything to collect the invoice had been tried.',
  ),
  collection: s
    .orNull(s.shape({ status: s.oneOf(COLLECTION_STATUSES), next_at: s.nullableInstant, attempts: s.count }))
    .description('How the invoice is collected. Null if it is paid with its booking.'),
  paid_at: s.nullableInstant,
  voided_at: s.nullableInstant,
  cancelled_at: s.nullableInstant,
});

/** An invoice as responses have it. */
export const invoice = invoiceInEvents.keys({
  pay_url: s.nullableText
    .required()
    .description(
      'A page where whoever has the link can read and pay the invoice. It stays valid; null for a draft.',
    ),
});

/** An adjustment as `presentAdjustment` returns it. */
const adjustment = s.shape({
  id: s.idOf('adj'),
  kind: s.oneOf(['debit', 'credit']),
  total_minor: s.minor,
  lines: joi.array().items(line),
  reason: s.anyText,
  invoice_id: s.idOf('inv').optional(),
  credit_note_id: s.nullableText.optional(),
  refund_id: s.idOf('pay').allow(null),
  refund_ids: joi
    .array()
    .items(s.idOf('pay'))
    .description('All refunds of the adjustment. `refund_id` is the first one.'),
  created_at: s.instant,
});

/** An adjustment with its invoice. */
export const adjusted = s.shape({ adjustment, invoice });

/** An invoice that has been sent, and the email address. */
export const sent = s.shape({ invoice_id: s.idOf('inv'), sent_to: s.anyText });

/** The checkout of an invoice. */
export const openCheckout = s.shape({ checkout_url: s.anyText, expires_at: s.instant });
