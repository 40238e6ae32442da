import { MANUAL_METHODS } from '../../../commands/invoices/payments.js';
import { isId } from '../../../db/ids.js';
import { COLLECTION_STATUSES } from '../../../domain/invoices/collection.js';
import { INVOICE_KINDS } from '../../../domain/invoices/invoice.js';
import { presentAdjustment } from '../../../domain/invoices/adjustment-presenter.js';
import { DOCUMENT_KINDS } from '../../../domain/invoices/document.js';
import { presentDocument } from '../../../domain/invoices/document-presenter.js';
import { presentInvoice, presentLine } from '../../../domain/invoices/invoice-presenter.js';
import { INVOICE_STATUSES } from '../../../domain/states.js';
import { pageFields } from '../../http/cursor.js';
import { currency, memberId, rangeEnd, text, timestamp, uuid } from '../../http/fields.js';
import { array, integer, nullable, number, object, oneOf, optional, type Infer } from '../../http/typed.js';
import { payment } from '../payments/shape.js';
import { field, sidesOf } from '../shared/field.js';
import * as s from '../shared/shapes.js';

export const isInvoiceId = (id: string): boolean => isId('inv', id);

const MAX_UNIT_MINOR = 9_999_999_999;

const lineFields = sidesOf({
  description: field(text(1_000).trim().min(1), 'A description of what is charged, as shown on the invoice.'),
  quantity: field(
    number.greater(0).max(1_000_000).precision(4),
    'The quantity, with at most 4 decimal places.',
  ),
  unit_amount_minor: field(
    integer.min(0).max(MAX_UNIT_MINOR),
    'The price of one unit without tax, in minor units.',
    { read: s.minor },
  ),
  tax_code: field(text(50), 'One of the tax codes of the workspace.'),
});
const lineOf = (fields: typeof lineFields.sent) =>
  object(fields, 'description', 'quantity', 'unit_amount_minor', 'tax_code');
/** A line, as requests have it. */
export const lineSchema = lineOf(lineFields.sent);
const lines = array(lineSchema).min(1).max(200);
/** The lines of an adjustment, whose amounts alone may be negative. */
const adjustingLines = array(
  lineOf({
    ...lineFields.sent,
    unit_amount_minor: integer
      .min(-MAX_UNIT_MINOR)
      .max(MAX_UNIT_MINOR)
      .description('The price of one unit without tax, in minor units.'),
  }),
)
  .min(1)
  .max(200);

/** A line in responses. */
export const line = s.presentedBy(
  presentLine,
  s.shape({
    ...lineFields.read,
    net_minor: s.minor.description('Quantity × unit amount, rounded half away from zero, in minor units.'),
    tax_minor: s.minor.description('The tax on the net amount, in minor units.'),
  }),
);

const { sent, read } = sidesOf({
  company_id: field(uuid, 'The company that pays.', { read: nullable(s.anyUuid) }),
  member_id: field(memberId, 'The member who pays.', { read: nullable(s.idOf('mem')) }),
  currency: field(currency, 'The ISO 4217 code of the currency of all amounts.', { read: s.currencyCode }),
  due_at: field(timestamp, 'The time at which the invoice is due.'),
  lines: field(lines, 'The lines of the invoice.', { read: array(line) }),
  reference: field(
    nullable(text(200).trim().min(1)),
    'Your reference, such as a purchase order number. Shown on the invoice.',
  ),
});

/** Body of `POST /v1/invoices`. */
export const createSchema = object(sent, 'currency', 'due_at', 'lines')
  .xor('company_id', 'member_id')
  .required();
export type CreateBody = Infer<typeof createSchema>;

/** Body of `POST /v1/invoices/{id}/mark-paid`. */
export const markPaidSchema = object(
  {
    amount_minor: integer
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .description('The amount received, in minor units of the currency of the invoice.'),
    paid_at: timestamp.description(
      'The time at which the payment was received, which dates it in lists, exports and the accounting ' +
        'system. Defaults to now.',
    ),
    method: oneOf(MANUAL_METHODS).description('How the payment was received.'),
    reference: nullable(text(200).allow('')).description(
      'Your reference, such as the number of a bank statement.',
    ),
  },
  'amount_minor',
  'method',
).required();
export type MarkPaidBody = Infer<typeof markPaidSchema>;

