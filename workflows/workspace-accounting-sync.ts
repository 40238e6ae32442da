import {
  ActivityFailure,
  ApplicationFailure,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, JOB_PAGE } from './activity-options.js';
import { Attention } from './attention.js';
import {
  invoiceChanged,
  NOTHING_SYNCED,
  type AccountingSyncSummary,
  type InvoiceAccountingOutcome,
  type WorkspaceAccountingSyncInput,
} from '../contract/accounting.js';
import { proxyTransactions } from './in-task.js';
import { invoiceAccounting } from './invoice-accounting.js';
import { starts } from '../contract/starts.js';

const { listInvoicesInFlight, listOverdueInvoices, postponeIfLimited } = proxyTransactions(JOB_PAGE);
const { readAccountingInvoices, refreshChart } = proxyActivities<Activities>({
  ...ACCOUNTING_CALL,
  retry: { ...ACCOUNTING_CALL.retry, maximumAttempts: 5 },
});

/** The accounting system accepts five concurrent calls; one is left for everything else. */
const CONCURRENCY = 4;
/** An invoice's run that takes longer continues, but is not waited for. */
const LONGEST_WAIT = '3 minutes';

/**
 * The sync of one workspace (docs/rules/accounting.md#sync). Invoices in flight that the accounting system
 * lacks are created there; those it has are read back, a hundred per call. Invoices in a final state are
 * never checked, except for overdue writes, which are retried. One failure does not stop the rest, but the
 * daily limit of calls does, until calls are possible again, as does a connection that is disabled.
 */
export async function workspaceAccountingSync({
  workspaceId,
  resume,
}: WorkspaceAccountingSyncInput): Promise<AccountingSyncSummary> {
  const summary = { ...(resume?.summary ?? NOTHING_SYNCED) };
  const attention = new Attention();
  let after = resume?.after ?? '';
  let overdueAfter = resume ? resume.overdueAfter : '';
  let disconnected = false;

  // Without it, documents that need something the organisation lacks are refused one by one, with an error.
  if (!resume) await refreshChart(workspaceId).catch(() => undefined);
  while (overdueAfter !== undefined) {
    if (await stops()) return summary;
    const overdue: string[] = await listOverdueInvoices({ workspaceId, after: overdueAfter });
    await bringUpToDate(overdue, () => summary.caught_up++);
    overdueAfter = overdue.at(-1);
    await continueAsNewIfSuggested();
  }
  for (;;) {
    if (await stops()) return summary;
    const { missing, known, last } = await listInvoicesInFlight({ workspaceId, after });
    if (last === null) return summary;
    summary.examined += missing.length + known.length;
    attention.showStatus(`${summary.examined} invoices examined.`);
    await readBack(known);
    await bringUpToDate(missing, () => summary.created++);
    after = last;
    await continueAsNewIfSuggested();
  }

  /** True if no call is possible or wanted now. */
  async function stops(): Promise<boolean> {
    const postponed = await postponeIfLimited(workspaceId);
    if (postponed !== null) summary.postponed = postponed;
    return disconnected || postponed !== null;
  }

  async function continueAsNewIfSuggested(): Promise<void> {
    if (!workflowInfo().continueAsNewSuggested) return;
    const progress = { after, overdueAfter, summary };
    await attention.continueAsNew<typeof workspaceAccountingSync>({ workspaceId, resume: progress });
  }

  async function readBack(invoiceIds: string[]): Promise<void> {
    if (invoiceIds.length === 0) return;
    try {
      summary.authorised += (await readAccountingInvoices({ workspaceId, invoiceIds })).authorised;
    } catch (error) {
      const type = failureType(error);
      disconnected ||= type === 'AccountingDisconnected';
      if (type !== 'AccountingRateLimited') summary.failed += invoiceIds.length;
    }
  }

  async function bringUpToDate(invoiceIds: string[], count: () => void): Promise<void> {
    for (let first = 0; first < invoiceIds.length; first += CONCURRENCY) {
      const outcomes = await Promise.all(
        invoiceIds.slice(first, first + CONCURRENCY).map((id) => runInvoice(id, workspaceId)),
      );
      for (const outcome of outcomes) {
        if (outcome === 'settled') count();
        else if (outcome === 'under_way') summary.under_way++;
        else if (!isStopped(outcome)) summary.failed++;
      }
      disconnected ||= outcomes.includes('disconnected');
      if (disconnected || outcomes.some(isStopped)) return;
    }
  }
}

/** True if an invoice waits until calls are possible or the connection is enabled, as do all others. */
const isStopped = (outcome: InvoiceAccountingOutcome | 'under_way'): boolean =>
  outcome === 'limited' || outcome === 'disabled';

/** Returns the type of the failure with which an activity ended (`activities/failures.ts`). */
const failureType = (error: unknown): string | null | undefined =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure
    ? error.cause.type
    : undefined;

/** Starts the invoice's own run, or signals a running one, and waits a limited time for its outcome. */
async function runInvoice(
  invoiceId: string,
  workspaceId: string,
): Promise<InvoiceAccountingOutcome | 'under_way'> {
  const start = starts(workflowInfo().taskQueue).invoiceAccounting(invoiceId, workspaceId);
  try {
    const run = await startChild(invoiceAccounting, {
      ...start,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
    const timeout = sleep(LONGEST_WAIT, { summary: `for ${start.workflowId}` });
    return await Promise.race([run.result(), timeout.then(() => 'under_way' as const)]);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) return 'refused';
    await getExternalWorkflowHandle(start.workflowId)
      .signal(invoiceChanged)
      .catch(() => undefined);
    return 'under_way';
  }
}
