import { adjustPaidInvoice as adjust } from '../../../commands/invoices/adjustments.js';
import { changeInvoice as change } from '../../../commands/invoices/change-invoice.js';
import { createInvoice as create } from '../../../commands/invoices/create-invoice.js';
import { visibleInvoice } from '../../../commands/invoices/invoices.js';
import { replacePayLink } from '../../../commands/invoices/pay-link.js';
import { recordPayment, voidInvoice as withdraw } from '../../../commands/invoices/payments.js';
import { documentFile, invoiceFile } from '../../../commands/invoices/pdf/files.js';
import { remindPayer, sendInvoice as send } from '../../../commands/invoices/send-invoice.js';
import { isId } from '../../../db/ids.js';
import { findAdjustment } from '../../../db/queries/invoices/adjustment.js';
import { listInvoices as find } from '../../../db/queries/invoices/invoice.js';
import { PDF_COST } from '../../../domain/api-keys/limits.js';
import { presentAdjustment } from '../../../domain/invoices/adjustment-presenter.js';
import { noSuchInvoice, seesStatements, visibleTo } from '../../../domain/invoices/visibility.js';
import { SENT_METHODS } from '../../../domain/payments/methods.js';
import { presentPayment } from '../../../domain/payments/presenter.js';
import type { Principal } from '../../../domain/policies.js';
import { INVOICE_STATUSES } from '../../../domain/states.js';
import type { ApiDependencies } from '../../dependencies.js';
import { MAX_DOCUMENTS, MAX_IN_PROGRESS } from '../../http/concurrency.js';
import { pageFields } from '../../http/cursor.js';
import { stillStored } from '../../http/errors.js';
import { emptyBody, isStorable, memberId, rangeEnd, text, timestamp, uuid } from '../../http/fields.js';
import { pdfReply } from '../../http/files.js';
import { listPage } from '../../http/list.js';
import { created, operation } from '../../http/operation.js';
import { array, integer, nullable, object, oneOf, oneOfFixed, optional } from '../../http/typed.js';
import { northwind } from '../companies/operations.js';
import { storedPayment } from '../payments/operations.js';
import { payment, SENT_METHOD, transfer } from '../payments/payment.js';
import { awaitRefunds, startRefund } from '../payments/run-refunds.js';
import { exampleInstant, examplePage, exampleTime } from '../shared/examples.js';
import { metadataFilter } from '../shared/metadata.js';
import type { EventTypesFor, Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';
import { syncInvoiceInline } from './accounting.js';
import { openCheckout, withClosedCheckout } from './checkout.js';
import {
  adjustingLines,
  events,
  EXAMPLE_INVOICE_ID,
  fields,
  invoice,
  invoiceDocuments,
  line,
  openInvoice,
  paidInvoice,
  presentDocuments,
  presentWithLink,
  voidedInvoice,
} from './invoice.js';

export const isInvoiceId = (id: string): boolean => isId('inv', id);

/** An invoice as it is now. Errors: 404 `invoice_not_found`. */
const shownNow = async (deps: ApiDependencies, caller: Principal, id: string) =>
  presentWithLink(deps, caller, await visibleInvoice(deps.db.manager, caller, id));

export const markedPaid = s.shape({
  invoice: invoice.description('The invoice after the payment.'),
  payment: payment.description('The recorded payment.'),
});

export const sentInvoice = s.shape('SentInvoice', {
  invoice_id: s.prefixedId('inv').description('The invoice.'),
  sent_to: s.anyText.description('The address that the email was sent to.'),
});

export const invoiceCheckout = s.shape({
  checkout_url: s.anyText.description('The URL of the hosted page where the invoice can be paid.'),
  expires_at: s.instant.description('The time at which the page expires.'),
});

const adjustment = s.presentedBy(
  presentAdjustment,
  s.shape('Adjustment', {
    id: s.prefixedId('adj'),
    kind: oneOfFixed(['debit', 'credit']).description(
      '`debit` for a positive total, `credit` for a negative one.',
    ),
    total_minor: s.minor.description('The total including tax, in minor units.'),
    lines: array(line).description('The lines of the adjustment.'),
    reason: s.anyText.description('The reason, as shown on the document.'),
    invoice_id: optional(s.prefixedId('inv').description('The new invoice, if the adjustment is a debit.')),
    credit_note_id: optional(
      s.nullableText.description(
        'The id of the credit note in the accounting system, if the adjustment is a credit. ' +
          'Null until it is synced.',
      ),
    ),
    refund_id: nullable(s.prefixedId('pay')).description('The first refund, if the adjustment is a credit.'),
    refund_ids: array(s.prefixedId('pay')).description(
      'All refunds of the adjustment. `refund_id` is the first one.',
    ),
    created_at: s.instant,
  }),
);

export const adjusted = s.shape('AdjustedInvoice', {
  adjustment: adjustment.description('The adjustment.'),
  invoice: invoice.description('The adjusted invoice.'),
});

/** An adjustment with a negative total. */
const discount = {
  id: 'adj_01kba6xz3fe4r9tq5v8mhc2s1v',
  kind: 'credit',
  total_minor: -50,
  lines: [
    {
      description: 'Discount',
      quantity: 1,
      unit_amount_minor: -50,
      tax_code: 'ZERO',
      net_minor: -50,
      tax_minor: 0,
    },
  ],
  reason: 'The projector did not work',
  credit_note_id: null,
  refund_id: 'pay_01kba6xz3fe4r9tq5v8mhc2s1p',
  refund_ids: ['pay_01kba6xz3fe4r9tq5v8mhc2s1p'],
  created_at: exampleInstant(4, 9),
};

export const listInvoices = operation({
  route: 'GET /v1/invoices',
  summary: 'List invoices',
  description:
    'Returns invoices by creation time, newest first. `from` and `to` filter by `created_at`. ' +
    'Members without a billing role see only the invoices that they pay themselves.',
  scope: 'billing:read',
  capability: 'read_own_invoices',
  query: object({
    status: oneOf(INVOICE_STATUSES).description('Returns only invoices with this status.'),
    company_id: uuid.description('Returns only invoices of this company.'),
    member_id: memberId.description('Returns only invoices of this member.'),
    booking_id: text(64).description('Returns only invoices of this booking.'),
    metadata: metadataFilter('invoices'),
    from: timestamp.description('Returns only invoices created at or after this time.'),
    to: rangeEnd.description('Returns only invoices created before this time.'),
    ...pageFields,
  }),
  responses: { 200: s.pageSchema(invoice) },
  examples: { query: { status: 'open' }, response: examplePage(openInvoice) },
  run: ({ query: { limit, cursor, ...filter } }, caller, deps) =>
    listPage(
      { limit, cursor },
      {
        by: 'created_at',
        list: { name: 'invoices', isId: isInvoiceId },
        find: (page) => {
          const { workspace_id } = caller;
          const visible_to = visibleTo(caller);
          return find(deps.db.manager, { ...filter, workspace_id, visible_to, ...page });
        },
        present: (row) => presentWithLink(deps, caller, row),
      },
    ),
});

export const createInvoice = operation({
  route: 'POST /v1/invoices',
  summary: 'Create an invoice',
  description:
    'Creates an open invoice for a company or a member. For each line, net is quantity × unit amount ' +
    'and tax is net × the rate of its tax code, both rounded half away from zero. `total_minor` is ' +
    'the sum of net and tax.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: object(fields.sent, 'currency', 'due_at', 'lines').xor('company_id', 'member_id').required(),
  idempotent: true,
  responses: { 200: invoice, 201: invoice },
  errors: ['company_not_found', 'member_not_found'],
  examples: {
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
    response: openInvoice,
  },
  async run({ body, idempotency }, caller, deps) {
    const { object, isNew } = await create(deps.db, caller, body, idempotency);
    return { object: presentWithLink(deps, caller, object), isNew };
  },
  reply: created,
});

export const getInvoice = operation({
  route: 'GET /v1/invoices/:id',
  summary: 'Get an invoice',
  description: 'Members without a billing role can get only the invoices that they pay themselves.',
  scope: 'billing:read',
  capability: 'read_own_invoices',
  responses: { 200: invoice },
  examples: { response: openInvoice },
  run: ({ params }, caller, deps) => shownNow(deps, caller, params.id),
});

export const changeInvoice = operation({
  route: 'PATCH /v1/invoices/:id',
  summary: 'Update an invoice',
  description: 'Changes the metadata of an invoice in any status. Nothing else can be changed.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: object({ metadata: fields.sent.metadata }, 'metadata').required(),
  idempotent: getInvoice.run,
  responses: { 200: invoice },
  examples: {
    body: { metadata: { cost_centre: '42' } },
    response: { ...openInvoice, metadata: { cost_centre: '42' } },
  },
  async run({ params: { id }, body }, caller, deps) {
    await change(deps.db, caller, id, body);
    return shownNow(deps, caller, id);
  },
});

const listInvoiceDocuments = operation({
  route: 'GET /v1/invoices/:id/documents',
  summary: 'List documents of an invoice',
  id: 'listInvoiceDocuments',
  description:
    'Returns the documents that were issued to the payer: the invoice, supplements and credit notes. ' +
    'A document keeps its number and never changes.',
  scope: 'billing:read',
  capability: 'read_own_invoices',
  responses: { 200: invoiceDocuments },
  examples: { response: { data: openInvoice.documents } },
  async run({ params }, caller, { db, publicUrl }) {
    const invoice = await visibleInvoice(db.manager, caller, params.id);
    return { data: presentDocuments(caller, invoice, publicUrl) };
  },
});

export const getInvoiceDocumentPdf = operation({
  route: 'GET /v1/invoices/:id/documents/:number.pdf',
  summary: 'Get a document as PDF',
  id: 'getInvoiceDocumentPdf',
  description: 'Counts as 10 requests against the rate limit.',
  scope: 'billing:read',
  capability: 'read_own_invoices',
  cost: PDF_COST,
  concurrent: MAX_DOCUMENTS,
  responses: { 200: { mediaType: 'application/pdf' } },
  async run({ params: { id, number } }, caller, { db: { manager } }) {
    const invoice = await visibleInvoice(manager, caller, id);
    const statements = isStorable(number) && seesStatements(caller, invoice);
    const file = await documentFile(manager, invoice, { number, statements });
    if (!file)
      throw noSuchInvoice(
        'The invoice has no document with this number. Get its documents to see their numbers.',
      );
    return file;
  },
  reply: pdfReply,
});

export const getInvoicePdf = operation({
  route: 'GET /v1/invoices/:id.pdf',
  summary: 'Get an invoice as PDF',
  id: 'getInvoicePdf',
  description:
    'Returns the invoice as it was issued. Fails with 404 `invoice_not_found` if the invoice has not ' +
    'been issued, such as a draft or the invoice of an unpaid booking. Counts as 10 requests against ' +
    'the rate limit.',
  scope: 'billing:read',
  capability: 'read_own_invoices',
  cost: PDF_COST,
  concurrent: MAX_DOCUMENTS,
  responses: { 200: { mediaType: 'application/pdf' } },
  async run({ params }, caller, { db: { manager } }) {
    const file = await invoiceFile(manager, await visibleInvoice(manager, caller, params.id));
    if (!file) throw noSuchInvoice('The invoice has no PDF because it has not been issued yet.');
    return file;
  },
  reply: pdfReply,
});

export const markInvoicePaid = operation({
  route: 'POST /v1/invoices/:id/mark-paid',
  summary: 'Mark an invoice as paid',
  id: 'markInvoicePaid',
  description:
    'Records a payment received outside the payment processor, such as cash or a bank transfer. The ' +
    'invoice stays open until its payments reach the total.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: object(
    {
      amount_minor: integer
        .min(1)
        .max(Number.MAX_SAFE_INTEGER)
        .description('The amount received, in minor units of the currency of the invoice.'),
      paid_at: timestamp.description(
        'The time at which the payment was received, used in lists, exports and the accounting ' +
          'system. Defaults to now.',
      ),
      method: oneOf(SENT_METHODS).description(SENT_METHOD),
      reference: nullable(text(200).allow('')).description(
        'Your reference, such as the number of a bank statement.',
      ),
    },
    'amount_minor',
    'method',
  ).required(),
  idempotent: true,
  responses: { 200: markedPaid },
  errors: ['invoice_managed_by_booking', 'invoice_not_open', 'amount_exceeds_outstanding'],
  examples: {
    body: { amount_minor: 100, method: 'bank_transfer', reference: 'Statement 12' },
    response: { invoice: paidInvoice, payment: transfer },
  },
  async run({ params, body, idempotency }, caller, deps) {
    const { db } = deps;
    const paymentId = await withClosedCheckout(deps, params.id, () =>
      recordPayment(db, caller, params.id, body, idempotency),
    );
    return {
      invoice: await shownNow(deps, caller, params.id),
      payment: presentPayment(await storedPayment(db.manager, caller.workspace_id, paymentId)),
    };
  },
});

