import type { DataSource } from 'typeorm';
import { findCreditNotesOf, findDocumentsOf } from '../db/repositories/accounting/document-queries.js';
import { recordDocument } from '../db/repositories/accounting/documents.js';
import { findAccountingInvoices } from '../db/repositories/accounting/invoice-view-queries.js';
import {
  findReconciliation,
  listComparedPayments,
  listReconcilableWorkspaces,
  listReconciledInvoices,
  listUnknownCharges,
  type Reconciliation,
} from '../db/repositories/billing/reconciliation-queries.js';
import { insertReconciliation, saveCharges, saveReport } from '../db/repositories/billing/reconciliations.js';
import { enqueueOwnerMail } from '../db/repositories/mail/owner-mails.js';
import { findWorkspace } from '../db/repositories/workspaces/workspace-queries.js';
import { newId } from '../db/ids.js';
import { transaction, type Tx } from '../db/transaction.js';
import { receivedInAccounting } from '../domain/accounting.js';
import {
  compareAccounting,
  compareInvoice,
  comparePayment,
  unknownCharge,
  type Difference,
  type ReconciliationReport,
  type ReconciliationTotals,
} from '../domain/reconciliation.js';
import { toDocumentUpdate } from './accounting.js';
import { failures } from './failures.js';
import type { Accounting } from './gateways/accounting.js';
import type { Processor } from './gateways/processor.js';

const DAY_MS = 86_400_000;
/** What the nightly run looks at: a month and some days, but for what is still settling. */
const NIGHTLY_DAYS = 35;
const SETTLING_MS = 3_600_000;
const PAGE = 100;
/** So few that they can be read in one activity, and leave of a minute's calls to others. */
const NOTES_AT_ONCE = 10;

interface Deps {
  db: DataSource;
  processor: Processor;
  accounting: Accounting;
}

/** Processor, ledger and books side by side (decisions.md, "Invoices and payments": reconciliation). */
export function createReconciliationActivities({ db, processor, accounting }: Deps) {
  async function existing(id: string): Promise<Reconciliation> {
    const run = await findReconciliation(db.manager, id);
    if (!run) throw failures.referenceMissing(`reconciliation ${id}`);
    return run;
  }

  return {
    /** The workspaces whose money can be compared with somebody else's word; one or all. */
    async listReconcilable({ workspaceId }: { workspaceId?: string }): Promise<string[]> {
      return listReconcilableWorkspaces(db.manager, workspaceId);
    },

    /** Begins the nightly comparison of a workspace. Returns its id. */
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

    /** Keeps a page of the processor's charges since the first day. Returns where the next begins, null at the end. */
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

    /** The invoices of a comparison that the books are known to have, in pages for `readBooks`. */
    async listBookedPages(id: string): Promise<string[][]> {
      const invoices = await listReconciledInvoices(db.manager, await existing(id));
      const booked = await findDocumentsOf(
        db.manager,
        invoices.map((invoice) => invoice.id),
      );
      const ids = [...new Set(booked.map((document) => document.invoice_id))];
      return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, n) =>
        ids.slice(n * PAGE, (n + 1) * PAGE),
      );
    },

    /**
     * Reads some of the credit notes of some invoices back from the books, one call each. Returns where the next
     * begin, null at the end.
     */
    async readCreditNotes(input: {
      workspaceId: string;
      invoiceIds: string[];
      after?: string | null;
    }): Promise<string | null> {
      const { workspaceId, invoiceIds, after } = input;
      const notes = await findCreditNotesOf(db.manager, invoiceIds, after ?? '', NOTES_AT_ONCE);
      for (const note of notes) {
        const news = await accounting.findCreditNote(workspaceId, note.accounting_id!);
        if (news) await recordDocument(db.manager, note.source_id, toDocumentUpdate(news));
      }
      return notes.length < NOTES_AT_ONCE ? null : notes.at(-1)!.source_id;
    },

    /**
     * Compares, and keeps the report. Differences of a nightly run are told to the owner. Returns how many there are.
     */
    async compileReport(input: {
      id: string;
      processorRead: boolean;
      /** Absent in runs of before. */
      booksRead?: boolean;
      tellOwner: boolean;
    }): Promise<number> {
      const run = await existing(input.id);
      return transaction(db, async (tx) => {
        const report = await compile(tx, run, input);
        await saveReport(tx, run.id, report);
        if (input.tellOwner && report.differences.length > 0) await tellOwner(tx, run, report);
        return report.differences.length;
      });
    },
  };
}

