import joi from 'joi';
import { MANUAL_METHODS } from '../../../domain/payments/methods.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import { dayIn } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { refuse } from '../../../domain/errors.js';
import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import {
  priceLines,
  sumTotals,
  whyNotPay,
  whyNotRecord,
  type LineRequest,
  type LiveBooking,
} from '../../../domain/invoices/invoice.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import { findTaxRate } from '../../../domain/rates/entered-price.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { lineSchema } from '../../../api/resources/invoices/invoice.js';
import {
  adjustInvoice,
  createInvoiceCheckout,
  markInvoicePaid,
  remindInvoice,
  replaceInvoiceLink,
  sendInvoice,
  voidInvoice,
} from '../../../api/resources/invoices/operations.js';
import { createFormats, toOptions, spaced } from '../../ui/formats.js';
import type { Submitted } from '../forms/fields.js';
import { form, type Form, type Sent } from '../forms/form.js';
import { note } from '../forms/inputs.js';
import { pathIn } from '../shared/paths.js';
import type { Confirmation } from '../shared/confirmation.js';
import { amountInput } from '../shared/money-field.js';

/** Facts besides the row that decide what can be done with an invoice. */
export interface ActionFacts {
  booking: LiveBooking | null;
  hasPayments: boolean;
  /** The page is for people who are signed in. */
  byKey: false;
  email: string | null;
}

export interface InvoiceData {
  invoice: InvoiceRow;
  taxCodes: TaxCode[];
  facts: ActionFacts;
}

export const outstandingMoney = (invoice: InvoiceRow) => ({
  amount_minor: outstandingMinor(invoice),
  currency: invoice.currency,
});

export const canBePaid = ({ invoice, facts }: Pick<InvoiceData, 'invoice' | 'facts'>): boolean =>
  outstandingMinor(invoice) > 0 && !whyNotPay(invoice, facts.booking);

export const taxOptions = (taxCodes: TaxCode[]): (readonly [string, string])[] =>
  taxCodes.map(({ code, rate_bps }) => [code, `${code} (${rate_bps / 100}%)`]);

/** The rate of the code that is chosen in a form, or in a row of it; before that, of `initial`. */
export const chosenTaxRate = (taxCodes: TaxCode[], submitted: Submitted | undefined, initial: string) =>
  findTaxRate(taxCodes, [submitted?.tax_code ?? initial].flat()[0]!);

/** The code of an adjustment that is chosen first. */
const usualTaxCode = ({ invoice, taxCodes }: InvoiceData): string =>
  invoice.lines[0]?.tax_code ?? taxCodes[0]!.code;

const inItsCurrency = ({ invoice: { currency } }: InvoiceData) => ({ currency });
const formatInvoiceAmount = (minor: number, { invoice }: InvoiceData, ctx: ApiContext): string =>
  createFormats(ctx).amount(minor, invoice.currency);

export const send: Form<InvoiceData> = form(
  sendInvoice,
  {},
  {
    path: '/send',
    summary: 'Email invoice',
    button: 'Send email',
    hint: 'Sent to the payer as a PDF.',
    notice: ({ sent_to }) => `The invoice is being emailed to ${sent_to}.`,
  },
);

export const remind: Form<InvoiceData> = form(
  remindInvoice,
  {},
  {
    path: '/remind',
    summary: 'Send reminder',
    button: 'Send reminder',
    hint: 'Sent to the payer with the amount due and the payment link.',
    notice: ({ sent_to }) => `A reminder is being emailed to ${sent_to}.`,
  },
);

export const openPage = form(
  createInvoiceCheckout,
  {
    about: note<InvoiceData>(({ ctx, data }) => (
      <p class="hint">
        To pay {formatInvoiceAmount(outstandingMinor(data.invoice), data, ctx)} by card, valid for one day.
        The payment link stays valid and also opens it.
      </p>
    )),
  },
  {
    path: '/checkout',
    capability: 'write_billing',
    summary: 'Payment page',
    button: 'Create page',
    notice: ({ expires_at }, { ctx }) =>
      `Payment page created, valid until ${createFormats(ctx).moment(expires_at)}.`,
  },
);

