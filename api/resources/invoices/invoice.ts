import { INVOICE_STATUSES } from '../../../domain/states.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { COLLECTION_STATUSES } from '../../../domain/invoices/collection.js';
import { DOCUMENT_KINDS } from '../../../domain/invoices/document.js';
import { presentDocument, presentStatement } from '../../../domain/invoices/document-presenter.js';
import { INVOICE_KINDS } from '../../../domain/invoices/invoice.js';
import {
  presentInvoice,
  presentLine,
  type PresentedInvoice,
} from '../../../domain/invoices/invoice-presenter.js';
import { seesStatements } from '../../../domain/invoices/visibility.js';
import type { Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import { currency, memberId, text, timestamp, uuid } from '../../http/fields.js';
import { array, integer, nullable, number, object, oneOf } from '../../http/typed.js';
import { northwind } from '../companies/operations.js';
import { exampleInstant } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { metadata } from '../shared/metadata.js';
import type { EventDescription, EventTypesFor } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

const MAX_UNIT_MINOR = 9_999_999_999;

const lineFields = splitSides({
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
const toLineSchema = (fields: typeof lineFields.sent) =>
  object(fields, 'description', 'quantity', 'unit_amount_minor', 'tax_code');
export const lineSchema = toLineSchema(lineFields.sent);
const lines = array(lineSchema).min(1).max(200);
/** The lines of an adjustment, whose amounts alone may be negative. */
export const adjustingLines = array(
  toLineSchema({
    ...lineFields.sent,
    unit_amount_minor: integer
      .min(-MAX_UNIT_MINOR)
      .max(MAX_UNIT_MINOR)
      .description('The price of one unit without tax, in minor units.'),
  }),
)
  .min(1)
  .max(200);

export const line = s.presentedBy(
  presentLine,
  s.shape('InvoiceLine', {
    ...lineFields.read,
    net_minor: s.minor.description('Quantity × unit amount, rounded half away from zero, in minor units.'),
    tax_minor: s.minor.description('The tax on the net amount, in minor units.'),
  }),
);

/** The fields that a new invoice and responses have in common. */
export const fields = splitSides({
  company_id: field(uuid, 'The company that pays.', { read: nullable(s.anyUuid) }),
  member_id: field(memberId, 'The member who pays.', { read: nullable(s.prefixedId('mem')) }),
  currency: field(currency, 'The ISO 4217 code of the currency of all amounts.', { read: s.currencyCode }),
  due_at: field(timestamp, 'The time at which the invoice is due.'),
  lines: field(lines, 'The lines of the invoice.', { read: array(line) }),
  reference: field(
    nullable(text(200).trim().min(1)),
    'Your reference, such as a purchase order number. Shown on the invoice.',
  ),
  metadata,
});

/** An invoice, as events have it. */
const invoiceInEvents = s.presentedBy(
  presentInvoice,
  s.shape('InvoiceInEvents', {
    id: s.prefixedId('inv'),
    kind: oneOf(INVOICE_KINDS).description('What the invoice is for.'),
    number: s.count.description(
      'The number in the accounting reference, counted from 1 in the workspace. Invoices that are ' +
        'never issued also have a number.',
    ),
    document_number: s.nullableText.description(
      'The number on the document and in the accounting system. Null until the invoice is issued or ' +
        'sent to the accounting system, whichever is first.',
    ),
    status: oneOf(INVOICE_STATUSES).description(
      'The status. `paid`, `void` and `cancelled` invoices are no longer synced.',
    ),
    net_minor: s.minor.description('The sum of the net amounts of the lines, in minor units.'),
    tax_minor: s.minor.description('The sum of the tax of the lines, in minor units.'),
    total_minor: s.minor.description('Net plus tax, in minor units.'),
    paid_minor: s.minor.description('The amount received so far, in minor units.'),
    outstanding_minor: s.minor.description('The amount still to be paid, in minor units.'),
    booking_id: nullable(s.prefixedId('bk')).description('The booking that the invoice is for.'),
    adjusts: nullable(s.prefixedId('inv')).description('The invoice that this one adjusts.'),
    period_start: nullable(s.day).description(
      'The first day of the period that a subscription invoice covers.',
    ),
    period_end: nullable(s.day).description(
      'The end of the period that a subscription invoice covers, exclusive.',
    ),
    ...fields.read,
    accounting_id: s.nullableText.description('The id of the invoice in the accounting system.'),
    accounting_reference: s.anyText.description('The reference of the invoice in the accounting system.'),
    accounting_error: s.nullableText.description(
      'Why the invoice could not be synced to the accounting system.',
    ),
    created_at: s.instant,
    sent_at: s.nullableInstant.description('The time at which the invoice was last emailed to its payer.'),
    overdue_at: s.nullableInstant.description(
      'The time at which the invoice became overdue: still unpaid 7 days after its due date, with no ' +
        'further charge planned.',
    ),
    collection: s
      .orNull(
        s.shape('InvoiceCollection', {
          status: oneOf(COLLECTION_STATUSES).description('The state of the collection.'),
          next_at: s.nullableInstant.description(
            'The time of the next attempt or reminder. Null if none is planned.',
          ),
          attempts: s.count.description('The number of attempts so far.'),
        }),
      )
      .description('How the invoice is collected. Null if it is paid with its booking.'),
    paid_at: s.nullableInstant.description(
      'The time at which the latest payment was received. Null until the invoice is paid in full.',
    ),
    voided_at: s.nullableInstant.description('The time at which the invoice was voided.'),
    cancelled_at: s.nullableInstant.description('The time at which the invoice was cancelled.'),
  }),
);

const invoiceDocument = s.presentedBy(
  presentDocument,
  s.shape('InvoiceDocument', {
    kind: oneOf([...DOCUMENT_KINDS, 'statement']).description(
      '`invoice` for the invoice itself, `supplement` for charges that were added and paid later, ' +
        '`credit_note` for amounts that were refunded or credited, `statement` for a statement of the ' +
        'payer that lists the invoice.',
    ),
    number: s.anyText.description('The number on the document and in the accounting system.'),
    issued_at: s.instant.description(
      'The time at which the document was issued. An issued document never changes.',
    ),
    voided_at: s.nullableInstant.description(
      'The time at which another document cancelled it: a credit note because the invoice was ' +
        'voided, or a supplement because the refund failed later.',
    ),
    net_minor: s.minor.description('The sum of the net amounts of its lines, in minor units.'),
    tax_minor: s.minor.description('The sum of the tax of its lines, in minor units.'),
    total_minor: s.minor.description(
      'Net plus tax, in minor units. For a credit note, the amount credited; for a statement, the ' +
        'total amount due.',
    ),
    payment_id: nullable(s.prefixedId('pay')).description(
      'The payment of a supplement, or the refund of a credit note.',
    ),
    accounting_id: s.nullableText.description('The id of the document in the accounting system.'),
    pdf_url: s.anyText.description(
      'The URL of the document as a PDF. Requires the authentication of the API.',
    ),
  }),
);

export const invoiceDocuments = s.shape({
  data: array(invoiceDocument).description('The documents, in the order in which they were issued.'),
});

export const invoice = s.extend('Invoice', invoiceInEvents, {
  documents: array(invoiceDocument).description(
    'The documents that were issued to the payer, in the order in which they were issued. Empty for ' +
      'a draft, for an unpaid booking, and for an invoice without an amount.',
  ),
  pay_url: s.nullableText.description(
    'The URL of a page where anyone with the link can view and pay the invoice. It does not ' +
      'expire. Null for a draft.',
  ),
});

type Caller = Pick<Principal, 'role' | 'member_id'>;
type PresentingDependencies = Pick<ApiDependencies, 'payLinks' | 'publicUrl'>;

/**
 * An invoice as the API returns it to a caller. Events do not contain `pay_url`: they are stored and
 * forwarded, and anyone with the link can see the invoice.
 */
export const presentWithLink = (
  { payLinks, publicUrl }: PresentingDependencies,
  caller: Caller,
  invoice: InvoiceRow,
) => ({
  ...presentInvoice(invoice),
  documents: presentDocuments(caller, invoice, publicUrl),
  pay_url: invoice.status === 'draft' ? null : payLinks.linkTo(invoice),
});

/**
 * The documents of an invoice, and the statements that list it if the caller may see them,
 * as the API returns them.
 */
export function presentDocuments(caller: Caller, invoice: InvoiceRow, publicUrl: string) {
  const { id, documents, statements } = invoice;
  const url = `${publicUrl}/v1/invoices/${id}/documents`;
  return [
    ...documents.map((document) => presentDocument(document, url)),
    ...(seesStatements(caller, invoice) ? statements : []).map((statement) =>
      presentStatement(statement, url),
    ),
  ];
}

export const EXAMPLE_INVOICE_ID = 'inv_01kba6xz3fe4r9tq5v8mhc2s1f';

/** An open invoice, as events have it. */
const open: PresentedInvoice = {
  id: EXAMPLE_INVOICE_ID,
  kind: 'ad_hoc',
  number: 14,
  document_number: 'HH-12',
  status: 'open',
  currency: 'GBP',
  net_minor: 18125,
  tax_minor: 3625,
  total_minor: 21750,
  paid_minor: 0,
  outstanding_minor: 21750,
  due_at: exampleInstant(14, 12),
  company_id: northwind.id,
  member_id: null,
  booking_id: null,
  adjusts: null,
  period_start: null,
  period_end: null,
  reference: 'PO 4711',
  metadata: {},
  accounting_id: null,
  accounting_reference: 'Holdfast #14 — PO 4711',
  accounting_error: null,
  lines: [
    {
      description: 'Catering',
      quantity: 12.5,
      unit_amount_minor: 1450,
      tax_code: 'STANDARD',
      net_minor: 18125,
      tax_minor: 3625,
    },
  ],
  created_at: exampleInstant(0, 12),
  sent_at: null,
  overdue_at: null,
  collection: { status: 'scheduled', next_at: exampleInstant(11, 12), attempts: 0 },
  paid_at: null,
  voided_at: null,
  cancelled_at: null,
};

const paid: PresentedInvoice = {
  ...open,
  status: 'paid',
  paid_minor: 21750,
  outstanding_minor: 0,
  collection: { status: 'ended', next_at: null, attempts: 1 },
  paid_at: exampleInstant(3, 10),
};

const voided: PresentedInvoice = {
  ...open,
  status: 'void',
  outstanding_minor: 0,
  voided_at: exampleInstant(1, 9),
};

/** The fields that responses have and events do not. */
const ISSUED = {
  documents: [
    {
      kind: 'invoice',
      number: 'HH-12',
      issued_at: exampleInstant(0, 12),
      voided_at: null,
      net_minor: 18125,
      tax_minor: 3625,
      total_minor: 21750,
      payment_id: null,
      accounting_id: null,
      pdf_url: `https://api.example.com/v1/invoices/${EXAMPLE_INVOICE_ID}/documents/HH-12.pdf`,
    },
  ],
  pay_url: 'https://api.example.com/pay/a1b2c3',
};

/** Invoices in the examples of responses: one that is open, one that is paid, and one that is void. */
export const openInvoice = { ...open, ...ISSUED };
export const paidInvoice = { ...paid, ...ISSUED };
export const voidedInvoice = { ...voided, ...ISSUED };

const example = (object: PresentedInvoice, previous?: Partial<PresentedInvoice>): EventDescription => ({
  schema: invoiceInEvents,
  object,
  previous,
});

/** The events about invoices. */
export const events: Record<EventTypesFor<'invoice'>, EventDescription> = {
  'invoice.created': example(open),
  'invoice.updated': example({ ...open, metadata: { cost_centre: '42' } }, { metadata: {} }),
  'invoice.overdue': example({
    ...open,
    sent_at: exampleInstant(0, 12),
    overdue_at: exampleInstant(21, 12),
    collection: { status: 'overdue', next_at: null, attempts: 4 },
  }),
  'invoice.sent': example({ ...open, sent_at: exampleInstant(0, 12) }),
  'invoice.paid': example(paid),
  'invoice.voided': example(voided),
  'invoice.refunded': example({ ...paid, status: 'refunded' }),
};
