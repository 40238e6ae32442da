import type { Accounting } from './accounting.js';
import { createXeroChart } from './xero/chart.js';
import { createXeroCall, type XeroAccess } from './xero/client.js';
import { createXeroContacts } from './xero/contacts.js';
import { createXeroCreditNotes } from './xero/credit-notes.js';
import { createXeroInvoices } from './xero/invoices.js';
import { createXeroPayments } from './xero/payments.js';

/** Creates the accounting gateway for Xero, on Xero's own client (docs/rules/accounting.md). */
export function createXeroAccounting(options: XeroAccess): Accounting {
  const call = createXeroCall(options);
  const documents = {
    ...createXeroInvoices(call),
    ...createXeroCreditNotes(call),
  };
  return {
    ...createXeroChart(call),
    ...createXeroContacts(call),
    ...documents,
    ...createXeroPayments(call, documents),
  };
}
