import {
  ChildWorkflowCancellationType,
  continueAsNew,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { Activities } from '../activities/index.js';
import { ACCOUNTING_CALL, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import {
  invoiceChanged,
  type AccountingSyncInput,
  type AccountingSyncSummary,
  type InvoiceAccountingOutcome,
} from './contract.js';
import { invoiceAccounting } from './invoice-accounting.js';
import { starts } from './starts.js';

const { listConnectedWorkspaces, listInvoicesInFlight, listOverdueInvoices } =
  proxyActivities<Activities>(TRANSACTION);
const { readAccountingInvoices } = proxyActivities<Activities>({
  ...ACCOUNTING_CALL,
  retry: { ...ACCOUNTING_CALL.retry, maximumAttempts: 5 },
});

/** The accounting system accepts five concurrent calls; one is left for everything else. */
const CONCURRENCY = 4;
/** How long to wait for an invoice's run. A slower run continues on its own. */
const MAX_WAIT = '3 minutes';
const EMPTY_SUMMARY: AccountingSyncSummary = {
  examined: 0,
  created: 0,
  authorised: 0,
  caught_up: 0,
  failed: 0,
  under_way: 0,
};

/**
 * The hourly one-way sync (docs/rules/accounting.md#sync). Invoices in flight that the accounting system does not have
 * are created there; those it has are read back, a hundred per call. Invoices in a final state are skipped, except that
 * overdue writes are retried. One failure does not stop the rest.
 */
export async function accountingSync({
  workspaceId,
  resume,
}: AccountingSyncInput = {}): Promise<AccountingSyncSummary> {
  const summary = { ...(resume?.summary ?? EMPTY_SUMMARY) };
  const attention = new Attention();
  const workspaces = resume?.workspaces ?? (await listConnectedWorkspaces({ workspaceId }));
  let after = resume?.after ?? '';
  let overdueAfter = resume ? resume.overdueAfter : '';

  for (; workspaces.length > 0; workspaces.shift(), after = '', overdueAfter = '') {
    const [current] = workspaces as [string];
    while (overdueAfter !== undefined) {
      const overdue = await listOverdueInvoices({ workspaceId: current, after: overdueAfter });
      await bringUpToDate(current, overdue, () => summary.caught_up++);
      overdueAfter = overdue.at(-1);
      await continueAsNewIfSuggested();
    }
    for (;;) {
      const { missing, known, last } = await listInvoicesInFlight({ workspaceId: current, after });
      if (last === null) break;
      summary.examined += missing.length + known.length;
      attention.showStatus(`Syncing ${current}: ${summary.examined} invoices examined.`);
      await readBack(current, known);
      await bringUpToDate(current, missing, () => summary.created++);
      after = last;
      await continueAsNewIfSuggested();
    }
  }
  return summary;

  async function continueAsNewIfSuggested(): Promise<void> {
    if (!workflowInfo().continueAsNewSuggested) return;
    const progress = { workspaces, after, overdueAfter, summary };
    await continueAsNew<typeof accountingSync>({ workspaceId, resume: progress });
  }

  async function readBack(workspace: string, invoiceIds: string[]): Promise<void> {
    if (invoiceIds.length === 0) return;
    try {
      const { authorised } = await readAccountingInvoices({ workspaceId: workspace, invoiceIds });
      summary.authorised += authorised;
    } catch {
      summary.failed += invoiceIds.length;
    }
  }

  async function bringUpToDate(workspace: string, invoiceIds: string[], count: () => void): Promise<void> {
    for (let first = 0; first < invoiceIds.length; first += CONCURRENCY) {
      await Promise.all(
        invoiceIds.slice(first, first + CONCURRENCY).map(async (invoiceId) => {
          const outcome = await runInvoice(invoiceId, workspace);
          if (outcome === 'settled') count();
          else if (outcome === 'under_way') summary.under_way++;
          else summary.failed++;
        }),
      );
    }
  }
}

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
    const timeout = sleep(MAX_WAIT, { summary: `for ${start.workflowId}` });
    return await Promise.race([run.result(), timeout.then(() => 'under_way' as const)]);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) return 'refused';
    await getExternalWorkflowHandle(start.workflowId)
      .signal(invoiceChanged)
      .catch(() => undefined);
    return 'under_way';
  }
}
