import { presentCreditNote, presentInvoice } from '../api/present.js';
import { fromCents } from '../bookkeeping/amounts.js';
import { balanceOf } from '../bookkeeping/balance.js';
import { createDocument, updateDocument, type DocumentInput } from '../bookkeeping/documents.js';
import { allocate, createPayment } from '../bookkeeping/payments.js';
import { notFound } from '../http/errors.js';
import type { Simulator } from '../simulator.js';
import type { Document, Organisation } from '../state/records.js';

/** A bookkeeper's changes of an invoice, under Xero's names. */
export interface InvoiceEdit extends Omit<DocumentInput, 'id' | 'number'> {
  InvoiceNumber?: string;
}

/**
 * Edits an invoice as a bookkeeper does in Xero: number and reference at any time, the rest as far as the rules allow.
 * `Status: 'PAID'` receives the amount due on the first bank account.
 */
export function editInvoice({ store }: Simulator, id: string, edit: InvoiceEdit): object {
  const { InvoiceNumber: number, Reference, Status, ...rest } = edit;
  let invoice = store.invoices.get(id);
  if (!invoice) throw notFound();
  const organisation = store.organisations.get(invoice.tenant)!;
  const context = { store, organisation, type: invoice.type, unitDecimals: 4, idempotencyKey: null };
  const words = { number: number ?? invoice.number, reference: Reference ?? invoice.reference };
  invoice = { ...invoice, ...words, updated_at: Date.now() };
  store.invoices.set(id, invoice);
  const pays = Status === 'PAID' && invoice.status !== 'PAID';
  const input = { ...rest, ...(Status && { Status: pays ? ('AUTHORISED' as const) : Status }) };
  if (Object.keys(input).length > 0) invoice = updateDocument(context, invoice, input);
  if (pays) receive(invoice);
  return presentInvoice(store, store.invoices.get(id)!);

  function receive(due: Document): void {
    const Amount = fromCents(balanceOf(store, due).left);
    const { code } = organisation.accounts.find(({ type }) => type === 'BANK')!;
    createPayment(store, organisation, due, { Amount, Account: { Code: code } }, null);
  }
}

/** Adds an approved bill of a supplier. */
export function addBill({ store }: Simulator, organisation: Organisation, number: string): object {
  const context = { store, organisation, type: 'ACCPAY' as const, unitDecimals: 4, idempotencyKey: null };
  const line = { Description: 'Supplies', UnitAmount: 10, AccountCode: '404', TaxType: 'INPUT2' };
  const Contact = { Name: `Supplier of ${number}` };
  const bill = createDocument(context, { number, Contact, LineItems: [line], Status: 'AUTHORISED' });
  return presentInvoice(store, bill);
}

/** Creates an approved credit note for an invoice's contact and applies it to the invoice. */
export function creditInvoice({ store }: Simulator, id: string, amount: number): object {
  const invoice = store.invoices.get(id);
  if (!invoice) throw notFound();
  const organisation = store.organisations.get(invoice.tenant)!;
  const context = {
    store,
    organisation,
    type: 'ACCRECCREDIT' as const,
    unitDecimals: 4,
    idempotencyKey: null,
  };
  const line = { Description: 'Goodwill', UnitAmount: amount, AccountCode: '200', TaxType: 'NONE' };
  const Contact = { ContactID: invoice.contact_id };
  const note = createDocument(context, { Contact, LineItems: [line], Status: 'AUTHORISED' });
  allocate(store, note, invoice, { Amount: amount });
  return presentCreditNote(store, store.credit_notes.get(note.id)!);
}
