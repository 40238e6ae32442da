import { Decimal } from 'decimal.js';
import { dayIn, daysBetween } from '../cycle.js';
import { formatAmount, formatMoney } from '../display.js';
import { ApiError, type Refusal } from '../errors.js';
import { roundToUnit } from '../processor/amounts.js';
import type { TaxCode } from '../rates/price.js';
import { withTax } from './tax.js';
import { canMove, INVOICE_TRANSITIONS, type BookingStatus, type InvoiceStatus } from '../states.js';

/**
 * A line as a client sends it. `quantity` has up to four decimals; the unit amount is in
 * minor units, without tax.
 */
export interface LineRequest {
  description: string;
  quantity: number;
  unit_amount_minor: number;
  tax_code: string;
}

/** A line with its amounts, in minor units. */
export interface InvoiceLine extends LineRequest {
  tax_rate_bps: number;
  net_minor: number;
  tax_minor: number;
  /** Its account in the accounting system; absent or null for the workspace's account. */
  account?: string | null;
}

export interface Totals {
  net_minor: number;
  tax_minor: number;
  total_minor: number;
}

export const INVOICE_KINDS = ['booking', 'ad_hoc', 'adjustment', 'subscription'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** The maximum total of an invoice. All sums up to it are exact integers. */
const MAX_INVOICE_MINOR = 999_999_999_999;

/**
 * Returns lines with their amounts: net = round(quantity × unit amount), and their share of the tax of their
 * rate (docs/rules/billing.md#totals-and-tax). Errors: 422 `validation_failed` for an unknown tax code.
 */
export function priceLines(lines: LineRequest[], taxCodes: TaxCode[], currency: string): InvoiceLine[] {
  const priced = lines.map((line, index) => {
    const tax = taxCodes.find((known) => known.code === line.tax_code);
    if (!tax) {
      throw new ApiError(
        'validation_failed',
        `The workspace has no tax code ${line.tax_code}. Send one of its tax_codes, or add the code ` +
          'first.',
        { param: `lines.${index}.tax_code` },
      );
    }
    const net_minor = roundToUnit(new Decimal(line.quantity).mul(line.unit_amount_minor), currency);
    return { ...line, tax_rate_bps: tax.rate_bps, net_minor };
  });
  return withTax(priced, currency);
}

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Returns the sums of an invoice's lines. */
export function sumTotals(lines: Pick<InvoiceLine, 'net_minor' | 'tax_minor'>[]): Totals {
  const net_minor = sum(lines.map((line) => line.net_minor));
  const tax_minor = sum(lines.map((line) => line.tax_minor));
  return { net_minor, tax_minor, total_minor: net_minor + tax_minor };
}

/** Throws 422 if the total of a new invoice is zero, negative or more than the maximum. */
export function assertInvoiceTotal(total_minor: number, currency: string): void {
  if (total_minor > 0 && total_minor <= MAX_INVOICE_MINOR) return;
  const message =
    total_minor > 0
      ? 'The total of the lines exceeds the maximum amount of an invoice, ' +
        `${formatAmount({ amount_minor: MAX_INVOICE_MINOR, currency })}.`
      : 'The total of the lines must be greater than zero.';
  throw new ApiError('validation_failed', message, { param: 'lines' });
}

/** Returns the net and tax of each rate, in the order in which the rates appear. */
export function taxPerRate<L extends Pick<InvoiceLine, 'tax_rate_bps' | 'net_minor' | 'tax_minor'>>(
  lines: L[],
): Pick<InvoiceLine, 'tax_rate_bps' | 'net_minor' | 'tax_minor'>[] {
  const rates = [...new Set(lines.map(({ tax_rate_bps }) => tax_rate_bps))];
  return rates.map((tax_rate_bps) => {
    const { net_minor, tax_minor } = sumTotals(lines.filter((line) => line.tax_rate_bps === tax_rate_bps));
    return { tax_rate_bps, net_minor, tax_minor };
  });
}

/**
 * Returns the accounting reference of an invoice: `Holdfast #12` or `Holdfast #12 — Order 7`
 * (docs/rules/accounting.md#references).
 */
export function accountingReference(number: number, reference: string | null): string {
  return `Holdfast #${number}${reference ? ` — ${reference}` : ''}`;
}

/** Returns the user's own reference in an accounting reference; null if there is none. */
export const ownReferenceIn = (accountingReference: string): string | null =>
  accountingReference.replace(/^Holdfast #\d+(?: — |$)/, '') || null;

/**
 * Returns the invoice number that somebody typed: that of its document (`12`, `#12`) or of its reference
 * (`Holdfast #12`); null for any other text.
 */
export function invoiceNumberTyped(typed: string): { number: number; of: 'document' | 'reference' } | null {
  const [, reference, number] = /^(holdfast\s*)?#?(\d{1,9})$/i.exec(typed) ?? [];
  return number ? { number: Number(number), of: reference ? 'reference' : 'document' } : null;
}

/** Returns the number of the invoice whose reference is in the text; null if there is none. */
export const invoiceNumberIn = (text: string): number | null => {
  const number = /\bHoldfast #(\d{1,9})\b/.exec(text)?.[1];
  return number ? Number(number) : null;
};

/** The facts that decide what can be done with an invoice. Minor units. */
export interface InvoiceState {
  status: InvoiceStatus;
  kind: InvoiceKind;
}

/** True if payments towards an invoice are expected. */
export const isPayable = ({ status }: Pick<InvoiceState, 'status'>): boolean =>
  canMove(INVOICE_TRANSITIONS.pay, status);

/**
 * Returns for how many days an amount is overdue, counted from the day after the due date in the time zone; 0
 * if it is not overdue.
 */
export const daysOverdue = (due_at: Date, timeZone: string, now: Date): number =>
  Math.max(0, daysBetween(dayIn(timeZone, due_at), dayIn(timeZone, now)));

/** True if an invoice was paid in full, even if the money has since been refunded: it has a receipt. */
export const wasPaid = ({ status }: Pick<InvoiceState, 'status'>): boolean =>
  status === INVOICE_TRANSITIONS.pay.to || status === INVOICE_TRANSITIONS.refund.to;

/** True if an invoice has a document: it was paid, or its payer owes it (docs/rules/billing.md#documents). */
export const isIssued = ({ documents }: { documents: unknown[] }): boolean => documents.length > 0;

/** The booking of an invoice, if it still holds its slot. */
export interface LiveBooking {
  id: string;
  status: BookingStatus;
}

type NotInStatus = Refusal<{ reason: 'status'; status: InvoiceStatus }>;
type Managed = Refusal<{ reason: 'booking' | 'subscription' }>;

const whyManagedByBooking = (booking: LiveBooking | null): Managed | null =>
  booking?.status === 'pending_payment'
    ? {
        code: 'invoice_managed_by_booking',
        message:
          'The invoice belongs to a booking that is awaiting payment. Pay or cancel the booking ' +
          'instead.',
        details: { reason: 'booking' },
      }
    : null;

const whyManagedAutomatically = ({ kind }: Pick<InvoiceState, 'kind'>, message: string): Managed | null =>
  kind === 'subscription'
    ? { code: 'invoice_not_mutable', message, details: { reason: 'subscription' } }
    : null;

const notInStatus = (code: NotInStatus['code'], status: InvoiceStatus, verb: string): NotInStatus => ({
  code,
  message: `An invoice with status ${status} cannot be ${verb}.`,
  details: { reason: 'status', status },
});

/** Returns why an invoice cannot be paid separately, or null (docs/rules/billing.md#invoice-states). */
export const whyNotPay = (
  { status }: Pick<InvoiceState, 'status'>,
  booking: LiveBooking | null,
): NotInStatus | Managed | null =>
  whyManagedByBooking(booking) ??
  (isPayable({ status }) ? null : notInStatus('invoice_not_open', status, 'paid'));

/**
 * Returns why an amount cannot be recorded as paid towards an invoice, or null: less is outstanding. Minor
 * units.
 */
export function whyNotRecord(
  amount_minor: number,
  { outstanding_minor, currency }: { outstanding_minor: number; currency: string },
): Refusal<{ reason: 'amount'; outstanding_minor: number; currency: string }> | null {
  if (amount_minor <= outstanding_minor) return null;
  const most = formatMoney({ amount_minor: outstanding_minor, currency });
  return {
    code: 'amount_exceeds_outstanding',
    message: `The amount exceeds the outstanding amount. Send at most ${most}.`,
    details: { reason: 'amount', outstanding_minor, currency },
    param: 'amount_minor',
  };
}

const VOIDED_BY_PEOPLE =
  'Subscription invoices are managed automatically. An owner or admin can void them in the dashboard.';

/**
 * Returns why an invoice cannot be voided, or null (docs/rules/billing.md#voiding). `hasPayments`: without
 * declined charges and payments that are refunded in full. `byKey`: the request uses an API key or an
 * application's token. Only a signed-in person can void a subscription invoice.
 */
export function whyNotVoid(
  invoice: InvoiceState,
  { booking, hasPayments, byKey }: { booking: LiveBooking | null; hasPayments: boolean; byKey: boolean },
):
  | NotInStatus
  | Managed
  | Refusal<{ reason: 'payments' } | { reason: 'booking'; booking_id: string }>
  | null {
  const managed =
    whyManagedByBooking(booking) ?? (byKey ? whyManagedAutomatically(invoice, VOIDED_BY_PEOPLE) : null);
  if (managed) return managed;
  if (!canMove(INVOICE_TRANSITIONS.void, invoice.status))
    return notInStatus('invoice_not_voidable', invoice.status, 'voided');
  if (booking) {
    const message = 'The invoice belongs to a booking that has not ended yet. Cancel the booking instead.';
    return { code: 'invoice_not_open', message, details: { reason: 'booking', booking_id: booking.id } };
  }
  if (!hasPayments) return null;
  const message = 'An invoice with payments cannot be voided. Refund the payments first.';
  return { code: 'invoice_not_voidable', message, details: { reason: 'payments' } };
}

/** Returns why an invoice cannot be adjusted, or null (docs/rules/billing.md#adjustments). */
export function whyNotAdjust(invoice: InvoiceState): NotInStatus | Managed | null {
  const managed = whyManagedAutomatically(
    invoice,
    'Subscription invoices are managed automatically and cannot be adjusted. Void one while it is ' +
      'unpaid, or refund its payments.',
  );
  if (managed || invoice.status === 'paid') return managed;
  return {
    code: 'invoice_not_paid',
    message: 'Only a paid invoice can be adjusted. Void this invoice and create a new one instead.',
    details: { reason: 'status', status: invoice.status },
  };
}

/**
 * Returns why an invoice cannot be mailed to its payer, or null (docs/rules/mail.md#invoice-mail): it was not
 * issued, or is void. `email`: the payer's address.
 */
export function whyNotSend(
  { status, total_minor }: Pick<InvoiceState, 'status'> & Pick<Totals, 'total_minor'>,
  booking: LiveBooking | null,
  email: string | null,
): NotInStatus | Managed | Refusal<{ reason: 'no_email' }> | null {
  const managed = whyManagedByBooking(booking);
  if (managed) return managed;
  if (status === 'draft' || status === 'cancelled' || status === 'void' || total_minor === 0)
    return notInStatus('invoice_not_open', status, 'sent');
  if (email) return null;
  return {
    code: 'validation_failed',
    message: 'The payer has no email address. Set billing_email on the company first.',
    details: { reason: 'no_email' },
    param: 'billing_email',
  };
}

/**
 * Returns why the payer of an invoice cannot be reminded of it, or null (docs/rules/mail.md#invoice-mail): it
 * cannot be paid or mailed, or is not overdue. `outstanding_minor`: in minor units.
 */
export function whyNotRemind(
  invoice: Pick<InvoiceState, 'status'> & Pick<Totals, 'total_minor'> & { due_at: Date },
  facts: { booking: LiveBooking | null; email: string | null; outstanding_minor: number; time_zone: string },
  now: Date,
): ReturnType<typeof whyNotPay> | ReturnType<typeof whyNotSend> | Refusal<{ reason: 'not_overdue' }> {
  const { booking, email, outstanding_minor, time_zone } = facts;
  const refusal = whyNotPay(invoice, booking) ?? whyNotSend(invoice, booking, email);
  if (refusal) return refusal;
  if (outstanding_minor > 0 && daysOverdue(invoice.due_at, time_zone, now) > 0) return null;
  const message = 'The invoice is not overdue. Send the invoice instead of a reminder.';
  return { code: 'invoice_not_overdue', message, details: { reason: 'not_overdue' } };
}
