import { activityInfo } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { findDocumentsOf, type StoredDocument } from '../../db/queries/accounting/document.js';
import {
  type DocumentUpdate,
  deleteDocument,
  recordDocument,
  startDocumentAttempt,
} from '../../commands/accounting/documents.js';
import {
  type AccountingInvoice,
  findAccountingInvoice,
  findAccountingInvoices,
} from '../../db/queries/accounting/invoice-view.js';
import { completeAccountingUpdate, setAccountingError } from '../../commands/accounting/pending-updates.js';
import { authoriseInvoice } from '../../commands/billing/invoice-lifecycle.js';
import { lockInvoiceRow } from '../../commands/billing/invoices.js';
import { issueDocuments } from '../../commands/billing/issue-documents.js';
import { issueOldDocuments } from '../../commands/billing/invoice-documents.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { transaction } from '../../db/transaction.js';
import {
  accountingProblem,
  dayLimitMessage,
  nextAccountingStep,
  type AccountingStep,
} from '../../domain/accounting.js';
import { AccountingRefusal, dayLimitOf, failures, isDisconnected, rateLimitOf } from '../failures.js';
import type { Accounting, AccountingDocument } from '../gateways/accounting.js';
import { createDocumentWriter, type PlannedStep } from './document-writer.js';

/** After this many failed attempts the invoice shows that the accounting system does not respond. */
const ATTEMPTS_UNTIL_SHOWN = 3;

export type { PlannedStep };

/** No further write begins after this long, so that the last one ends in time. */
const FURTHER_STEPS_MS = 20_000;

/** `limited`: the calls of a day are used up. */
export type AccountingStepOutcome = 'done' | 'refused' | 'disconnected' | 'limited';

