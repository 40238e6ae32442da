import { EXAMPLE_IDS, exampleTime } from '../openapi/examples.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';
import { payment } from '../payments/responses.js';
import { invoice, adjusted } from './responses.js';

export const invoiceOperations: Operations = {
  'GET /v1/invoices': {
    summary: 'List invoices',
    description: 'The newest first. `from` and `to` are about `created_at`.',
    answers: { 200: s.pageOf(invoice) },
    query: { status: 'open' },
  },
  'POST /v1/invoices': {
    summary: 'Create an invoice',
    description:
      'For a company or a member. Tax comes from the tax code of each line: net is quantity × unit amount, rounded half up, and tax is net × rate, rounded too. `total_minor` is the sum of both.',
    answers: { 200: invoice, 201: invoice },
    errors: ['company_not_found', 'member_not_found'],
    idempotent: true,
    body: {
      company_id: EXAMPLE_IDS.company,
      currency: 'GBP',
      due_at: exampleTime(14, 12),
      lines: [
        { description: 'Catering', quantity: 12.5, unit_amount_minor: 1450, tax_code: 'STANDARD' },
        { description: 'Room hire', quantity: 1, unit_amount_minor: 8000, tax_code: 'ZERO' },
      ],
      reference: 'PO 4711',
    },
  },
  'GET /v1/invoices/:id': { summary: 'Get an invoice', answers: { 200: invoice } },
  'GET /v1/invoices/:id.pdf': {
    summary: 'Get an invoice as PDF',
    answers: { 200: { mediaType: 'application/pdf' } },
  },
  'POST /v1/invoices/:id/mark-paid': {
    summary: 'Mark an invoice paid',
    description:
      'Money that came another way. A part leaves the invoice open; when the parts reach the total it is paid.',
    answers: { 200: s.shape({ invoice, payment }) },
    errors: [
      'invoice_managed_by_booking',
      'invoice_not_open',
      'amount_exceeds_outstanding',
      'processor_error',
    ],
    idempotent: true,
    body: { amount_minor: 100, method: 'bank_transfer', reference: 'Statement 12' },
  },
  'POST /v1/invoices/:id/void': {
    summary: 'Void an invoice',
    description: 'Only one that nothing has been paid on; in the books too. Again, it answers the same.',
    answers: { 200: invoice },
    errors: [
      'invoice_managed_by_booking',
      'invoice_not_mutable',
      'invoice_not_open',
      'invoice_not_voidable',
      'processor_error',
    ],
    body: { reason: 'Sent twice', audit_note: 'Asked for by Ada' },
  },
  'POST /v1/invoices/:id/send': {
    summary: 'Send an invoice',
    description: 'By mail, as PDF, to its payer.',
    answers: { 200: s.shape({ invoice_id: s.idOf('inv'), sent_to: s.anyText }) },
    errors: ['invoice_not_open'],
    idempotent: true,
    body: {},
  },
  'POST /v1/invoices/:id/checkout': {
    summary: "Open an invoice's checkout",
    description: 'The hosted page on which what is outstanding can be paid; the same one while it is open.',
    answers: { 200: s.shape({ checkout_url: s.anyText, expires_at: s.instant }) },
    errors: ['invoice_managed_by_booking', 'invoice_not_open', 'processor_unconfigured', 'processor_error'],
    body: {},
  },
  'POST /v1/invoices/:id/adjustments': {
    summary: 'Adjust a paid invoice',
    description:
      'The only place where a unit amount may be below zero. A positive total becomes a further invoice (`invoice_id`), a negative one a credit note and a refund the way it was paid.',
    answers: { 200: adjusted, 201: adjusted },
    errors: ['invoice_not_paid', 'invoice_not_mutable', 'amount_exceeds_refundable'],
    idempotent: true,
    body: {
      lines: [{ description: 'Discount', quantity: 1, unit_amount_minor: -50, tax_code: 'ZERO' }],
      reason: 'The projector did not work',
    },
  },
};