export const replaceLink = form(
  replaceInvoiceLink,
  {
    about: note<InvoiceData>(({ data }) => (
      <p class="hint">
        Anyone with the link can view the invoice{canBePaid(data) && ' and pay it'}. The current link stops
        working.
      </p>
    )),
  },
  {
    path: '/rotate-link',
    summary: (data: InvoiceData) => (canBePaid(data) ? 'Replace payment link' : 'Replace invoice link'),
    button: 'Replace link',
    rare: true,
    notice: () => 'Link replaced. The previous link no longer works. Email the invoice to send the new one.',
  },
);

/** When money was received: the start of the chosen day, or now for today. */
function receivedAt(startOfDay: string): string {
  const start = Date.parse(startOfDay);
  return new Date(Date.now() - start < DAY_MS ? Math.max(start, Date.now() - 1_000) : start).toISOString();
}

async function confirmPaid(
  { body: { amount_minor, method }, data, ctx }: Sent<{ amount_minor: number; method: string }, InvoiceData>,
  { db }: ApiDependencies,
): Promise<Confirmation> {
  const { invoice } = data;
  const shown = formatInvoiceAmount(amount_minor, data, ctx);
  const left = outstandingMinor(invoice) - amount_minor;
  const { name } = await findPayer(db.manager, invoice.id);
  return {
    title: `Record ${shown} for invoice ${nameOfInvoice(invoice)}`,
    at: '/invoices',
    effects: (
      <p>
        {shown} from {name} by {spaced(method)} is recorded as received.{' '}
        {left > 0
          ? `${formatInvoiceAmount(left, data, ctx)} remains outstanding.`
          : 'The invoice is then paid in full. To undo this, refund the payment.'}
      </p>
    ),
    button: `Record ${shown}`,
  };
}

export const markPaid = form(
  markInvoicePaid,
  {
    about: note<InvoiceData>(() => (
      <p class="hint">Received outside card payments, such as cash or a bank transfer.</p>
    )),
    amount_minor: {
      label: 'Amount ({currency})',
      initial: ({ invoice }: InvoiceData) => amountInput(outstandingMoney(invoice)),
    },
    method: { label: 'Method', options: toOptions(MANUAL_METHODS), initial: 'bank_transfer' },
    paid_at: {
      label: 'Received on',
      kind: 'day',
      days: ({ time_zone }) => ({ max: dayIn(time_zone, new Date()) }),
      initial: (_, { time_zone }) => dayIn(time_zone, new Date()),
    },
    reference: 'Reference',
  },
  {
    path: '/mark-paid',
    summary: 'Record payment',
    button: 'Continue',
    entry: inItsCurrency,
    body({ paid_at, ...entered }, { data: { invoice } }) {
      const amount_minor = Number(entered.amount_minor);
      const outstanding_minor = outstandingMinor(invoice);
      // For an invoice that is not open, the command reports the error.
      if (outstanding_minor > 0)
        refuse(whyNotRecord(amount_minor, { outstanding_minor, currency: invoice.currency }));
      return {
        ...entered,
        amount_minor,
        ...(typeof paid_at === 'string' && { paid_at: receivedAt(paid_at) }),
      };
    },
    confirm: confirmPaid,
    notice({ invoice, payment }, { data, ctx }) {
      const recorded = `${formatInvoiceAmount(payment.amount_minor, data, ctx)} recorded as received.`;
      return invoice.status === 'paid'
        ? `${recorded} The invoice is paid.`
        : `${recorded} ${formatInvoiceAmount(invoice.outstanding_minor, data, ctx)} is outstanding.`;
    },
  },
);

