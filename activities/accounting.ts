import { activityInfo } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { findContact, saveContact } from '../db/repositories/accounting/contacts.js';
import {
  type DocumentContent,
  findCredit,
  findDocumentContent,
  findPaidDay,
  findTaxParts,
} from '../db/repositories/accounting/document-content-queries.js';
import {
  findDocument,
  findDocumentsOf,
  type StoredDocument,
} from '../db/repositories/accounting/document-queries.js';
import {
  deleteDocument,
  type DocumentUpdate,
  recordDocument,
  startDocumentAttempt,
} from '../db/repositories/accounting/documents.js';
import {
  type AccountingInvoice,
  findAccountingInvoice,
} from '../db/repositories/accounting/invoice-view-queries.js';
import {
  completeAccountingUpdate,
  setAccountingError,
} from '../db/repositories/accounting/pending-updates.js';
import { authoriseInvoice } from '../db/repositories/billing/invoice-lifecycle.js';
import { lockInvoice } from '../db/repositories/billing/invoices.js';
import { enqueueOwnerMail } from '../db/repositories/mail/owner-mails.js';
import { transaction } from '../db/transaction.js';
import {
  accountingNumber,
  accountingProblem,
  nextAccountingStep,
  splitOverTaxCodes,
  type AccountingStep,
} from '../domain/accounting.js';
import { AccountingRefusal, failures, isDisconnected } from './failures.js';
import type { Accounting, AccountingDocument, NewLine } from './gateways/accounting.js';

/** After so many tries an operator should know that the books don't answer. */
const TRIES_UNTIL_SHOWN = 3;

/** What a write is called in a mail to the owner. */
const WRITES: Record<AccountingStep['do'], string> = {
  create: 'the invoice',
  approve: 'its approval',
  pay: 'its payment',
  void: 'its void',
  rename: 'its reference',
  credit: 'its credit note',
  give_back: 'a refund of it',
};

/** A write that is due, and how often its document has been asked for. */
export type PlannedStep = AccountingStep & { attempt: number };

export type AccountingStepOutcome = 'done' | 'refused' | 'disconnected';

