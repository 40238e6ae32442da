import type { Accounting } from './accounting.js';
import { createXeroCall, type XeroAccess } from './xero/client.js';
import { createXeroContacts } from './xero/contacts.js';
import { createXeroCreditNotes } from './xero/credit-notes.js';
import { createXeroInvoices } from './xero/invoices.js';
import { createXeroPayments } from './xero/payments.js';

export interface XeroOptions extends XeroAccess {
  /** Account codes in every organisation's chart of accounts: for sales, and for payments and refunds. */
  salesAccount: string;
  paymentAccount: string;
}

/** The accounting gateway for Xero, on Xero's own client (docs/rules/accounting.md). */
export function createXeroAccounting(options: XeroOptions): Accounting {
  const call = createXeroCall(options);
  const documents = {
    ...createXeroInvoices(call, options.salesAccount),
    ...createXeroCreditNotes(call, options.salesAccount),
  };
  return {
    ...createXeroContacts(call),
    ...documents,
    ...createXeroPayments(call, documents, options.paymentAccount),
  };
}