export const voidInvoice = operation({
  route: 'POST /v1/invoices/:id/void',
  summary: 'Void an invoice',
  description:
    'Voids an invoice that has no payments, or only payments that were refunded in full, here and in ' +
    'the accounting system. The invoice of a booking on account that has not ended cannot be voided: ' +
    'cancel the booking instead. Subscription invoices can be voided only in the dashboard. Voiding a ' +
    'void invoice returns it unchanged.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: object({
    reason: nullable(text(500).allow('')).description(
      'The reason, shown in the audit log and the email to the payer.',
    ),
    audit_note: nullable(text(2_000).allow('')).description('A note, recorded in the audit log.'),
  }).required(),
  idempotent: getInvoice.run,
  responses: { 200: invoice },
  errors: ['invoice_managed_by_booking', 'invoice_not_mutable', 'invoice_not_open', 'invoice_not_voidable'],
  examples: { body: { reason: 'Sent twice', audit_note: 'Requested by Ada' }, response: voidedInvoice },
  async run({ params: { id }, body }, caller, deps) {
    await withClosedCheckout(deps, id, () => withdraw(deps.db, caller, id, body));
    await syncInvoiceInline(deps, { id, workspace_id: caller.workspace_id });
    return shownNow(deps, caller, id);
  },
});