/** What brings the books to what the ledger says of an invoice: a plan, a write, and so on until they agree. */
export function createAccountingActivities({ db, accounting }: { db: DataSource; accounting: Accounting }) {
  const contentOf = (invoiceId: string, sourceId: string) =>
    findDocumentContent(db.manager, invoiceId, sourceId);

  async function existing(sourceId: string): Promise<StoredDocument & { accounting_id: string }> {
    const document = await findDocument(db.manager, sourceId);
    if (!document?.accounting_id) throw failures.referenceMissing(`document of ${sourceId}`);
    return { ...document, accounting_id: document.accounting_id };
  }

  /** The payer's contact in the books; asked for only where name or address have changed. */
  async function contactOf({ workspace_id, payer }: DocumentContent, key: string): Promise<string> {
    const known = await findContact(db.manager, workspace_id, payer);
    if (known) return known;
    const contactId = await accounting.ensureContact(workspace_id, payer, `${key}:contact`);
    await saveContact(db.manager, workspace_id, payer, contactId);
    return contactId;
  }

  /** What an earlier try may have left in the books, under a number that must be ours. */
  function ownedBy(reference: string, total: number) {
    return (found: AccountingDocument | null | undefined): AccountingDocument | null => {
      if (!found || found.status === 'deleted' || found.status === 'voided') return null;
      if (found.reference === reference && found.total_minor === total) return found;
      const words = `The number ${found.number} stands for another document in the books (${found.reference}).`;
      throw new AccountingRefusal('number taken', words);
    };
  }

  async function create(document: StoredDocument, approved: boolean, key: string, again: boolean) {
    const { invoice_id, source_id, number } = document;
    const content = await contentOf(invoice_id, source_id);
    const { workspace_id, reference, currency, date, due_date } = content;
    if (again) {
      const [found] = await accounting.findInvoices(workspace_id, [number]);
      const ours = ownedBy(reference, content.total_minor)(found);
      if (ours) return ours;
    }
    return accounting.createInvoice(
      workspace_id,
      {
        number,
        reference,
        contact_id: await contactOf(content, key),
        currency,
        date,
        due_date,
        lines: content.lines.map((line) => toLine(line, content.tax_types)),
      },
      approved ? 'authorised' : 'submitted',
      key,
    );
  }

  async function credit(document: StoredDocument, key: string, again: boolean) {
    const { invoice_id, source_id, number } = document;
    const content = await contentOf(invoice_id, invoice_id);
    const { workspace_id, reference, currency } = content;
    const { lines, date } = await findCredit(db.manager, source_id);
    const parts = lines ?? (await shareOf(invoice_id, source_id, reference));
    const total = parts.reduce((sum, { net_minor, tax_minor }) => sum + net_minor + tax_minor, 0);
    const ours = again
      ? ownedBy(reference, total)(await accounting.findCreditNote(workspace_id, number))
      : null;
    if (ours) return ours;
    const contact_id = await contactOf(content, key);
    return accounting.createCreditNote(
      workspace_id,
      {
        number,
        reference,
        contact_id,
        currency,
        date,
        lines: parts.map((line) => toLine(line, content.tax_types)),
      },
      key,
    );
  }

  /** A refund's lines: its amount by the shares of the invoice's tax codes. */
  async function shareOf(invoiceId: string, refundId: string, reference: string) {
    const { due } = (await findAccountingInvoice(db.manager, invoiceId))!;
    const amount = due.find(({ source_id }) => source_id === refundId)!.total_minor;
    const parts = splitOverTaxCodes(amount, await findTaxParts(db.manager, invoiceId));
    return parts.map((part) => ({
      ...part,
      description: `Refund of ${reference}`,
      quantity: '1',
      unit_amount_minor: part.net_minor,
    }));
  }

  /** Pays a document in full, or gives a credit's money back: one payment, found again by its source's id. */
  async function settle(document: StoredDocument & { accounting_id: string }, key: string) {
    const { workspace_id, invoice_id, source_id, accounting_id } = document;
    const { currency } = await contentOf(invoice_id, invoice_id);
    const isCredit = document.kind === 'credit_note';
    const read = () =>
      isCredit
        ? accounting.findCreditNote(workspace_id, accounting_id)
        : accounting.readInvoice(workspace_id, accounting_id);
    const now = await read();
    if (!now) throw new AccountingRefusal('document missing', 'The document is not in the books any more.');
    // Somebody has changed it since: the plan finds out, and says so.
    const { due } = (await findAccountingInvoice(db.manager, invoice_id))!;
    const expected = due.find((each) => each.source_id === source_id)?.total_minor;
    if (now.status !== 'authorised' || now.total_minor !== expected) return now;
    if (now.left_minor > 0) {
      const date = isCredit
        ? (await findCredit(db.manager, source_id)).date
        : await findPaidDay(db.manager, invoice_id, source_id);
      const payment = {
        document_id: accounting_id,
        reference: source_id,
        amount_minor: now.left_minor,
        currency,
        date,
      };
      await (isCredit ? accounting.refundCreditNote : accounting.payInvoice)(workspace_id, payment, key);
    }
    return { ...now, status: 'paid' as const, left_minor: 0 };
  }

  /** Makes one write. What may have been written before is looked for first. */
  async function write(step: PlannedStep): Promise<AccountingDocument | null> {
    const { attempt } = activityInfo();
    const key = `${step.source_id}:${step.do}:${step.attempt}:${attempt}`;
    const again = step.attempt > 1 || attempt > 1;
    if (step.do === 'create' || step.do === 'credit') {
      const document = (await findDocument(db.manager, step.source_id))!;
      return step.do === 'create'
        ? create(document, step.approved, key, again)
        : credit(document, key, again);
    }
    if (step.do === 'void') return makeVoid(step.source_id, key);
    const document = await existing(step.source_id);
    const { workspace_id, accounting_id } = document;
    switch (step.do) {
      case 'approve':
        return accounting.authoriseInvoice(workspace_id, accounting_id, key);
      case 'rename': {
        const { reference } = await contentOf(document.invoice_id, step.source_id);
        const renamed = await accounting.setReference(workspace_id, accounting_id, reference, key);
        if (renamed.reference === reference) return renamed;
        throw new AccountingRefusal('not renamed', 'The books took the new reference, and did not keep it.');
      }
      case 'pay':
      case 'give_back':
        return settle(document, key);
    }
  }

  async function tellOwner(invoiceId: string, step: PlannedStep, reason: string): Promise<void> {
    await transaction(db, async (tx) => {
      const { workspace_id, accounting_reference } = (await findAccountingInvoice(tx, invoiceId))!;
      await enqueueOwnerMail(tx, {
        workspace_id,
        kind: 'accounting_failed',
        about: `${step.source_id}:${step.do}`,
        details: { invoice_id: invoiceId, accounting_reference, write: WRITES[step.do], reason },
      });
    });
  }

  /** Null where it turns out that the document never got there. */
  async function makeVoid(sourceId: string, key: string): Promise<AccountingDocument | null> {
    const document = (await findDocument(db.manager, sourceId))!;
    const { workspace_id, accounting_id, number } = document;
    if (accounting_id) return accounting.voidInvoice(workspace_id, accounting_id, key);
    const { reference, total_minor } = await contentOf(document.invoice_id, sourceId);
    const [found] = await accounting.findInvoices(workspace_id, [number]);
    const ours = ownedBy(reference, total_minor)(found);
    return ours && accounting.voidInvoice(workspace_id, ours.id, key);
  }

  return {
    /**
     * The next write that the books need for an invoice; null when they agree with the ledger, or when nothing of
     * ours can make them: then the operator is told why.
     */
    async planBooks(invoiceId: string): Promise<PlannedStep | null> {
      return transaction(db, async (tx) => {
        await lockInvoice(tx, invoiceId);
        const invoice = await findAccountingInvoice(tx, invoiceId);
        if (!invoice) throw failures.referenceMissing(`invoice ${invoiceId}`);
        const step = nextAccountingStep(invoice);
        if (!step) {
          const problem = accountingProblem(invoice);
          await setAccountingError(tx, invoiceId, problem);
          // A problem may be mended in the books: then what is owed has to get there.
          if (!problem) await completeAccountingUpdate(tx, invoiceId);
          return null;
        }
        if (step.do !== 'create' && step.do !== 'credit') return { ...step, attempt: 1 };
        const attempt = await startDocumentAttempt(tx, {
          source_id: step.source_id,
          workspace_id: invoice.workspace_id,
          invoice_id: invoiceId,
          kind: step.do === 'create' ? 'invoice' : 'credit_note',
          number: numberOf(invoice, step.source_id),
        });
        return { ...step, attempt };
      });
    },

    /**
     * Makes one write and notes what the books say. A refusal, or a lost connection, is noted on the invoice, where an
     * operator reads it; whatever may pass is thrown, to be tried again.
     */
    async takeBooksStep(input: { invoiceId: string; step: PlannedStep }): Promise<AccountingStepOutcome> {
      const { invoiceId, step } = input;
      try {
        const news = await write(step);
        await transaction(db, async (tx) => {
          if (news) await recordDocument(tx, step.source_id, toDocumentUpdate(news));
          else await deleteDocument(tx, step.source_id);
        });
        return 'done';
      } catch (error) {
        const shown = wordsFor(error, activityInfo().attempt);
        if (shown) await setAccountingError(db.manager, invoiceId, shown);
        if (error instanceof AccountingRefusal) {
          await tellOwner(invoiceId, step, error.reason);
          return 'refused';
        }
        if (isDisconnected(error)) return 'disconnected';
        throw error;
      }
    },

    /**
     * Reads invoices of one workspace back from the books, in one call: what a bookkeeper has approved is
     * `authorised` here too. Returns how many were.
     */
    async readBooks(input: { workspaceId: string; invoiceIds: string[] }): Promise<{ authorised: number }> {
      const { workspaceId, invoiceIds } = input;
      const documents = await findDocumentsOf(db.manager, invoiceIds);
      const byNumber = new Map(documents.map((document) => [document.number, document]));
      const found = await accounting.findInvoices(workspaceId, [...byNumber.keys()]);
      let authorised = 0;
      for (const news of found) {
        const document = byNumber.get(news.number);
        if (!document) continue;
        await transaction(db, async (tx) => {
          await lockInvoice(tx, document.invoice_id);
          await recordDocument(tx, document.source_id, toDocumentUpdate(news));
          const own = document.source_id === document.invoice_id;
          if (own && news.status === 'authorised' && (await authoriseInvoice(tx, document.invoice_id)))
            authorised++;
          const invoice = (await findAccountingInvoice(tx, document.invoice_id))!;
          await setAccountingError(tx, document.invoice_id, accountingProblem(invoice));
        });
      }
      return { authorised };
    },
  };
}

