import { Decimal } from 'decimal.js';
import {
  LineAmountTypes,
  type CreditNote,
  type CurrencyCode,
  type Invoice,
  type LineItem,
  type Payment,
} from './sdk.js';
import { currencyExponent } from '../../../domain/money.js';
import { AccountingRefusal } from '../../failures.js';
import type {
  AccountingDocument,
  AccountingPayment,
  AccountingStatus,
  ListedInvoice,
  NewDocument,
  NewLine,
} from '../accounting.js';

/**
 * Converts an amount for Xero, which uses two decimals in every currency. An amount with more decimals is
 * refused, not rounded.
 */
export function toAmount(minor: number, currency: string): number {
  const amount = new Decimal(minor).div(10 ** currencyExponent(currency));
  if (amount.decimalPlaces() <= 2) return amount.toNumber();
  throw new AccountingRefusal(
    'amount finer than a hundredth',
    `The accounting system stores two decimals: ${amount.toString()} ${currency} does not fit.`,
  );
}

/**
 * Converts an amount from Xero to minor units. A fraction is kept, so that it differs from any amount of
 * ours.
 */
function toMinor(amount: number | undefined, currency: string): number {
  return new Decimal(amount ?? 0).mul(10 ** currencyExponent(currency)).toNumber();
}

/** Converts what invoices and credit notes have in common: amounts without tax, and tax per line. */
export function toDocument({
  reference,
  contact_id,
  currency,
  date,
  lines,
  sales_account: accountCode,
}: NewDocument) {
  return {
    reference,
    contact: { contactID: contact_id },
    currencyCode: currency as unknown as CurrencyCode,
    date,
    lineAmountTypes: LineAmountTypes.Exclusive,
    lineItems: lines.map((line) => toLineItem(line, currency, accountCode)),
  };
}

/** Converts an invoice from Xero. */
export function readInvoice(invoice: Invoice): AccountingDocument {
  const { invoiceID, invoiceNumber, amountDue, amountCredited } = invoice;
  return read(invoice, invoiceID, invoiceNumber, amountDue, amountCredited);
}

/** Converts an invoice from a list that includes its lines. */
export const readListedInvoice = (invoice: Invoice): ListedInvoice => ({
  ...readInvoice(invoice),
  descriptions: (invoice.lineItems ?? []).map(({ description }) => description ?? ''),
});

/** Converts a credit note from Xero. */
export function readCreditNote(note: CreditNote): AccountingDocument {
  const { creditNoteID, creditNoteNumber, remainingCredit, allocations = [] } = note;
  const allocated = allocations.reduce((sum, { amount }) => sum.add(amount ?? 0), new Decimal(0));
  return read(note, creditNoteID, creditNoteNumber, remainingCredit, allocated.toNumber());
}

/** Converts a payment from Xero. */
export function readPayment({ paymentID, reference, amount }: Payment, currency: string): AccountingPayment {
  return { id: paymentID!, reference: reference ?? '', amount_minor: toMinor(amount, currency) };
}

/**
 * Converts a line for Xero with our net amount and tax. Xero checks quantity × price in hundredths. If that
 * differs from our net amount, as with yen, or the price has more decimals, the line has quantity 1 and the
 * net amount as its price.
 */
function toLineItem(line: NewLine, currency: string, accountCode: string): LineItem {
  const { description, quantity, unit_amount_minor, net_minor, tax_minor, tax_type, account } = line;
  const net = toAmount(net_minor, currency);
  const price = new Decimal(unit_amount_minor).div(10 ** currencyExponent(currency));
  const exact = price.mul(quantity).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  const divides = price.decimalPlaces() <= 2 && exact.equals(net);
  return {
    description: divides ? description : `${description} (${quantity} ×)`,
    quantity: divides ? Number(quantity) : 1,
    unitAmount: divides ? price.toNumber() : net,
    lineAmount: net,
    taxAmount: toAmount(tax_minor, currency),
    taxType: tax_type,
    accountCode: account ?? accountCode,
  };
}

function read(
  document: Invoice | CreditNote,
  id: string | undefined,
  number: string | undefined,
  left: number | undefined,
  credited: number | undefined,
): AccountingDocument {
  const currency = String(document.currencyCode);
  return {
    id: id!,
    number: number!,
    reference: document.reference ?? '',
    contact_id: document.contact?.contactID ?? '',
    status: String(document.status).toLowerCase() as AccountingStatus,
    currency,
    total_minor: toMinor(document.total, currency),
    outstanding_minor: toMinor(left, currency),
    credited_minor: toMinor(credited, currency),
    payments: (document.payments ?? []).map((payment) => readPayment(payment, currency)),
  };
}
