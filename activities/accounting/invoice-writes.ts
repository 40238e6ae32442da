import type { DataSource } from 'typeorm';
import {
  type DocumentUpdate,
  deleteDocument,
  recordDocument,
  startDocumentAttempt,
  uncountDocumentAttempt,
} from '../../commands/accounting/documents.js';
import {
  completeAccountingUpdate,
  setAccountingError,
  takeOverUpdate,
} from '../../commands/accounting/pending-updates.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import type { StoredDocument } from '../../db/queries/accounting/document.js';
import { type AccountingInvoice, findAccountingInvoice } from '../../db/queries/accounting/invoice-view.js';
import { transaction } from '../../db/transaction.js';
import {
  accountingProblem,
  dayLimitMessage,
  nextAccountingStep,
  type AccountingStep,
} from '../../domain/accounting/documents.js';
import { numberInBooks } from '../../domain/invoices/document.js';
import { AccountingRefusal, readDayLimit, failures, isDisconnected, readRateLimit } from '../failures.js';
import { NumberTaken, type Accounting, type AccountingDocument } from '../gateways/accounting.js';
import {
  createDocumentWriter,
  type DocumentToWrite,
  type PlannedStep,
  type Writer,
} from './document-writer.js';
import { createLostInvoices } from './lost-invoices.js';

/** After this many failed attempts the invoice shows that the accounting system does not respond. */
const ATTEMPTS_UNTIL_SHOWN = 3;

/** `limited`: the calls of the day are used up. `disabled`: the workspace has switched writes off. */
export type AccountingStepOutcome = 'done' | 'refused' | 'disconnected' | 'limited' | 'disabled';

/** A write, and the document that it writes. */
export interface Plan {
  step: PlannedStep;
  document: DocumentToWrite;
  /** The invoice that was planned for; null if another activity planned it. */
  invoice: AccountingInvoice | null;
}

/** The result of checking an invoice: the next write, or none. */
export interface Look {
  plan: Plan | null;
  outcome: 'done' | 'disabled';
  /** True if the check completed the pending update, because ledger and accounting system agree. */
  hasCompleted: boolean;
}

/** The result of a series of writes. */
export interface Progress {
  outcome: AccountingStepOutcome;
  /** The next write. Null if ledger and accounting system agree, or nothing can be written now. */
  next: PlannedStep | null;
  hasCompleted: boolean;
  /** Why the next write could not be made now, if it was tried. */
  failure?: unknown;
}

/**
 * Makes the writes of one invoice: plans a write, executes it, and repeats until ledger and accounting system
 * agree. A run must have taken the invoice over from workers; a worker must have claimed it.
 */