export const sendInvoice = operation({
  route: 'POST /v1/invoices/:id/send',
  summary: 'Send an invoice',
  description:
    'Emails an issued invoice to the payer as a PDF. Fails with 429 `rate_limited` if the invoice ' +
    'was emailed in the last 10 minutes, including the email that was sent when it was created. ' +
    'Counts as 10 requests against the rate limit.',
  scope: 'billing:write',
  capability: 'write_billing',
  cost: PDF_COST,
  body: emptyBody,
  idempotent: true,
  concurrent: MAX_IN_PROGRESS,
  responses: { 200: sentInvoice },
  errors: ['invoice_managed_by_booking', 'invoice_not_open'],
  examples: {
    body: {},
    response: { invoice_id: EXAMPLE_INVOICE_ID, sent_to: 'accounts@northwind.example' },
  },
  run: async ({ params, idempotency }, caller, { db, mailQuotas }) => ({
    invoice_id: params.id,
    sent_to: await send(db, mailQuotas, caller, params.id, idempotency),
  }),
});

export const remindInvoice = operation({
  route: 'POST /v1/invoices/:id/remind',
  summary: 'Remind a payer',
  description:
    'Emails a reminder of an overdue invoice to its payer, with the payment link. `sent_at` does not ' +
    'change. The next automatic reminder is at least a day later. Fails with 429 `rate_limited` if a ' +
    'reminder was requested in the last 10 minutes.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: emptyBody,
  idempotent: true,
  responses: { 200: sentInvoice },
  errors: ['invoice_managed_by_booking', 'invoice_not_open', 'invoice_not_overdue'],
  examples: {
    body: {},
    response: { invoice_id: EXAMPLE_INVOICE_ID, sent_to: 'accounts@northwind.example' },
  },
  run: async ({ params, idempotency }, caller, { db, mailQuotas }) => ({
    invoice_id: params.id,
    sent_to: await remindPayer(db, mailQuotas, caller, params.id, idempotency),
  }),
});