export const withdraw = form(
  voidInvoice,
  {
    about: note<InvoiceData>(({ ctx, data }) => (
      <>
        <p>
          {formatInvoiceAmount(data.invoice.total_minor, data, ctx)} will no longer be due
          {data.invoice.accounting_id !== null && ', and the invoice is voided in the accounting system'}.
          This cannot be undone.
        </p>
        {data.invoice.kind === 'subscription' && (
          <p>
            This month of the plan is not invoiced again. To bill a different amount, create a{' '}
            <a href={pathIn(ctx, '/invoices/new')}>new invoice</a>. The next month is invoiced as usual. To
            stop that, set “Pays for their plan” to “No” on the member’s page.
          </p>
        )}
      </>
    )),
    reason: 'Reason for the payer',
  },
  {
    path: '/void',
    summary: 'Void',
    button: ({ invoice }: InvoiceData) => `Void invoice ${nameOfInvoice(invoice)}`,
    rare: true,
    notice: ({ total_minor }, { data, ctx }) =>
      `Invoice voided. ${formatInvoiceAmount(total_minor, data, ctx)} is no longer due.`,
  },
);

async function confirmAdjusted(
  { body: { lines }, data, ctx }: Sent<{ lines: LineRequest[] }, InvoiceData>,
  { db }: ApiDependencies,
): Promise<Confirmation> {
  const { invoice, taxCodes } = data;
  const { net_minor, tax_minor, total_minor } = sumTotals(priceLines(lines, taxCodes, invoice.currency));
  const show = (minor: number): string => formatInvoiceAmount(Math.abs(minor), data, ctx);
  const { name } = await findPayer(db.manager, invoice.id);
  const { description, unit_amount_minor } = lines[0]!;
  const isCredit = unit_amount_minor < 0;
  return {
    title: isCredit ? `Refund ${show(total_minor)}?` : `Charge ${show(total_minor)} more?`,
    at: '/invoices',
    effects: (
      <p>
        {description}: {show(net_minor)} plus {show(tax_minor)} tax, {show(total_minor)} in total.{' '}
        {isCredit
          ? `It is refunded to ${name} to the original payment method of invoice ` +
            `${nameOfInvoice(invoice)}. This cannot be undone.`
          : `${name} gets a new invoice for this amount, due today.`}
      </p>
    ),
    button: isCredit ? `Refund ${show(total_minor)}` : `Create invoice for ${show(total_minor)}`,
    danger: isCredit,
  };
}

/** Adjusts a paid invoice by one line, whose sign is chosen. */
export const adjust = form(
  adjustInvoice,
  {
    about: note<InvoiceData>(() => (
      <p class="hint">
        A charge creates another invoice. A refund returns money to this invoice’s payments and creates a
        credit note.
      </p>
    )),
    direction: {
      label: 'Adjustment',
      radio: true,
      options: [
        ['credit', 'Refund'],
        ['debit', 'Charge more'],
      ],
      initial: 'credit',
    },
    description: 'Description',
    unit_amount_minor: 'Amount {tax} ({currency})',
    tax_code: {
      label: 'Tax',
      options: ({ taxCodes }: InvoiceData) => taxOptions(taxCodes),
      initial: usualTaxCode,
    },
    adjust_reason: 'Reason for the payer',
  },
  {
    path: '/adjust',
    summary: 'Adjust',
    button: 'Continue',
    schema: lineSchema.keys({
      direction: joi.valid('credit', 'debit').required(),
      adjust_reason: text(500).required(),
    }),
    entry: inItsCurrency,
    taxRate: (data, submitted) => chosenTaxRate(data.taxCodes, submitted, usualTaxCode(data)),
    body({ direction, adjust_reason, ...line }) {
      const amount = Math.abs(Number(line.unit_amount_minor));
      const unit_amount_minor = direction === 'credit' ? -amount : amount;
      return { lines: [{ ...line, quantity: 1, unit_amount_minor }], reason: adjust_reason };
    },
    confirm: confirmAdjusted,
    notice({ object: { adjustment } }, { data, ctx }) {
      const shown = formatInvoiceAmount(Math.abs(adjustment.total_minor), data, ctx);
      return adjustment.kind === 'credit'
        ? `A refund of ${shown} has been requested. Its status is under Payments.`
        : `An invoice for another ${shown} has been created.`;
    },
    to: ({ object: { adjustment } }, { params }) =>
      `/invoices/${'invoice_id' in adjustment ? adjustment.invoice_id : params.id}`,
  },
);

export const invoiceForms = [send, remind, replaceLink, openPage, markPaid, withdraw, adjust];