export function createInvoiceWrites(
  { db, accounting }: { db: DataSource; accounting: Accounting },
  by: 'run' | 'worker',
) {
  const write = createDocumentWriter({ db, accounting });
  const leaveNumber = createLostInvoices({ db, accounting });

  async function existingInvoice(invoiceId: string): Promise<AccountingInvoice> {
    const invoice = await findAccountingInvoice(db.manager, invoiceId);
    if (!invoice) throw failures.referenceMissing(`invoice ${invoiceId}`);
    return invoice;
  }

  /**
   * Plans the next write of an invoice. There is none if both sides agree, or if no write of ours can make
   * them agree; the reason is then stored as `accounting_error`. While the connection is disabled, there is
   * none either, and the update stays pending. Takes no lock: anything that changes the invoice in the
   * meantime enqueues its own update, which is not completed here. For a run, throws while a worker makes the
   * first attempt.
   */
  async function plan(invoiceId: string): Promise<Look> {
    let invoice = await existingInvoice(invoiceId);
    if (by === 'run' && invoice.is_first_attempt) {
      if (!(await takeOverUpdate(db.manager, invoiceId)))
        throw failures.accountingUnavailable(`${invoiceId} is being written`);
      invoice = await existingInvoice(invoiceId);
    }
    return planFor(invoice);
  }

  async function planFor(invoice: AccountingInvoice): Promise<Look> {
    const { id, workspace_id, expected, known } = invoice;
    const step = nextAccountingStep(invoice);
    if (!step) {
      const problem = accountingProblem(invoice);
      // The update stays pending until someone fixes the problem in the accounting system.
      if (problem) await setAccountingError(db.manager, id, problem);
      const hasCompleted = !problem && (await completeAccountingUpdate(db.manager, invoice));
      return { plan: null, outcome: 'done', hasCompleted };
    }
    if (!invoice.is_enabled) return { plan: null, outcome: 'disabled', hasCompleted: false };
    const toWrite = (plan: Plan): Look => ({ plan, outcome: 'done', hasCompleted: false });
    const ofStep = <T extends { source_id: string }>(documents: T[]): T =>
      documents.find(({ source_id }) => source_id === step.source_id)!;
    const head = { source_id: step.source_id, workspace_id, invoice_id: id };
    if (step.do !== 'create' && step.do !== 'credit') {
      const { kind, number, accounting_id } = ofStep(known);
      const document = { ...head, kind, number, accounting_id };
      return toWrite({ step: { ...step, attempt: 1 }, document, invoice });
    }
    const { kind, number: own } = ofStep(expected);
    const main = known.find(({ source_id }) => source_id === id);
    const number =
      own && main ? numberInBooks(own, { number: expected[0]!.number!, inBooks: main.number }) : own;
    const started = await startDocumentAttempt(db.manager, { ...head, kind, number }, invoice.status);
    if (!started) return plan(id);
    const document = { ...head, kind, number: started.number, accounting_id: null };
    return toWrite({ step: { ...step, attempt: started.attempts }, document, invoice });
  }

  /**
   * Executes a write and stores the response. Returns the document as the accounting system has it, and the
   * invoice with it, unless something else has changed the invoice. Throws errors that are worth a retry.
   */
  async function execute(
    { step, document, invoice }: Plan,
    writer: Writer,
    last: AccountingDocument | null,
  ): Promise<{
    outcome: AccountingStepOutcome;
    written: AccountingDocument | null;
    invoice: AccountingInvoice | null;
  }> {
    const { invoice_id } = document;
    const failed = { written: null, invoice: null };
    try {
      const written = await write(step, document, last, writer);
      if (!written) {
        await deleteDocument(db.manager, step.source_id);
        return { outcome: 'done', written, invoice: null };
      }
      const update = toDocumentUpdate(written);
      const version = await recordDocument(db.manager, step.source_id, update);
      const isSame = invoice && version !== null && version === invoice.due_version;
      return { outcome: 'done', written, invoice: isSame ? withDocument(invoice, document, update) : null };
    } catch (error) {
      if (wasNotSent(step, writer, error))
        await uncountDocumentAttempt(db.manager, step.source_id, step.attempt);
      const isFirst = step.do === 'create' && step.attempt === 1 && writer.attempt === 1;
      if (error instanceof NumberTaken && (await leaveNumber(error.found, step, document, isFirst)))
        return { outcome: 'done', ...failed };
      const shown = messageFor(error, writer.attempt);
      if (shown) await setAccountingError(db.manager, invoice_id, shown);
      if (error instanceof AccountingRefusal) {
        await notifyOwner(document, step);
        return { outcome: 'refused', ...failed };
      }
      if (isDisconnected(error)) return { outcome: 'disconnected', ...failed };
      if (readDayLimit(error)) return { outcome: 'limited', ...failed };
      throw error;
    }
  }

  /**
   * True if calls were limited before the only try of an attempt to create a document. A run repeats a call
   * that exceeded the limit of a minute without planning it again.
   */
  const wasNotSent = (step: PlannedStep, writer: Writer, error: unknown): boolean =>
    (step.do === 'create' || step.do === 'credit') &&
    writer.attempt === 1 &&
    (by === 'worker' ? readRateLimit(error) : readDayLimit(error)) !== undefined;

  async function notifyOwner(
    { workspace_id, invoice_id }: DocumentToWrite,
    { source_id, do: action }: AccountingStep,
  ): Promise<void> {
    const about = `${source_id}:${action}`;
    await transaction(db, (tx) =>
      enqueueMail(tx, { workspace_id, kind: 'accounting_failed', invoice_id, about }),
    );
  }

  /**
   * Executes a write and those that follow it, one after the other; none begins after `until`. The writer's
   * attempts are those of the first write. A refusal, a lost connection or the daily limit is stored on the
   * invoice, and the owner gets mail about a refusal.
   */
  async function executeFrom(first: Plan, writer: Writer, until: number): Promise<Progress> {
    let last: AccountingDocument | null = null;
    for (let current = first; ;) {
      const attempt = current === first ? writer.attempt : 1;
      let executed: Awaited<ReturnType<typeof execute>>;
      try {
        executed = await execute(current, { ...writer, attempt }, last);
      } catch (failure) {
        const { step } = current;
        // Unless the call was limited, it may still have taken effect: another attempt looks first.
        const next = readRateLimit(failure) ? step : { ...step, attempt: step.attempt + 1 };
        return { outcome: 'done', next, hasCompleted: false, failure };
      }
      const { outcome, written, invoice } = executed;
      if (outcome !== 'done') return { outcome, next: null, hasCompleted: false };
      last = written;
      const look = invoice ? planFor(invoice) : plan(first.document.invoice_id);
      const { plan: next, ...looked } = await look;
      if (!next || Date.now() > until) return { ...looked, next: next && next.step };
      current = next;
    }
  }

  return {
    plan,
    executeFrom,

    /** Plans the next write of an invoice, and executes it and those that follow it. */
    async executeAll(invoiceId: string, writer: Writer, until: number): Promise<Progress> {
      const { plan: first, ...looked } = await plan(invoiceId);
      return first ? executeFrom(first, writer, until) : { ...looked, next: null };
    },
  };
}

/** True if the accounting system reports a document as it is stored. */
export const isRecorded = (document: StoredDocument, reported: AccountingDocument): boolean =>
  Object.entries(toDocumentUpdate(reported)).every(
    ([field, value]) => document[field as keyof DocumentUpdate] === value,
  );

/** Returns the stored fields of a document in the accounting system. */
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

/** Returns an invoice with a document as it was written. */
const withDocument = (
  invoice: AccountingInvoice,
  { source_id, kind, number }: DocumentToWrite,
  update: DocumentUpdate,
): AccountingInvoice => ({
  ...invoice,
  known: [
    ...invoice.known.filter((document) => document.source_id !== source_id),
    { source_id, kind, number, ...update },
  ],
});

/** Returns the `accounting_error` to show for a failed write; null while it is too early to show one. */
function messageFor(error: unknown, attempt: number): string | null {
  if (error instanceof AccountingRefusal) return error.reason;
  if (isDisconnected(error)) return 'Reconnect the accounting system.';
  const dayLimit = readDayLimit(error);
  if (dayLimit) return dayLimitMessage(dayLimit.until, new Date());
  if (attempt < ATTEMPTS_UNTIL_SHOWN) return null;
  if (readRateLimit(error))
    return 'The accounting system limits calls per minute. This is retried automatically.';
  return 'The accounting system does not respond. This is retried automatically.';
}