/** What is kept of a document as the books have it. */
export const toDocumentUpdate = ({
  id,
  status,
  reference,
  total_minor,
  left_minor,
}: AccountingDocument): DocumentUpdate => ({
  accounting_id: id,
  status,
  reference,
  total_minor,
  left_minor,
});

function toLine(line: DocumentContent['lines'][number], taxTypes: DocumentContent['tax_types']): NewLine {
  const tax_type = taxTypes[line.tax_code];
  if (!tax_type) {
    const words = `The workspace has no tax code ${line.tax_code} any more; add it again.`;
    throw new AccountingRefusal('tax code', words);
  }
  const { description, quantity, unit_amount_minor, net_minor, tax_minor } = line;
  return { description, quantity, unit_amount_minor, net_minor, tax_minor, tax_type };
}

/** The invoice's own number for itself; what belongs to it is counted as it comes. */
function numberOf({ number, due, known }: AccountingInvoice, sourceId: string): string {
  const main = due[0]!.source_id;
  if (main === sourceId) return accountingNumber(number);
  const { kind } = due.find(({ source_id }) => source_id === sourceId)!;
  const index = known.filter((document) => document.kind === kind && document.source_id !== main).length + 1;
  return accountingNumber(number, { kind: kind === 'invoice' ? 'top_up' : 'credit', index });
}

function wordsFor(error: unknown, attempt: number): string | null {
  if (error instanceof AccountingRefusal) return error.reason;
  if (isDisconnected(error)) return 'The accounting system has to be connected again.';
  if (attempt < TRIES_UNTIL_SHOWN) return null;
  return 'The accounting system does not answer. It is being asked again.';
}
