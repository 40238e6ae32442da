import { Decimal } from 'decimal.js';
import {
  LineAmountTypes,
  type CreditNote,
  type CurrencyCode,
  type Invoice,
  type LineItem,
  type Payment,
} from 'xero-node';
import { currencyExponent } from '../../../domain/money.js';
import { AccountingRefusal } from '../../failures.js';
import type {
  AccountingDocument,
  AccountingPayment,
  AccountingStatus,
  NewDocument,
  NewLine,
} from '../accounting.js';

/** An amount as Xero has it, in two decimals whatever the currency; a finer one is refused, not rounded. */
export function toAmount(minor: number, currency: string): number {
  const amount = new Decimal(minor).div(10 ** currencyExponent(currency));
  if (amount.decimalPlaces() <= 2) return amount.toNumber();
  throw new AccountingRefusal(
    'amount finer than a hundredth',
    `The books keep two decimals: ${amount.toString()} ${currency} does not fit.`,
  );
}

/** An amount of Xero's in minor units. One that does not come out whole is left so: it differs from any of ours. */
function toMinor(amount: number | undefined, currency: string): number {
  return new Decimal(amount ?? 0).mul(10 ** currencyExponent(currency)).toNumber();
}

/** What an invoice and a credit note have in common: amounts without tax, tax per line, never a line of tax. */
export function toDocument(
  { reference, contact_id, currency, date, lines }: NewDocument,
  accountCode: string,
) {
  return {
    reference,
    contact: { contactID: contact_id },
    currencyCode: currency as unknown as CurrencyCode,
    date,
    lineAmountTypes: LineAmountTypes.Exclusive,
    lineItems: lines.map((line) => toLineItem(line, currency, accountCode)),
  };
}

/** An invoice of Xero's. */
export function readInvoice(invoice: Invoice): AccountingDocument {
  const { invoiceID, invoiceNumber, amountDue } = invoice;
  return read(invoice, invoiceID, invoiceNumber, amountDue);
}

/** A credit note of Xero's. */
export function readCreditNote(note: CreditNote): AccountingDocument {
  const { creditNoteID, creditNoteNumber, remainingCredit } = note;
  return read(note, creditNoteID, creditNoteNumber, remainingCredit);
}

/** A payment of Xero's. */
export function readPayment({ paymentID, reference, amount }: Payment, currency: string): AccountingPayment {
  return { id: paymentID!, reference: reference ?? '', amount_minor: toMinor(amount, currency) };
}

/**
 * A line for Xero, net and tax as we have them. Xero checks quantity × price in hundredths; where that is not our net
 * amount (yen, say, have none) the line is one of its net amount.
 */
function toLineItem(line: NewLine, currency: string, accountCode: string): LineItem {
  const { description, quantity, unit_amount_minor, net_minor, tax_minor, tax_type } = line;
  const net = toAmount(net_minor, currency);
  const exact = new Decimal(quantity).mul(unit_amount_minor).div(10 ** currencyExponent(currency));
  const divides = exact.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).equals(net);
  return {
    description: divides ? description : `${description} (${quantity} ×)`,
    quantity: divides ? Number(quantity) : 1,
    unitAmount: divides ? toAmount(unit_amount_minor, currency) : net,
    lineAmount: net,
    taxAmount: toAmount(tax_minor, currency),
    taxType: tax_type,
    accountCode,
  };
}

function read(
  document: Invoice | CreditNote,
  id: string | undefined,
  number: string | undefined,
  left: number | undefined,
): AccountingDocument {
  const currency = String(document.currencyCode);
  return {
    id: id!,
    number: number!,
    reference: document.reference ?? '',
    status: String(document.status).toLowerCase() as AccountingStatus,
    currency,
    total_minor: toMinor(document.total, currency),
    left_minor: toMinor(left, currency),
    payments: (document.payments ?? []).map((payment) => readPayment(payment, currency)),
  };
}