/** Body of `POST /v1/invoices/{id}/void`; every field is optional. */
export const voidSchema = object({
  reason: nullable(text(500).allow('')).description(
    'The reason, shown in the audit log and the email to the payer.',
  ),
  audit_note: nullable(text(2_000).allow('')).description('A note, recorded in the audit log.'),
}).required();
export type VoidBody = Infer<typeof voidSchema>;

/** Body of `POST /v1/invoices/{id}/adjustments`. */
export const adjustSchema = object(
  {
    lines: adjustingLines.description('The lines of the adjustment. The unit amounts can be negative.'),
    reason: text(500)
      .trim()
      .min(1)
      .description('The reason, shown on the document, in the email to the payer and in the audit log.'),
  },
  'lines',
  'reason',
).required();
export type AdjustBody = Infer<typeof adjustSchema>;

/** Query of `GET /v1/invoices`. */
export const listSchema = object({
  status: oneOf(INVOICE_STATUSES).description('Returns only invoices with this status.'),
  company_id: uuid.description('Returns only invoices of this company.'),
  member_id: memberId.description('Returns only invoices of this member.'),
  booking_id: text(64).description('Returns only invoices of this booking.'),
  from: timestamp.description('Returns only invoices created at or after this time.'),
  to: rangeEnd.description('Returns only invoices created before this time.'),
  ...pageFields,
});
export type ListQuery = Infer<typeof listSchema>;

/** An invoice, as events have it. */
export const invoiceInEvents = s.presentedBy(
  presentInvoice,
  s.shape({
    id: s.idOf('inv'),
    kind: oneOf(INVOICE_KINDS).description('What the invoice is for.'),
    number: s.count.description(
      'The number in its accounting reference, counted in the workspace from 1, also of invoices ' +
        'that are never issued.',
    ),
    document_number: s.nullableText.description(
      'The number on the document and in the accounting system. Null until the invoice is issued, or ' +
        'sent to the accounting system before that.',
    ),
    status: oneOf(INVOICE_STATUSES).description(
      'The status. `paid`, `void` and `cancelled` invoices are no longer synced.',
    ),
    net_minor: s.minor.description('The sum of the net amounts of the lines, in minor units.'),
    tax_minor: s.minor.description('The sum of the tax of the lines, in minor units.'),
    total_minor: s.minor.description('Net plus tax, in minor units.'),
    paid_minor: s.minor.description('The amount received so far, in minor units.'),
    outstanding_minor: s.minor.description('The amount still to be paid, in minor units.'),
    booking_id: nullable(s.idOf('bk')).description('The booking that the invoice is for.'),
    adjusts: nullable(s.idOf('inv')).description('The invoice that this one adjusts.'),
    period_start: nullable(s.day).description(
      'The first day of the period that a subscription invoice covers.',
    ),
    period_end: nullable(s.day).description(
      'The end of the period that a subscription invoice covers, exclusive.',
    ),
    ...read,
    accounting_id: s.nullableText.description('The id of the invoice in the accounting system.'),
    accounting_reference: s.anyText.description('The reference of the invoice in the accounting system.'),
    accounting_error: s.nullableText.description(
      'Why the invoice could not be synced to the accounting system.',
    ),
    created_at: s.instant,
    sent_at: s.nullableInstant.description('The time at which the invoice was last emailed to its payer.'),
    overdue_at: s.nullableInstant.description(
      'The time at which the invoice was unpaid 7 days after it was due, and no further charge was planned.',
    ),
    collection: s
      .orNull(
        s.shape({
          status: oneOf(COLLECTION_STATUSES).description('The state of the collection.'),
          next_at: s.nullableInstant.description(
            'The time of the next attempt or reminder. Null if none is planned.',
          ),
          attempts: s.count.description('The number of attempts so far.'),
        }),
      )
      .description('How the invoice is collected. Null if it is paid with its booking.'),
    paid_at: s.nullableInstant.description(
      'The time at which the latest money for it was received. Null until it is paid in full.',
    ),
    voided_at: s.nullableInstant.description('The time at which the invoice was voided.'),
    cancelled_at: s.nullableInstant.description('The time at which the invoice was cancelled.'),
  }),
);

