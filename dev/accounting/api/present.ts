import { fromCents } from '../bookkeeping/amounts.js';
import { listAllocations, computeBalance, listPayments } from '../bookkeeping/balance.js';
import { wireDate, wireDateText, wireMoment, wireMomentText } from '../dates.js';
import type { Contact, Document, Line, Payment } from '../state/records.js';
import type { Store } from '../state/store.js';

/** An invoice in Xero's shape, with its lines if it is complete. */
export function presentInvoice(store: Store, invoice: Document, complete = true) {
  const { left, paid, allocated } = computeBalance(store, invoice);
  const { due_date, url, fully_paid_on } = invoice;
  return {
    Type: invoice.type,
    InvoiceID: invoice.id,
    InvoiceNumber: invoice.number,
    Reference: invoice.reference,
    Payments: listPayments(store, invoice).map(presentPaymentInside),
    CreditNotes: listAllocations(store, invoice).map(({ credit_note_id, cents, date }) => ({
      CreditNoteID: credit_note_id,
      CreditNoteNumber: store.credit_notes.get(credit_note_id)?.number,
      ID: credit_note_id,
      HasErrors: false,
      AppliedAmount: fromCents(cents),
      DateString: wireDateText(date),
      Date: wireDate(date),
      LineItems: [],
    })),
    Prepayments: [],
    Overpayments: [],
    AmountDue: fromCents(left),
    AmountPaid: fromCents(paid),
    AmountCredited: fromCents(allocated),
    SentToContact: invoice.sent,
    IsDiscounted: false,
    HasErrors: false,
    ...(url && { Url: url }),
    ...(due_date && { DueDateString: wireDateText(due_date), DueDate: wireDate(due_date) }),
    ...(fully_paid_on && { FullyPaidOnDate: wireDate(fully_paid_on) }),
    ...shared(store, invoice, complete),
  };
}

/** A credit note in Xero's shape, with its lines if it is complete. */
export function presentCreditNote(store: Store, note: Document, complete = true) {
  const { left } = computeBalance(store, note);
  return {
    Type: note.type,
    CreditNoteID: note.id,
    CreditNoteNumber: note.number,
    ID: note.id,
    Reference: note.reference,
    Payments: listPayments(store, note).map(presentPaymentInside),
    RemainingCredit: fromCents(left),
    Allocations: listAllocations(store, note).map(({ id, invoice_id, cents, date }) => ({
      AllocationID: id,
      Amount: fromCents(cents),
      Date: wireDate(date),
      Invoice: { InvoiceID: invoice_id, InvoiceNumber: store.invoices.get(invoice_id)?.number },
    })),
    HasErrors: false,
    ...(note.fully_paid_on && { FullyPaidOnDate: wireDate(note.fully_paid_on) }),
    ...shared(store, note, complete),
  };
}

const PAYMENT_TYPES = {
  ACCREC: 'ACCRECPAYMENT',
  ACCPAY: 'ACCPAYPAYMENT',
  ACCRECCREDIT: 'ARCREDITPAYMENT',
  ACCPAYCREDIT: 'APCREDITPAYMENT',
};

/** A payment in Xero's shape. A credit note is in its field `Invoice` too. */
export function presentPayment(store: Store, payment: Payment) {
  const { id, tenant, document_id, account_id, date, cents, currency_rate, reference, status } = payment;
  const document = store.invoices.get(document_id) ?? store.credit_notes.get(document_id);
  const account = store.organisations.get(tenant)?.accounts.find((each) => each.id === account_id);
  return {
    PaymentID: id,
    Date: wireDate(date),
    BankAmount: fromCents(cents),
    Amount: fromCents(cents),
    Reference: reference,
    CurrencyRate: currency_rate,
    PaymentType: PAYMENT_TYPES[document?.type ?? 'ACCREC'],
    Status: status,
    UpdatedDateUTC: wireMoment(payment.updated_at),
    UpdatedDateUTCString: wireMomentText(payment.updated_at),
    HasAccount: true,
    IsReconciled: false,
    Account: { AccountID: account_id, Code: account?.code, Name: account?.name },
    ...(document && { Invoice: presentInsidePayment(store, document) }),
    HasValidationErrors: false,
  };
}

/** A contact in Xero's shape. */
export function presentContact(contact: Contact) {
  return {
    ContactID: contact.id,
    ContactNumber: contact.number ?? '',
    ContactStatus: contact.archived ? 'ARCHIVED' : 'ACTIVE',
    Name: contact.name,
    FirstName: contact.first_name ?? '',
    LastName: contact.last_name ?? '',
    EmailAddress: contact.email ?? '',
    Addresses: [],
    Phones: [],
    UpdatedDateUTC: wireMoment(contact.updated_at),
    ContactGroups: [],
    IsSupplier: false,
    IsCustomer: true,
    ContactPersons: [],
    HasAttachments: false,
    HasValidationErrors: false,
  };
}

function shared(store: Store, document: Document, complete: boolean) {
  const { sub_total, total_tax, total } = computeBalance(store, document);
  const contact = store.contacts.get(document.contact_id);
  return {
    CurrencyRate: document.currency_rate,
    HasAttachments: false,
    ...(contact && { Contact: presentContact(contact) }),
    DateString: wireDateText(document.date),
    Date: wireDate(document.date),
    Status: document.status,
    LineAmountTypes: document.line_amount_types,
    LineItems: complete ? document.lines.map(presentLine) : [],
    SubTotal: fromCents(sub_total),
    TotalTax: fromCents(total_tax),
    Total: fromCents(total),
    UpdatedDateUTC: wireMoment(document.updated_at),
    UpdatedDateUTCString: wireMomentText(document.updated_at),
    CurrencyCode: document.currency,
  };
}

function presentLine(line: Line) {
  return {
    LineItemID: line.id,
    ...(line.description !== null && { Description: line.description }),
    Quantity: line.quantity,
    UnitAmount: line.unit_amount,
    TaxType: line.tax_type,
    TaxAmount: fromCents(line.tax_cents),
    LineAmount: fromCents(line.line_cents),
    ...(line.account_code !== null && { AccountCode: line.account_code }),
    Tracking: [],
  };
}

function presentPaymentInside({ id, date, cents, reference, currency_rate }: Payment) {
  return {
    PaymentID: id,
    Date: wireDate(date),
    Amount: fromCents(cents),
    Reference: reference,
    CurrencyRate: currency_rate,
    HasAccount: false,
    HasValidationErrors: false,
  };
}

function presentInsidePayment(store: Store, document: Document) {
  const { total, left, paid } = computeBalance(store, document);
  const contact = store.contacts.get(document.contact_id);
  return {
    Type: document.type,
    InvoiceID: document.id,
    InvoiceNumber: document.number,
    Reference: document.reference,
    Status: document.status,
    AmountDue: fromCents(left),
    AmountPaid: fromCents(paid),
    Total: fromCents(total),
    HasErrors: false,
    IsDiscounted: false,
    ...(contact && { Contact: { ContactID: contact.id, Name: contact.name } }),
    LineItems: [],
    CurrencyCode: document.currency,
  };
}