export const replaceInvoiceLink = operation({
  route: 'POST /v1/invoices/:id/rotate-pay-link',
  summary: 'Replace the payment link',
  id: 'rotatePayLink',
  description:
    'Returns the invoice with a new `pay_url`. The link in earlier emails and responses stops working; ' +
    'later emails contain the new one.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: emptyBody,
  idempotent: getInvoice.run,
  responses: { 200: invoice },
  examples: { body: {}, response: openInvoice },
  async run({ params: { id } }, caller, deps) {
    await replacePayLink(deps.db, caller, id);
    return shownNow(deps, caller, id);
  },
});

export const createInvoiceCheckout = operation({
  route: 'POST /v1/invoices/:id/checkout',
  summary: 'Create a checkout for an invoice',
  id: 'createInvoiceCheckout',
  description:
    'Returns the URL of a hosted page where the outstanding amount can be paid. If the invoice already ' +
    'has an open checkout, its URL is returned.',
  scope: 'billing:write',
  capability: 'pay_own_invoices',
  body: emptyBody,
  idempotent: true,
  responses: { 200: invoiceCheckout },
  errors: [
    'invoice_managed_by_booking',
    'invoice_not_open',
    'processor_unconfigured',
    'amount_too_small',
    'validation_failed',
    'processor_error',
  ],
  examples: {
    body: {},
    response: {
      checkout_url: 'https://checkout.example.com/pay/cs_d4e5f6',
      expires_at: exampleInstant(1, 12),
    },
  },
  async run({ params, idempotency }, caller, deps) {
    const { id } = await visibleInvoice(deps.db.manager, caller, params.id);
    return openCheckout(deps, id, idempotency);
  },
});

