import type { DataSource } from 'typeorm';
import { currentContact, forgetContact, saveContact } from '../../commands/accounting/contacts.js';
import {
  type DocumentContent,
  findDocumentContent,
  findPaymentTerms,
} from '../../db/queries/accounting/document-content.js';
import { mayBeFormerContact, type StoredDocument } from '../../db/queries/accounting/document.js';
import { nextPayment, type AccountingStep } from '../../domain/accounting/documents.js';
import { AccountingRefusal, failures } from '../failures.js';
import {
  assertOurDocument,
  isOurDocument,
  documentIdentity,
  type Accounting,
  type AccountingDocument,
  type DocumentIdentity,
  type NewLine,
} from '../gateways/accounting.js';

/** A planned write. `attempt` counts the attempts to create its document, from 1. */
export type PlannedStep = AccountingStep & { attempt: number };

/** Who makes a write, and how often they have started it. */
export interface Writer {
  /** The key of a run's activity or a worker's claim. No other writer has the same. */
  key: string;
  attempt: number;
}

/** A document to be written, stored before its first attempt. */
export type DocumentToWrite = Pick<
  StoredDocument,
  'source_id' | 'workspace_id' | 'invoice_id' | 'kind' | 'number' | 'accounting_id'
>;

type ExistingDocument = DocumentToWrite & { accounting_id: string };

/**
 * Executes single writes to the accounting system. A retry first looks for what an earlier attempt may have
 * written, by a number or reference that only we use. Throws `AccountingRefusal` if the accounting system
 * refuses the write.
 */
