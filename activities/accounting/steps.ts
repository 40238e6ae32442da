import { activityInfo } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { lockUnchangedDocument, recordDocument } from '../../commands/accounting/documents.js';
import { setAccountingError } from '../../commands/accounting/pending-updates.js';
import { authoriseInvoice } from '../../commands/invoices/lifecycle.js';
import { lockInvoiceRow } from '../../commands/invoices/invoices.js';
import { findConnection } from '../../db/queries/accounting/connection.js';
import { findDocument, findInvoiceDocuments } from '../../db/queries/accounting/document.js';
import {
  type AccountingInvoice,
  findAccountingInvoice,
  findAccountingInvoices,
} from '../../db/queries/accounting/invoice-view.js';
import { transaction } from '../../db/transaction.js';
import { accountingProblem } from '../../domain/accounting/documents.js';
import { readRateLimit } from '../failures.js';
import type { Accounting, AccountingDocument } from '../gateways/accounting.js';
import type { PlannedStep, Writer } from './document-writer.js';
import {
  createInvoiceWrites,
  isRecorded,
  toDocumentUpdate,
  type AccountingStepOutcome,
  type Look,
  type Progress,
} from './invoice-writes.js';

export type { AccountingStepOutcome, PlannedStep };

/**
 * No further write begins after this time, so that the last one ends in time. Within a workflow task, it is
 * shorter.
 */
const FURTHER_STEPS_MS = 20_000;
const FURTHER_STEPS_IN_TASK_MS = 1_000;
/**
 * How many workflow tasks of this worker write concurrently. Most of its slots stay free, however slow the
 * system is.
 */
const TASKS_AT_ONCE = 10;

/**
 * The result of an activity's writes. `waitMs`: how long to wait before the next write; 0 if it can be made
 * at once.
 */
export type AccountingProgress = Pick<Progress, 'outcome' | 'next'> & { waitMs: number };

const toAccountingProgress = ({ outcome, next, failure }: Progress): AccountingProgress => ({
  outcome,
  next,
  waitMs: (readRateLimit(failure)?.retryAfterSeconds ?? 0) * 1000,
});

const planned = ({ plan, outcome }: Pick<Look, 'plan' | 'outcome'>): AccountingProgress => ({
  outcome,
  next: plan && plan.step,
  waitMs: 0,
});

/** Returns the current activity as a writer. */
function thisActivity(): Writer {
  const { attempt, activityId, workflowExecution } = activityInfo();
  return { key: `${workflowExecution!.runId}:${activityId}`, attempt };
}

/** Brings the accounting system up to date with the ledger (docs/rules/accounting.md#sync). */
export function createAccountingActivities({ db, accounting }: { db: DataSource; accounting: Accounting }) {
  const writes = createInvoiceWrites({ db, accounting }, 'run');
  let tasks = 0;

  return {
    /**
     * As a local activity: plans the next write of an invoice, and makes it and those that follow it, as long
     * as that takes about a second and few other workflow tasks write. Throws only if the database does not
     * respond, or while a worker makes the first attempt without a run.
     */
    async writeInTask(invoiceId: string): Promise<AccountingProgress> {
      const look = await writes.plan(invoiceId);
      if (!look.plan || tasks >= TASKS_AT_ONCE) return planned(look);
      tasks++;
      try {
        const until = Date.now() + FURTHER_STEPS_IN_TASK_MS;
        return toAccountingProgress(await writes.executeFrom(look.plan, thisActivity(), until));
      } finally {
        tasks--;
      }
    },

    /**
     * Plans the next write for an invoice. Null if the accounting system agrees with the ledger, or if no
     * write of ours can make it agree; the reason is then stored on the invoice as `accounting_error`. Throws
     * an error that is worth a retry while a worker makes the first attempt without a run.
     */
    async planAccountingStep(invoiceId: string): Promise<PlannedStep | null> {
      return planned(await writes.plan(invoiceId)).next;
    },

    /**
     * Executes a write and those that follow it, one after the other. A refusal, a lost connection or the
     * daily limit is stored on the invoice, and the owner gets mail about a refusal. Returns `next` if a
     * later write could not be made now. Throws errors of the first write that are worth a retry; a retry
     * does not repeat a write that has succeeded, and makes none once the connection is disabled.
     */
    async executeAccountingSteps(input: {
      invoiceId: string;
      step: PlannedStep;
    }): Promise<AccountingProgress> {
      const { invoiceId, step } = input;
      const document = await findDocument(db.manager, step.source_id);
      // A failover has lost it, so plan it again.
      if (!document) return planned(await writes.plan(invoiceId));
      const connection = await findConnection(db.manager, document.workspace_id);
      if (!connection?.enabled) return planned({ plan: null, outcome: 'disabled' });
      const until = Date.now() + FURTHER_STEPS_MS;
      const progress = await writes.executeFrom({ step, document, invoice: null }, thisActivity(), until);
      if (progress.failure && progress.next?.source_id === step.source_id && progress.next.do === step.do)
        throw progress.failure;
      return toAccountingProgress(progress);
    },

    /**
     * Reads invoices of one workspace back in one call and stores their state. Those that a bookkeeper has
     * approved become `authorised`. Returns how many did. An invoice that was written in the meantime is left
     * out.
     */
    async readAccountingInvoices(input: {
      workspaceId: string;
      invoiceIds: string[];
    }): Promise<{ authorised: number }> {
      const { workspaceId, invoiceIds } = input;
      const stored = await findInvoiceDocuments(db.manager, invoiceIds);
      const byId = new Map(stored.map((document) => [document.accounting_id!, document]));
      const read = await accounting.readInvoices(workspaceId, [...byId.keys()]);
      const invoices = await findAccountingInvoices(db.manager, invoiceIds);
      const invoicesById = new Map(invoices.map((invoice) => [invoice.id, invoice]));
      let authorised = 0;
      for (const found of read) {
        const document = byId.get(found.id);
        if (!document) continue;
        const { invoice_id, source_id } = document;
        // Most of what is read back is already known and needs no transaction.
        if (isRecorded(document, found) && isSettled(invoicesById.get(invoice_id)!, found)) continue;
        await transaction(db, async (tx) => {
          await lockInvoiceRow(tx, invoice_id);
          // What its run has stored in the meantime may be newer.
          if (!(await lockUnchangedDocument(tx, document))) return;
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

/** True if storing a document as reported changes nothing else about its invoice. */
const isSettled = (invoice: AccountingInvoice, { status }: AccountingDocument): boolean =>
  !(invoice.status === 'open' && status === 'authorised') &&
  accountingProblem(invoice) === invoice.accounting_error;