/** A document of an invoice in responses. */
export const invoiceDocument = s.presentedBy(
  presentDocument,
  s.shape({
    kind: oneOf([...DOCUMENT_KINDS, 'statement']).description(
      '`invoice` for the invoice itself, `supplement` for what was added and paid later, ' +
        '`credit_note` for what was refunded or credited, `statement` for a statement of the payer ' +
        'that lists the invoice.',
    ),
    number: s.anyText.description('The number on the document and in the accounting system.'),
    issued_at: s.instant.description('The time at which it was issued. It has not changed since then.'),
    voided_at: s.nullableInstant.description(
      'The time at which another document cancelled it: a credit note, because the invoice was voided, ' +
        'or a supplement, because the refund failed after all.',
    ),
    net_minor: s.minor.description('The sum of the net amounts of its lines, in minor units.'),
    tax_minor: s.minor.description('The sum of the tax of its lines, in minor units.'),
    total_minor: s.minor.description(
      'Net plus tax, in minor units. Of a credit note, what it credits; of a statement, all ' +
        'that was to be paid.',
    ),
    payment_id: nullable(s.idOf('pay')).description(
      'The payment of a supplement, or the refund of a credit note.',
    ),
    accounting_id: s.nullableText.description('The id of the document in the accounting system.'),
    pdf_url: s.anyText.description('The URL of the document as PDF, for callers of the API.'),
  }),
);

/** All documents of an invoice. */
export const invoiceDocuments = s.shape({
  data: array(invoiceDocument).description('The documents, in the order in which they were issued.'),
});

/** An invoice in responses. */
export const invoice = s.extend(invoiceInEvents, {
  documents: array(invoiceDocument).description(
    'What was issued to the payer, in the order in which it was issued. Empty for a draft, for a booking ' +
      'that has not been paid, and without an amount.',
  ),
  pay_url: s.nullableText.description(
    'The URL of a page where anyone with the link can view and pay the invoice. It does not ' +
      'expire. Null for a draft.',
  ),
});

/** An invoice and the payment that was recorded for it. */
export const markedPaid = s.shape({
  invoice: invoice.description('The invoice after the payment.'),
  payment: payment.description('The recorded payment.'),
});

/** An adjustment in responses. */
const adjustment = s.presentedBy(
  presentAdjustment,
  s.shape({
    id: s.idOf('adj'),
    kind: oneOf(['debit', 'credit']).description(
      '`debit` for a positive total, `credit` for a negative one.',
    ),
    total_minor: s.minor.description('The total including tax, in minor units.'),
    lines: array(line).description('The lines of the adjustment.'),
    reason: s.anyText.description('The reason, as shown on the document.'),
    invoice_id: optional(s.idOf('inv').description('The new invoice, if the adjustment is a debit.')),
    credit_note_id: optional(
      s.nullableText.description(
        'The id of the credit note in the accounting system, if the adjustment is a credit. ' +
          'Null until it is synced.',
      ),
    ),
    refund_id: nullable(s.idOf('pay')).description('The first refund, if the adjustment is a credit.'),
    refund_ids: array(s.idOf('pay')).description(
      'All refunds of the adjustment. `refund_id` is the first one.',
    ),
    created_at: s.instant,
  }),
);

/** An adjustment with its invoice. */
export const adjusted = s.shape({
  adjustment: adjustment.description('The adjustment.'),
  invoice: invoice.description('The adjusted invoice.'),
});

/** An invoice that has been sent, and the email address. */
export const sentInvoice = s.shape({
  invoice_id: s.idOf('inv').description('The invoice.'),
  sent_to: s.anyText.description('The email address that it was sent to.'),
});

/** The checkout of an invoice. */
export const openCheckout = s.shape({
  checkout_url: s.anyText.description('The URL of the hosted page where the invoice can be paid.'),
  expires_at: s.instant.description('The time at which the page expires.'),
});
