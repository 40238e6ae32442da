import type { DataSource } from 'typeorm';
import { findConnection } from '../../db/queries/accounting/connection.js';
import { findCreditNotes, findFirstCreditNoteDay } from '../../db/queries/accounting/document.js';
import { recordDocument } from '../../commands/accounting/documents.js';
import { findOutdatedDisputes, type ComparedDispute } from '../../db/queries/payments/dispute.js';
import type { Reconciliation } from '../../db/entities/reconciliation.js';
import {
  findReconciliation,
  listReconcilableWorkspaces,
  listInvoicesToReadBack,
} from '../../db/queries/reconciliation/reconciliation.js';
import {
  insertReconciliation,
  saveCharges,
  saveDisputes,
  saveReport,
} from '../../commands/reconciliation/reconciliations.js';
import type { ReportedDispute } from '../../commands/payments/disputes.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { newId } from '../../db/ids.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import type { Difference } from '../../domain/reconciliation/differences.js';
import { isRecorded, toDocumentUpdate } from '../accounting/invoice-writes.js';
import { findRepeatedSales } from '../accounting/repeated-sales.js';
import { failures } from '../failures.js';
import type { Accounting } from '../gateways/accounting.js';
import type { Processor } from '../gateways/processor.js';
import { createReport } from './report.js';

/**
 * The nightly run compares this many days, except for the last hour, whose payments may still be settling.
 */
const NIGHTLY_DAYS = 35;
const SETTLING_MS = HOUR_MS;
const PAGE = 100;

interface Deps {
  db: DataSource;
  processor: Processor;
  accounting: Accounting;
}