const PROCESSOR_NOT_READ: Difference = {
  invoice_id: null,
  kind: 'processor_missing',
  ledger_minor: null,
  processor_minor: null,
  accounting_minor: null,
  message: 'The processor does not let us read the connected account: nothing of it was compared.',
};

const BOOKS_NOT_READ: Difference = {
  ...PROCESSOR_NOT_READ,
  kind: 'accounting_missing',
  message: 'The books could not be read: they were compared as they were last known.',
};

async function compile(
  tx: Tx,
  run: Reconciliation,
  { processorRead, booksRead = true }: { processorRead: boolean; booksRead?: boolean },
): Promise<ReconciliationReport> {
  const workspace = (await findWorkspace(tx, run.workspace_id))!;
  const invoices = await listReconciledInvoices(tx, run);
  const payments = await listComparedPayments(tx, run);
  const unknown = processorRead ? await listUnknownCharges(tx, run) : [];
  const differences: (Difference | null)[] = processorRead
    ? payments.map(comparePayment)
    : [PROCESSOR_NOT_READ];
  if (!booksRead && invoices.some((invoice) => invoice.in_accounting)) differences.push(BOOKS_NOT_READ);
  differences.push(...unknown.map(unknownCharge));

  const totals = new Map<string, ReconciliationTotals>();
  const add = (currency: string, side: keyof ReconciliationTotals, amount: number): void => {
    const sums = totals.get(currency) ?? { ledger: 0, processor: 0, accounting: 0 };
    totals.set(currency, { ...sums, [side]: sums[side] + amount });
  };
  for (const { charge, currency } of payments)
    add(currency, 'processor', charge ? charge.amount_minor - charge.refunded_minor : 0);
  for (const charge of unknown)
    add(charge.currency, 'processor', charge.amount_minor - charge.refunded_minor);

  const kept = invoices.filter((invoice) => invoice.in_accounting);
  const views = new Map(
    (
      await findAccountingInvoices(
        tx,
        kept.map(({ id }) => id),
      )
    ).map((view) => [view.id, view]),
  );
  for (const { id, status, currency, total_minor, received_minor, refunded_minor, ...rest } of invoices) {
    add(currency, 'ledger', received_minor - refunded_minor);
    if (status === 'paid' || status === 'refunded')
      differences.push(compareInvoice({ invoice_id: id, total_minor, received_minor }));
    const view = views.get(id);
    if (!view) continue;
    const { update_pending: owed, accounting_error: error } = rest;
    differences.push(compareAccounting(id, view, { owed, error }));
    add(currency, 'accounting', receivedInAccounting(view).books);
  }
  const { [workspace.currency]: own, ...other_currencies } = Object.fromEntries(totals);
  return {
    from: run.from_at.toISOString(),
    to: run.to_at.toISOString(),
    invoices_examined: invoices.length,
    totals: own ?? { ledger: 0, processor: 0, accounting: 0 },
    other_currencies,
    differences: differences.filter((each) => each !== null),
  };
}

function tellOwner(
  tx: Tx,
  run: Reconciliation,
  { from, to, differences }: ReconciliationReport,
): Promise<void> {
  return enqueueOwnerMail(tx, {
    workspace_id: run.workspace_id,
    kind: 'reconciliation_differs',
    about: run.id,
    details: { from, to, differences: differences.length, first: differences[0]!.message },
  });
}