/** Brings the accounting system up to date with the ledger: plan a write, execute it, repeat until both agree. */
export function createAccountingActivities({ db, accounting }: { db: DataSource; accounting: Accounting }) {
  const write = createDocumentWriter({ db, accounting });

  async function notifyOwner(invoiceId: string, step: AccountingStep): Promise<void> {
    await transaction(db, async (tx) => {
      const { workspace_id } = (await findAccountingInvoice(tx, invoiceId))!;
      await enqueueMail(tx, {
        workspace_id,
        kind: 'accounting_failed',
        invoice_id: invoiceId,
        about: `${step.source_id}:${step.do}`,
      });
    });
  }

  /** Plans the next write of an invoice (see `planAccountingStep`). */
  function plan(invoiceId: string): Promise<PlannedStep | null> {
    return transaction(db, async (tx) => {
      await lockInvoiceRow(tx, invoiceId);
      let invoice = await findAccountingInvoice(tx, invoiceId);
      if (invoice?.lacks_document) {
        await issueDocuments(tx, [invoiceId]);
        invoice = await findAccountingInvoice(tx, invoiceId);
      }
      if (!invoice) throw failures.referenceMissing(`invoice ${invoiceId}`);
      const step = nextAccountingStep(invoice);
      if (!step) {
        const problem = accountingProblem(invoice);
        // With a problem, the update stays pending until someone fixes the problem in the accounting system.
        if (problem) await setAccountingError(tx, invoiceId, problem);
        else await completeAccountingUpdate(tx, invoiceId);
        return null;
      }
      if (step.do !== 'create' && step.do !== 'credit') return { ...step, attempt: 1 };
      const attempt = await startDocumentAttempt(tx, {
        source_id: step.source_id,
        workspace_id: invoice.workspace_id,
        invoice_id: invoiceId,
        kind: step.do === 'create' ? 'invoice' : 'credit_note',
        number: invoice.expected.find(({ source_id }) => source_id === step.source_id)!.number,
      });
      return { ...step, attempt };
    });
  }

  /** Executes one write and stores the response; `attempt` is the attempt of this write. Errors: those worth a retry. */
  async function execute(
    invoiceId: string,
    step: PlannedStep,
    attempt: number,
  ): Promise<AccountingStepOutcome> {
    try {
      const written = await write(step);
      if (written) await recordDocument(db.manager, step.source_id, toDocumentUpdate(written));
      else await deleteDocument(db.manager, step.source_id);
      return 'done';
    } catch (error) {
      const shown = messageFor(error, attempt);
      if (shown) await setAccountingError(db.manager, invoiceId, shown);
      if (error instanceof AccountingRefusal) {
        await notifyOwner(invoiceId, step);
        return 'refused';
      }
      if (isDisconnected(error)) return 'disconnected';
      if (dayLimitOf(error)) return 'limited';
      throw error;
    }
  }

  return {
    /**
     * Plans the next write for an invoice. Null if the accounting system agrees with the ledger, or if no write of ours
     * can make it agree; the reason is then stored on the invoice as its `accounting_error`.
     */
    async planAccountingStep(invoiceId: string): Promise<PlannedStep | null> {
      return plan(invoiceId);
    },

    /**
     * Executes a write and those that follow it, one after the other. A refusal, a lost connection or the end of a day's
     * calls is stored on the invoice, and the owner gets mail about a refusal. Returns `next` if a later write could not
     * be made now. Throws errors of the first write that are worth a retry: a retry repeats no write that has succeeded.
     */
    async executeAccountingSteps(input: {
      invoiceId: string;
      step: PlannedStep;
    }): Promise<{ outcome: AccountingStepOutcome; next: PlannedStep | null }> {
      const { invoiceId, step: first } = input;
      const latest = Date.now() + FURTHER_STEPS_MS;
      let outcome = await execute(invoiceId, first, activityInfo().attempt);
      while (outcome === 'done') {
        const next = await plan(invoiceId);
        if (!next || Date.now() > latest) return { outcome, next };
        try {
          outcome = await execute(invoiceId, next, 1);
        } catch {
          return { outcome, next };
        }
      }
      return { outcome, next: null };
    },

    /**
     * Reads invoices of one workspace back in one call and stores their state. Those that a bookkeeper has approved
     * become `authorised`. Returns how many did.
     */
    async readAccountingInvoices(input: {
      workspaceId: string;
      invoiceIds: string[];
    }): Promise<{ authorised: number }> {
      const { workspaceId, invoiceIds } = input;
      const stored = await findDocumentsOf(db.manager, invoiceIds);
      const byId = new Map(stored.map((document) => [document.accounting_id!, document]));
      const read = await accounting.readInvoices(workspaceId, [...byId.keys()]);
      await issueOldDocuments(db, invoiceIds);
      const invoices = await findAccountingInvoices(db.manager, invoiceIds);
      const invoiceOf = new Map(invoices.map((invoice) => [invoice.id, invoice]));
      let authorised = 0;
      for (const found of read) {
        const document = byId.get(found.id);
        if (!document) continue;
        const { invoice_id, source_id } = document;
        // Most of what is read back is known: it needs no transaction.
        if (isRecorded(document, found) && isSettled(invoiceOf.get(invoice_id)!, found)) continue;
        await transaction(db, async (tx) => {
          await lockInvoiceRow(tx, invoice_id);
          await recordDocument(tx, source_id, toDocumentUpdate(found));
          const approved = source_id === invoice_id && found.status === 'authorised';
          if (approved && (await authoriseInvoice(tx, invoice_id))) authorised++;
          const invoice = (await findAccountingInvoice(tx, invoice_id))!;
          await setAccountingError(tx, invoice_id, accountingProblem(invoice));
        });
      }
      return { authorised };
    },
  };
}

/** True if the accounting system reports a document as it is stored. */
export const isRecorded = (document: StoredDocument, reported: AccountingDocument): boolean =>
  Object.entries(toDocumentUpdate(reported)).every(
    ([field, value]) => document[field as keyof DocumentUpdate] === value,
  );

/** True if a document that is stored as reported changes nothing else of its invoice. */
const isSettled = (invoice: AccountingInvoice, { status }: AccountingDocument): boolean =>
  !(invoice.status === 'open' && status === 'authorised') &&
  accountingProblem(invoice) === invoice.accounting_error;

/** The stored fields of a document in the accounting system. */
export const toDocumentUpdate = ({
  id,
  status,
  reference,
  total_minor,
  outstanding_minor,
  credited_minor,
}: AccountingDocument): DocumentUpdate => ({
  accounting_id: id,
  status,
  reference,
  total_minor,
  outstanding_minor,
  credited_minor,
});

/** The `accounting_error` to show for a failed write; null while it is too early to show one. */
function messageFor(error: unknown, attempt: number): string | null {
  if (error instanceof AccountingRefusal) return error.reason;
  if (isDisconnected(error)) return 'Reconnect the accounting system.';
  const dayLimit = dayLimitOf(error);
  if (dayLimit) return dayLimitMessage(dayLimit.until, new Date());
  if (attempt < ATTEMPTS_UNTIL_SHOWN) return null;
  if (rateLimitOf(error))
    return 'The accounting system limits calls per minute. This is retried automatically.';
  return 'The accounting system does not respond. This is retried automatically.';
}
