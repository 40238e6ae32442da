import type { PresentedInvoice } from '../../../domain/invoices/invoice-presenter.js';
import { northwind } from '../companies/operations.js';
import { exampleInstant, examplePage, exampleTime } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import type { EventDescription, EventsOf } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { discount, EXAMPLE_INVOICE_ID, transfer } from './examples.js';
import {
  adjusted,
  invoice,
  invoiceDocuments,
  invoiceInEvents,
  markedPaid,
  openCheckout,
  sentInvoice,
} from './shape.js';

/** Of responses; events have none. */
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

export const operations: Operations = {
  'GET /v1/invoices': {
    summary: 'List invoices',
    description:
      'Returns invoices by creation time, newest first. `from` and `to` filter by `created_at`. Members ' +
      'without a billing role get the invoices that they pay themselves.',
    example: () => examplePage({ ...open, ...ISSUED }),
    responses: { 200: s.pageOf(invoice) },
    query: { status: 'open' },
  },
  'POST /v1/invoices': {
    summary: 'Create an invoice',
    description:
      'Creates an open invoice for a company or a member. For each line, net is quantity × unit amount ' +
      'and tax is net × the rate of its tax code, both rounded half away from zero. `total_minor` is ' +
      'the sum of net and tax.',
    example: () => ({ ...open, ...ISSUED }),
    responses: { 200: invoice, 201: invoice },
    errors: ['company_not_found', 'member_not_found'],
    idempotent: true,
    body: {
      company_id: northwind.id,
      currency: 'GBP',
      due_at: exampleTime(14, 12),
      lines: [
        { description: 'Catering', quantity: 12.5, unit_amount_minor: 1450, tax_code: 'STANDARD' },
        { description: 'Room hire', quantity: 1, unit_amount_minor: 8000, tax_code: 'ZERO' },
      ],
      reference: 'PO 4711',
    },
  },
  'GET /v1/invoices/:id': {
    summary: 'Get an invoice',
    description: 'Members without a billing role can get the invoices that they pay themselves.',
    example: () => ({ ...open, ...ISSUED }),
    responses: { 200: invoice },
  },
  'GET /v1/invoices/:id/documents': {
    summary: 'List documents of an invoice',
    description:
      'Returns what was issued to the payer: the invoice, supplements and credit notes. Each is numbered ' +
      'once and does not change.',
    example: () => ({ data: ISSUED.documents }),
    responses: { 200: invoiceDocuments },
  },
  'GET /v1/invoices/:id/documents/:number.pdf': {
    summary: 'Get a document as PDF',
    id: 'getInvoiceDocumentPdf',
    description: 'Counts as 10 requests against the rate limit.',
    responses: { 200: { mediaType: 'application/pdf' } },
  },
  'GET /v1/invoices/:id.pdf': {
    summary: 'Get an invoice as PDF',
    id: 'getInvoicePdf',
    description:
      'Returns the invoice as it was issued. Before that, as for a draft or a booking that has not been ' +
      'paid, it has no PDF: 404 `invoice_not_found`. Counts as 10 requests against the rate limit.',
    responses: { 200: { mediaType: 'application/pdf' } },
  },
  'POST /v1/invoices/:id/mark-paid': {
    summary: 'Mark an invoice as paid',
    description:
      'Records a payment received outside the payment processor, such as cash or a bank transfer. The ' +
      'invoice stays open until its payments reach the total.',
    example: () => ({ invoice: { ...paid, ...ISSUED }, payment: transfer }),
    responses: { 200: markedPaid },
    errors: ['invoice_managed_by_booking', 'invoice_not_open', 'amount_exceeds_outstanding'],
    idempotent: true,
    body: { amount_minor: 100, method: 'bank_transfer', reference: 'Statement 12' },
  },
  'POST /v1/invoices/:id/void': {
    summary: 'Void an invoice',
    description:
      'Voids an invoice that has no payments, here and in the accounting system. The invoice of a booking ' +
      'on account that has not ended cannot be voided: cancel the booking instead. Subscription invoices ' +
      'can only be voided by people at the dashboard. Voiding a void invoice returns it unchanged.',
    example: () => ({ ...voided, ...ISSUED }),
    responses: { 200: invoice },
    errors: ['invoice_managed_by_booking', 'invoice_not_mutable', 'invoice_not_open', 'invoice_not_voidable'],
    body: { reason: 'Sent twice', audit_note: 'Requested by Ada' },
  },
  'POST /v1/invoices/:id/send': {
    summary: 'Send an invoice',
    description:
      'Emails the invoice, which must have been issued, to the payer as a PDF. Fails with 429 ' +
      '`rate_limited` if the same invoice was mailed in the last 10 minutes, also because it was created. ' +
      'Counts as 10 requests against the rate limit.',
    example: () => ({ invoice_id: EXAMPLE_INVOICE_ID, sent_to: 'accounts@northwind.example' }),
    responses: { 200: sentInvoice },
    errors: ['invoice_managed_by_booking', 'invoice_not_open'],
    idempotent: true,
    body: {},
  },
  'POST /v1/invoices/:id/rotate-pay-link': {
    summary: 'Replace the pay link',
    description:
      'Returns the invoice with a new `pay_url`. The link in earlier emails and responses stops working; ' +
      'later emails contain the new one.',
    example: () => ({ ...open, ...ISSUED }),
    responses: { 200: invoice },
    body: {},
  },
  'POST /v1/invoices/:id/checkout': {
    summary: 'Create a checkout for an invoice',
    id: 'createInvoiceCheckout',
    description:
      'Returns the URL of a hosted page where the outstanding amount can be paid. If the invoice already ' +
      'has an open checkout, its URL is returned.',
    example: () => ({
      checkout_url: 'https://checkout.example.com/pay/cs_d4e5f6',
      expires_at: exampleInstant(1, 12),
    }),
    responses: { 200: openCheckout },
    errors: [
      'invoice_managed_by_booking',
      'invoice_not_open',
      'processor_unconfigured',
      'amount_too_small',
      'validation_failed',
      'processor_error',
    ],
    body: {},
  },
  'POST /v1/invoices/:id/adjustments': {
    summary: 'Adjust a paid invoice',
    id: 'adjustInvoice',
    description:
      'Adjusts a paid invoice. A positive total creates another invoice (`invoice_id`). A negative total ' +
      'creates a credit note and refunds the amount to the original payment method. Only this operation ' +
      'accepts negative unit amounts.',
    example: () => ({ adjustment: discount, invoice: { ...paid, ...ISSUED } }),
    responses: { 200: adjusted, 201: adjusted },
    errors: ['invoice_not_paid', 'invoice_not_mutable', 'amount_exceeds_refundable'],
    idempotent: true,
    body: {
      lines: [{ description: 'Discount', quantity: 1, unit_amount_minor: -50, tax_code: 'ZERO' }],
      reason: 'The projector did not work',
    },
  },
};

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

const example = (object: PresentedInvoice): EventDescription => ({ schema: invoiceInEvents, object });

export const events: Record<EventsOf<'invoice'>, EventDescription> = {
  'invoice.created': example(open),
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
