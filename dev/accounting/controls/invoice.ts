import { presentCreditNote, presentInvoice } from '../api/present.js';
import { fromCents } from '../bookkeeping/amounts.js';
import { computeBalance } from '../bookkeeping/balance.js';
import {
  internalDocumentContext,
  createApproved,
  updateDocument,
  type DocumentInput,
} from '../bookkeeping/documents.js';
import { allocate, createPayment } from '../bookkeeping/payments.js';
import { notFound } from '../http/errors.js';
import type { Document, Organisation } from '../state/records.js';
import type { Store } from '../state/store.js';

/** A bookkeeper's changes to an invoice, under Xero's names. */
export interface InvoiceEdit extends Omit<DocumentInput, 'id' | 'number'> {
  InvoiceNumber?: string;
}

/** A past document: one line of `net`, taxed at 20 %. */
export interface PastDocument {
  kind: 'invoice' | 'credit_note';
  number: string;
  reference: string;
  net: number;
}

/**
 * Edits an invoice as a bookkeeper does in Xero: number and reference at any time, the rest as far as the
 * rules allow. `Status: 'PAID'` receives the amount due on the first bank account.
 */
export function editInvoice(store: Store, id: string, edit: InvoiceEdit): object {
  const { InvoiceNumber: number, Reference, Status, ...rest } = edit;
  let [invoice, organisation] = found(store, id);
  const words = { number: number ?? invoice.number, reference: Reference ?? invoice.reference };
  invoice = { ...invoice, ...words, updated_at: Date.now() };
  store.invoices.set(id, invoice);
  const pays = Status === 'PAID' && invoice.status !== 'PAID';
  const input = { ...rest, ...(Status && { Status: pays ? ('AUTHORISED' as const) : Status }) };
  if (Object.keys(input).length > 0)
    invoice = updateDocument(internalDocumentContext(store, organisation, invoice.type), invoice, input);
  if (pays) settle(store, organisation, invoice, fromCents(computeBalance(store, invoice).left));
  return presentInvoice(store, store.invoices.get(id)!);
}

/** Adds an approved bill of a supplier. */
export function addBill(store: Store, organisation: Organisation, number: string): object {
  const line = { Description: 'Supplies', UnitAmount: 10, AccountCode: '404', TaxType: 'INPUT2' };
  const Contact = { Name: `Supplier of ${number}` };
  return presentInvoice(
    store,
    createApproved(internalDocumentContext(store, organisation, 'ACCPAY'), { number, Contact }, line),
  );
}

/** Creates an approved credit note for an invoice's contact and applies it to the invoice. */
export function creditInvoice(store: Store, id: string, amount: number): object {
  const [invoice, organisation] = found(store, id);
  const line = { Description: 'Goodwill', UnitAmount: amount, AccountCode: '200', TaxType: 'NONE' };
  const Contact = { ContactID: invoice.contact_id };
  const note = createApproved(
    internalDocumentContext(store, organisation, 'ACCRECCREDIT'),
    { Contact },
    line,
  );
  allocate(store, note, invoice, { Amount: amount });
  return presentCreditNote(store, store.credit_notes.get(note.id)!);
}

/**
 * Adds approved and paid documents, as if an app had written them over months. Returns their ids, in order.
 */
export function addHistory(store: Store, organisation: Organisation, documents: PastDocument[]): object {
  const ids = documents.map(({ kind, number, reference, net }) => {
    const context = internalDocumentContext(
      store,
      organisation,
      kind === 'invoice' ? 'ACCREC' : 'ACCRECCREDIT',
    );
    const line = { Description: 'Room', UnitAmount: net, AccountCode: '200', TaxType: 'OUTPUT2' };
    const Contact = { Name: 'Grace Guest' };
    const document = createApproved(context, { number, Reference: reference, Contact }, line);
    settle(store, organisation, document, net * 1.2);
    return document.id;
  });
  return { ids };
}

function found(store: Store, id: string): [Document, Organisation] {
  const invoice = store.invoices.get(id);
  if (!invoice) throw notFound();
  return [invoice, store.organisations.get(invoice.tenant)!];
}

/** Pays a document on the first bank account. */
function settle(store: Store, organisation: Organisation, document: Document, Amount: number): void {
  const { code } = organisation.accounts.find(({ type }) => type === 'BANK')!;
  createPayment(store, organisation, document, { Amount, Account: { Code: code } }, null);
}