export function createDocumentWriter({ db, accounting }: { db: DataSource; accounting: Accounting }) {
  const readContent = (invoiceId: string, sourceId: string): Promise<DocumentContent> =>
    findDocumentContent(db.manager, invoiceId, sourceId);

  function existing(document: DocumentToWrite): ExistingDocument {
    const { accounting_id, source_id } = document;
    if (!accounting_id) throw failures.referenceMissing(`document of ${source_id}`);
    return { ...document, accounting_id };
  }

  /**
   * Returns the id of the payer's contact in the accounting system. It is only requested if the name or
   * address has changed.
   */
  async function ensureContact(content: DocumentContent, key: string): Promise<string> {
    const { workspace_id, payer } = content;
    const known = currentContact(content);
    if (known) return known;
    const contactId = await accounting.ensureContact(workspace_id, payer, `${key}:contact`);
    await saveContact(db.manager, workspace_id, payer, contactId);
    return contactId;
  }

  /** Creates a document. If its contact is refused, the next attempt looks up the contact again. */
  async function forContact<T>({ workspace_id, payer }: DocumentContent, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AccountingRefusal && /contact/i.test(error.reason))
        await forgetContact(db.manager, workspace_id, payer);
      throw error;
    }
  }

  /**
   * Returns the document if an earlier attempt created it, perhaps for an address of its guest that has
   * changed since; otherwise null. Throws `NumberTaken` if its number belongs to another document.
   */
  async function ownDocument(
    found: AccountingDocument | null | undefined,
    { source_id }: DocumentToWrite,
    ours: DocumentIdentity,
  ): Promise<AccountingDocument | null> {
    if (!found || found.status === 'deleted' || found.status === 'voided') return null;
    if (isOurDocument(found, ours)) return found;
    const isFormer = await mayBeFormerContact(db.manager, source_id, found.contact_id);
    return assertOurDocument(found, isFormer ? { ...ours, contact_id: null } : ours);
  }

  async function create(document: DocumentToWrite, approved: boolean, key: string, retried: boolean) {
    const { invoice_id, source_id, number } = document;
    const content = await readContent(invoice_id, source_id);
    const { workspace_id, reference, currency, date, due_date, lines, tax_types, sales_account } = content;
    const contact_id = await ensureContact(content, key);
    const invoice = {
      number,
      reference,
      contact_id,
      currency,
      date,
      due_date,
      sales_account,
      lines: lines.map((line) => toLine(line, tax_types)),
    };
    if (retried) {
      const [found] = await accounting.findInvoices(workspace_id, [number]);
      const ours = await ownDocument(found, document, documentIdentity(invoice));
      if (ours) return ours;
    }
    const status = approved ? 'authorised' : 'submitted';
    return forContact(content, () => accounting.createInvoice(workspace_id, invoice, status, key));
  }

  async function credit(document: DocumentToWrite, key: string, retried: boolean) {
    const { invoice_id, source_id, number } = document;
    const content = await readContent(invoice_id, source_id);
    const { workspace_id, reference, currency, date, lines, tax_types, sales_account } = content;
    const contact_id = await ensureContact(content, key);
    const note = {
      number,
      reference,
      contact_id,
      currency,
      date,
      sales_account,
      lines: lines.map((line) => toLine(line, tax_types)),
    };
    if (retried) {
      const found = await accounting.findCreditNote(workspace_id, number);
      const ours = await ownDocument(found, document, documentIdentity(note));
      if (ours) return ours;
    }
    return forContact(content, () => accounting.createCreditNote(workspace_id, note, key));
  }

  /**
   * Makes one payment of an invoice, or one refund of a credit note: the next part of its money that the
   * document lacks there, according to the references of those it has. The document is read first, unless it
   * was written a moment ago.
   */
  async function pay(document: ExistingDocument, key: string, last: AccountingDocument | null) {
    const { workspace_id, invoice_id, source_id, accounting_id } = document;
    const isCredit = document.kind === 'credit_note';
    const read = isCredit ? accounting.readCreditNote : accounting.readInvoice;
    const current = last?.id === accounting_id ? last : await read(workspace_id, accounting_id);
    if (!current)
      throw new AccountingRefusal('document missing', 'The document is no longer in the accounting system.');
    // Someone changed it in the accounting system. The next plan finds the difference and reports it.
    const terms = await findPaymentTerms(db.manager, invoice_id, source_id);
    if (current.status !== 'authorised' || current.total_minor !== terms.total_minor) return current;
    if (current.credited_minor > 0) return current;
    const part = nextPayment(terms.parts, { ...current, paid: current.payments });
    if (!part) return { ...current, status: 'paid' as const };
    const { currency, payment_account } = terms;
    const payment = {
      document_id: accounting_id,
      account: payment_account,
      reference: part.reference,
      amount_minor: part.amount_minor,
      currency,
      date: part.day,
    };
    const send = isCredit ? accounting.refundCreditNote : accounting.payInvoice;
    const made = await send(workspace_id, payment, `${key}:${part.source_id}`);
    const outstanding_minor = current.outstanding_minor - made.amount_minor;
    const status = outstanding_minor > 0 ? current.status : ('paid' as const);
    return { ...current, status, outstanding_minor, payments: [...current.payments, made] };
  }

  /** Voids an invoice. Returns null if it was never created. */
  async function voidDocument(document: DocumentToWrite, key: string): Promise<AccountingDocument | null> {
    const { workspace_id, accounting_id, number } = document;
    if (accounting_id) return accounting.voidInvoice(workspace_id, accounting_id, key);
    const content = await readContent(document.invoice_id, document.source_id);
    const { reference, total_minor, contact } = content;
    // The contact's current name and address do not matter.
    const contact_id = contact?.contact_id ?? null;
    const [found] = await accounting.findInvoices(workspace_id, [number]);
    const ours = await ownDocument(found, document, { reference, total_minor, contact_id });
    return ours && accounting.voidInvoice(workspace_id, ours.id, key);
  }

  async function rename(
    { workspace_id, accounting_id, invoice_id, source_id }: ExistingDocument,
    key: string,
  ) {
    const { reference } = await readContent(invoice_id, source_id);
    const renamed = await accounting.setReference(workspace_id, accounting_id, reference, key);
    if (renamed.reference === reference) return renamed;
    const message = 'The accounting system accepted the new reference but did not store it.';
    throw new AccountingRefusal('not renamed', message);
  }

  /**
   * Executes one write. `last` is the result of the previous write. Returns the document as the accounting
   * system has it; null if there was nothing to void.
   */
  return async function write(
    step: PlannedStep,
    document: DocumentToWrite,
    last: AccountingDocument | null,
    writer: Writer,
  ): Promise<AccountingDocument | null> {
    // A document can get another number.
    const what = step.do === 'create' ? `create:${document.number}` : step.do;
    // Only valid for this attempt: for some minutes the accounting system repeats the response to a key,
    // including errors.
    const key = `${step.source_id}:${what}:${writer.key}:${writer.attempt}`;
    const retried = step.attempt > 1 || writer.attempt > 1;
    switch (step.do) {
      case 'create':
        return create(document, step.approved, key, retried);
      case 'credit':
        return credit(document, key, retried);
      case 'void':
        return voidDocument(document, key);
      case 'rename':
        return rename(existing(document), key);
      case 'pay':
      case 'refund':
        return pay(existing(document), key, last);
      case 'approve': {
        const { workspace_id, accounting_id } = existing(document);
        return accounting.authoriseInvoice(workspace_id, accounting_id, key);
      }
    }
  };
}

/**
 * Returns a line with the accounting system's name of its tax. Throws `AccountingRefusal` if the tax code no
 * longer exists.
 */
function toLine(line: DocumentContent['lines'][number], taxTypes: DocumentContent['tax_types']): NewLine {
  const tax_type = taxTypes[line.tax_code];
  if (!tax_type) {
    const message = `The workspace no longer has the tax code ${line.tax_code}. Add it again.`;
    throw new AccountingRefusal('tax code', message);
  }
  const { description, quantity, unit_amount_minor, net_minor, tax_minor, account = null } = line;
  return { description, quantity, unit_amount_minor, net_minor, tax_minor, tax_type, account };
}