/** Compares processor, ledger and accounting system (docs/rules/billing.md#reconciliation). */
export function createReconciliationActivities({ db, processor, accounting }: Deps) {
  const existing = (id: string): Promise<Reconciliation> => existingReconciliation(db, id);

  return {
    /**
     * Returns a page of the workspaces with an outside system to compare with, by id; or the given one if it
     * has one.
     */
    async listReconcilable(input: { workspaceId?: string; after: string }): Promise<string[]> {
      return listReconcilableWorkspaces(db.manager, { ...input, limit: PAGE });
    },

    /** Stores a new nightly reconciliation of a workspace. Returns its id. */
    async beginNightlyReconciliation(workspaceId: string): Promise<string> {
      const [id, now] = [newId('rec'), Date.now()];
      await insertReconciliation(db.manager, {
        id,
        workspace_id: workspaceId,
        from_at: new Date(now - NIGHTLY_DAYS * DAY_MS),
        to_at: new Date(now - SETTLING_MS),
      });
      return id;
    },

    /** Stores a page of the processor's charges. Returns the cursor of the next page; null at the end. */
    async readCharges(input: { id: string; after: string | null }): Promise<string | null> {
      const run = await existing(input.id);
      const workspace = await findWorkspace(db.manager, run.workspace_id);
      if (!workspace?.processor_account_id) return null;
      const { charges, last } = await processor.listCharges(
        workspace.processor_account_id,
        run.from_at,
        input.after,
      );
      await saveCharges(db.manager, run.id, charges);
      return last;
    },

    /**
     * Stores a page of the processor's disputes. Returns the cursor of the next page (null at the end), and
     * the payment intents whose disputes are missing or incomplete in the ledger.
     */
    async readDisputePage(input: {
      id: string;
      after: string | null;
    }): Promise<{ last: string | null; outdated: string[] }> {
      const run = await existing(input.id);
      const workspace = await findWorkspace(db.manager, run.workspace_id);
      if (!workspace?.processor_account_id) return { last: null, outdated: [] };
      const { processor_account_id } = workspace;
      const page = await processor.listDisputesSince(processor_account_id, run.from_at, input.after);
      const disputes = page.disputes.map(toCompared);
      await saveDisputes(db.manager, run.id, disputes);
      const outdated = await findOutdatedDisputes(db.manager, run.workspace_id, disputes);
      return { last: page.last, outdated };
    },

    /** Returns a page of a reconciliation's invoices that the accounting system has, by id. */
    async listInvoicesToReadBack(input: { id: string; after: string }): Promise<string[]> {
      const run = await existing(input.id);
      return listInvoicesToReadBack(db.manager, run, input.after, PAGE);
    },

    /**
     * Returns the day (`YYYY-MM-DD`) from which to read credit notes back; null if the accounting system has
     * none.
     */
    async findCreditNotesToReadBack(id: string): Promise<string | null> {
      const { workspace_id, from_at } = await existing(id);
      return findFirstCreditNoteDay(db.manager, workspace_id, from_at);
    },

    /** Reads a page of the credit notes since a day back. Returns the next page; null at the end. */
    async readCreditNotes(input: { id: string; from: string; page: number }): Promise<number | null> {
      const { workspace_id } = await existing(input.id);
      const { notes, last } = await accounting.listCreditNotes(workspace_id, input.from, input.page);
      const found = new Map(notes.map((note) => [note.id, note]));
      const stored = await findCreditNotes(db.manager, workspace_id, [...found.keys()]);
      for (const document of stored) {
        const note = found.get(document.accounting_id!)!;
        if (!isRecorded(document, note))
          await recordDocument(db.manager, document.source_id, toDocumentUpdate(note));
      }
      return last ? null : input.page + 1;
    },

    /**
     * Looks for sales that the accounting system has twice, in a page of its invoices of the period
     * (docs/internals/recovery.md#numbers-that-the-books-have). Returns them as differences, and the next
     * page; null at the end.
     */
    async findRepeatedSales(input: {
      id: string;
      page: number;
    }): Promise<{ differences: Difference[]; next: number | null }> {
      const { workspace_id, from_at, to_at } = await existing(input.id);
      const connection = await findConnection(db.manager, workspace_id);
      if (!connection?.enabled || connection.status !== 'active') return { differences: [], next: null };
      // Invoices are dated in the workspace's time zone.
      const days = { from: dayAfter(from_at, -1), to: dayAfter(to_at, 1) };
      const { invoices, last } = await accounting.listInvoices(workspace_id, days, input.page);
      const differences = await findRepeatedSales(db.manager, workspace_id, invoices);
      return { differences, next: last ? null : input.page + 1 };
    },

    /**
     * Compares, stores the report, and with `notifyOwner` enqueues mail about differences. Returns their
     * number.
     */
    async compileReport(input: {
      id: string;
      read: { processor: boolean; accounting: boolean };
      notifyOwner: boolean;
      /** The result of `findRepeatedSales`. */
      repeatedSales?: Difference[];
    }): Promise<number> {
      const run = await existing(input.id);
      // A worker that was lost has already compared, and the compared data is deleted.
      if (run.report) return run.report.differences.length;
      return transaction(db, async (tx) => {
        const report = await createReport(tx, run, input.read, input.repeatedSales ?? []);
        await saveReport(tx, run.id, report);
        if (input.notifyOwner && report.differences.length > 0) await notifyOwner(tx, run);
        return report.differences.length;
      });
    },
  };
}

/** Returns a reconciliation that has begun. Throws `ReferenceMissing` if there is none. */
export async function existingReconciliation(db: DataSource, id: string): Promise<Reconciliation> {
  const run = await findReconciliation(db.manager, id);
  if (!run) throw failures.referenceMissing(`reconciliation ${id}`);
  return run;
}

const dayAfter = (at: Date, days: number): string =>
  new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Returns a dispute in the form in which it is compared. */
export const toCompared = ({
  id,
  payment_intent_id,
  status,
  movements,
}: ReportedDispute): ComparedDispute => ({
  id,
  payment_intent_id,
  status,
  withdrawn_minor: movements.reduce((sum, { amount_minor }) => sum - amount_minor, 0),
});

function notifyOwner(tx: Tx, { id, workspace_id }: Reconciliation): Promise<void> {
  return enqueueMail(tx, { workspace_id, kind: 'reconciliation_differs', about: id });
}