export const adjustInvoice = operation({
  route: 'POST /v1/invoices/:id/adjustments',
  summary: 'Adjust a paid invoice',
  id: 'adjustInvoice',
  description:
    'Adjusts a paid invoice. A positive total creates another invoice (`invoice_id`). A negative total ' +
    'creates a credit note and refunds the amount to the original payment method. Only this operation ' +
    'accepts negative unit amounts.',
  scope: 'billing:write',
  capability: 'write_billing',
  body: object(
    {
      lines: adjustingLines.description('The lines of the adjustment. The unit amounts can be negative.'),
      reason: text(500)
        .trim()
        .min(1)
        .description('The reason, shown on the document, in the email to the payer and in the audit log.'),
    },
    'lines',
    'reason',
  ).required(),
  idempotent: true,
  responses: { 200: adjusted, 201: adjusted },
  errors: ['invoice_not_paid', 'invoice_not_mutable', 'amount_exceeds_refundable'],
  examples: {
    body: {
      lines: [{ description: 'Discount', quantity: 1, unit_amount_minor: -50, tax_code: 'ZERO' }],
      reason: 'The projector did not work',
    },
    response: { adjustment: discount, invoice: paidInvoice },
  },
  async run({ params, body, idempotency }, caller, deps) {
    const { workspace_id } = caller;
    const { id, isNew, refunds } = await adjust(deps.db, caller, params.id, body, idempotency);
    for (const refundId of refunds) await startRefund(deps, refundId, workspace_id);
    await awaitRefunds(deps, refunds);
    const adjustment = stillStored(await findAdjustment(deps.db.manager, workspace_id, id));
    return {
      object: {
        adjustment: presentAdjustment(adjustment),
        invoice: await shownNow(deps, caller, params.id),
      },
      isNew,
    };
  },
  reply: created,
});

/** Invoices (docs/rules/billing.md). */
export const invoices: Resource<EventTypesFor<'invoice'>> = {
  tag: 'Invoices',
  operations: [
    listInvoices,
    createInvoice,
    getInvoice,
    changeInvoice,
    listInvoiceDocuments,
    getInvoiceDocumentPdf,
    getInvoicePdf,
    markInvoicePaid,
    voidInvoice,
    sendInvoice,
    remindInvoice,
    replaceInvoiceLink,
    createInvoiceCheckout,
    adjustInvoice,
  ],
  ids: {
    invoices: { name: 'invoice', example: EXAMPLE_INVOICE_ID, notFound: 'invoice_not_found' },
    documents: {
      name: 'document',
      description: 'The number of the document.',
      example: 'HH-12',
      notFound: 'invoice_not_found',
    },
  },
  events,
};
