import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import joi from 'joi';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { startOfDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { refuse } from '../../../domain/errors.js';
import { priceLines, totalsOf, whyNotRecord } from '../../../domain/invoices/invoice.js';
import { outstandingOf, type PresentedInvoice } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { adjust } from '../../../api/resources/invoices/adjust.js';
import { checkout } from '../../../api/resources/invoices/checkout.js';
import { markPaid } from '../../../api/resources/invoices/mark-paid.js';
import { invoiceOf } from '../../../api/resources/invoices/read.js';
import {
  adjustSchema,
  lineSchema,
  markPaidSchema,
  voidSchema,
  type AdjustBody,
} from '../../../api/resources/invoices/shape.js';
import { rotateLink } from '../../../api/resources/invoices/rotate-link.js';
import { send } from '../../../api/resources/invoices/send.js';
import { voidInvoice } from '../../../api/resources/invoices/void.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { formatsOf, spaced } from '../../ui/formats.js';
import { amountEntered } from '../shared/money-field.js';
import type { FormRoute } from '../shared/section.js';
import { textFields } from '../shared/declared-fields.js';

const toInvoice = (ctx: ApiContext): string => `/invoices/${ctx.params.id}`;

const sendForm = apiForm<unknown, { sent_to: string }>({
  handler: send,
  notice: ({ sent_to }) => `The invoice is being emailed to ${sent_to}.`,
  to: toInvoice,
});

/** Replaces the payer's link like `POST /v1/invoices/{id}/rotate-pay-link`. */
const rotateLinkForm = apiForm({
  handler: rotateLink,
  notice: () => 'Link replaced; the previous one no longer works. Email the invoice to send the new link.',
  to: toInvoice,
});

const checkoutForm = apiForm<unknown, { checkout_url: string; expires_at: string }>({
  handler: checkout,
  notice: ({ expires_at }, ctx) =>
    `Card payment page created, valid until ${formatsOf(ctx).moment(new Date(expires_at))}.`,
  to: toInvoice,
});

interface MarkPaidForm {
  amount_minor: string;
  method: string;
  paid_at: string;
  reference?: string;
}

/** The start of the day on which money was received; today counts as now. */
function receivedAt(day: string, timeZone: string): string {
  const start = startOfDay(day, timeZone).getTime();
  return new Date(Date.now() - start < DAY_MS ? Math.max(start, Date.now() - 1_000) : start).toISOString();
}

const markPaidForm = apiForm<MarkPaidForm, { invoice: PresentedInvoice; payment: { amount_minor: number } }>({
  handler: markPaid,
  schema: markPaidSchema,
  async body({ amount_minor, method, paid_at, reference }, ctx, deps) {
    const invoice = await invoiceOf(ctx, deps);
    const entered = amountEntered(amount_minor, invoice.currency, 'amount_minor') ?? 0;
    const outstanding_minor = outstandingOf(invoice);
    // Of an invoice that is not open, the command says so.
    if (outstanding_minor > 0)
      refuse(whyNotRecord(entered, { outstanding_minor, currency: invoice.currency }));
    return {
      amount_minor: entered,
      method,
      ...(paid_at && { paid_at: receivedAt(paid_at, ctx.state.membership!.time_zone) }),
      reference: reference ?? '',
    };
  },
  async confirm({ method }, ctx, deps) {
    const invoice = await invoiceOf(ctx, deps);
    const { amount } = formatsOf(ctx);
    const { amount_minor } = ctx.state.body as { amount_minor: number };
    const shown = amount(amount_minor, invoice.currency);
    const left = outstandingOf(invoice) - amount_minor;
    const { name } = await findPayer(deps.db.manager, invoice.id);
    return {
      title: `Record ${shown} for invoice ${nameOfInvoice(invoice)}`,
      at: '/invoices',
      effects: (
        <p>
          {shown} from {name} by {spaced(method)} is recorded as received.{' '}
          {left > 0
            ? `${amount(left, invoice.currency)} remains outstanding.`
            : 'The invoice is then paid in full. To undo this, refund the payment.'}
        </p>
      ),
      button: `Record ${shown}`,
    };
  },
  notice: ({ invoice, payment }, ctx) => {
    const { amount } = formatsOf(ctx);
    const recorded = `${amount(payment.amount_minor, invoice.currency)} recorded as received.`;
    return invoice.status === 'paid'
      ? `${recorded} The invoice is paid.`
      : `${recorded} ${amount(invoice.outstanding_minor, invoice.currency)} is outstanding.`;
  },
  to: toInvoice,
});

const voidForm = apiForm<{ reason?: string }, PresentedInvoice>({
  handler: voidInvoice,
  schema: voidSchema,
  body: ({ reason }) => ({ reason: reason ?? '' }),
  notice: ({ total_minor, currency }, ctx) =>
    `Invoice voided. ${formatsOf(ctx).amount(total_minor, currency)} is no longer due.`,
  to: toInvoice,
});

interface AdjustForm {
  direction: 'credit' | 'debit';
  description: string;
  unit_amount_minor: string;
  tax_code: string;
  adjust_reason: string;
}

const adjustForm = apiForm<
  AdjustForm,
  { adjustment: { kind: string; total_minor: number; invoice_id?: string }; invoice: PresentedInvoice }
>({
  handler: adjust,
  schema: adjustSchema,
  async body({ direction, description, unit_amount_minor, tax_code, adjust_reason }, ctx, deps) {
    const { currency } = await invoiceOf(ctx, deps);
    const entered = Math.abs(amountEntered(unit_amount_minor, currency, 'unit_amount_minor') ?? 0);
    const signed = direction === 'credit' ? -entered : entered;
    return {
      lines: [{ description, quantity: 1, unit_amount_minor: signed, tax_code }],
      reason: adjust_reason,
    };
  },
  async confirm({ direction, description }, ctx, deps) {
    const invoice = await invoiceOf(ctx, deps);
    const workspace = await findWorkspace(deps.db.manager, invoice.workspace_id);
    const { lines } = ctx.state.body as AdjustBody;
    const { net_minor, tax_minor, total_minor } = totalsOf(
      priceLines(lines, workspace!.tax_codes, invoice.currency),
    );
    const { amount } = formatsOf(ctx);
    const show = (minor: number) => amount(Math.abs(minor), invoice.currency);
    const { name } = await findPayer(deps.db.manager, invoice.id);
    const credit = direction === 'credit';
    return {
      title: credit ? `Refund ${show(total_minor)}?` : `Charge ${show(total_minor)} more?`,
      at: '/invoices',
      effects: (
        <p>
          {description}: {show(net_minor)} and {show(tax_minor)} of tax, {show(total_minor)} in total.{' '}
          {credit
            ? `It is refunded to ${name} to the original payment method of invoice ` +
              `${nameOfInvoice(invoice)}. This cannot be undone.`
            : `${name} gets a new invoice for this amount, due today.`}
        </p>
      ),
      button: credit ? `Refund ${show(total_minor)}` : `Create invoice for ${show(total_minor)}`,
      danger: credit,
    };
  },
  notice: ({ adjustment, invoice }, ctx) => {
    const shown = formatsOf(ctx).amount(Math.abs(adjustment.total_minor), invoice.currency);
    return adjustment.kind === 'credit'
      ? `A refund of ${shown} has been requested. Its status is under Payments.`
      : `An invoice for another ${shown} has been created.`;
  },
  to: (ctx, { adjustment }) => `/invoices/${adjustment.invoice_id ?? ctx.params.id}`,
});

/** The forms of an invoice's page. */
export const invoiceForms: FormRoute[] = [
  ['/send', hiddenFields, sendForm, 'write_billing'],
  ['/rotate-link', hiddenFields, rotateLinkForm, 'write_billing'],
  ['/checkout', hiddenFields, checkoutForm, 'write_billing'],
  [
    '/mark-paid',
    {
      ...hiddenFields,
      amount_minor: text(30).required(),
      ...textFields(markPaidSchema, 'method', 'reference'),
      paid_at: joi.string().isoDate().allow(''),
    },
    markPaidForm,
    'write_billing',
  ],
  ['/void', { ...hiddenFields, ...textFields(voidSchema, 'reason') }, voidForm, 'write_billing'],
  [
    '/adjust',
    {
      ...hiddenFields,
      direction: joi.valid('credit', 'debit').required(),
      ...textFields(lineSchema, 'description', 'tax_code'),
      unit_amount_minor: text(30).required(),
      adjust_reason: text(500).required(),
    },
    adjustForm,
    'write_billing',
  ],
];
