import {
  ChildWorkflowCancellationType,
  continueAsNew,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  patched,
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
  workflowIds,
  type AccountingSyncInput,
  type AccountingSyncSummary,
  type InvoiceAccountingOutcome,
} from './contract.js';
import { invoiceAccounting } from './invoice-accounting.js';

const { listBooksToKeep, listInvoicesInFlight, listOverdueBooks } = proxyActivities<Activities>(TRANSACTION);
const { readBooks } = proxyActivities<Activities>({
  ...ACCOUNTING_CALL,
  retry: { ...ACCOUNTING_CALL.retry, maximumAttempts: 5 },
});

/** The books take five calls at once; one is left for whatever else happens. */
const AT_ONCE = 4;
/** An invoice whose run takes longer is left to itself: it goes on trying. */
const WAIT_FOR_ONE = '3 minutes';
const NOTHING: AccountingSyncSummary = {
  examined: 0,
  created: 0,
  authorised: 0,
  caught_up: 0,
  failed: 0,
  under_way: 0,
};

/**
 * The hourly one-way job (spec.md, "Accounting invariants", 4): invoices in flight that the books don't know are put
 * there, and those that they know are read back, a hundred a call. It never looks at a terminal invoice, but for
 * writes that were refused or lost before: those are tried again. One that fails doesn't stop the rest.
 */
export async function accountingSync({
  workspaceId,
  resume,
}: AccountingSyncInput = {}): Promise<AccountingSyncSummary> {
  const summary = resume ? { ...resume.summary } : { ...NOTHING };
  const attention = new Attention();
  const workspaces = resume?.workspaces ?? (await listBooksToKeep({ workspaceId }));
  let after = resume?.after ?? '';
  let overdueAfter = resume ? resume.overdueAfter : '';

  for (; workspaces.length > 0; workspaces.shift(), after = '', overdueAfter = '') {
    const [current] = workspaces as [string];
    while (overdueAfter !== undefined) {
      const overdue = await listOverdueBooks({ workspaceId: current, after: overdueAfter });
      await keep(overdue, () => summary.caught_up++);
      // Runs of before had all of them in one page.
      overdueAfter = overdue.length > 0 && patched('overdue-in-pages') ? overdue.at(-1) : undefined;
      if (overdueAfter !== undefined) await goOnAnew();
    }
    for (;;) {
      const { missing, known, last } = await listInvoicesInFlight({ workspaceId: current, after });
      if (last === null) break;
      summary.examined += missing.length + known.length;
      attention.waitFor(`Books of ${current}: ${summary.examined} invoices looked at.`);
      try {
        if (known.length > 0)
          summary.authorised += (await readBooks({ workspaceId: current, invoiceIds: known })).authorised;
      } catch {
        summary.failed += known.length;
      }
      await keep(missing, () => summary.created++);
      after = last;
      await goOnAnew();
    }
  }
  return summary;

  async function goOnAnew(): Promise<void> {
    if (!workflowInfo().continueAsNewSuggested) return;
    const from = { workspaces, after, overdueAfter, summary };
    await continueAsNew<typeof accountingSync>({ workspaceId, resume: from });
  }

  async function keep(invoiceIds: string[], succeeded: () => void): Promise<void> {
    for (let first = 0; first < invoiceIds.length; first += AT_ONCE) {
      await Promise.all(
        invoiceIds.slice(first, first + AT_ONCE).map(async (invoiceId) => {
          const outcome = await follow(invoiceId);
          if (outcome === 'settled') succeeded();
          else if (outcome === 'under_way') summary.under_way++;
          else summary.failed++;
        }),
      );
    }
  }

  /** Has an invoice's own run bring the books up to date, and waits for it, though not for ever. */
  async function follow(invoiceId: string): Promise<InvoiceAccountingOutcome | 'under_way'> {
    const workflowId = workflowIds.invoiceAccounting(invoiceId);
    try {
      const run = await startChild(invoiceAccounting, {
        workflowId,
        args: [{ invoiceId }],
        parentClosePolicy: ParentClosePolicy.ABANDON,
        cancellationType: ChildWorkflowCancellationType.ABANDON,
        staticSummary: 'Keeps the books of an invoice',
      });
      const waited = sleep(WAIT_FOR_ONE, { summary: `for ${workflowId}` }).then(() => 'under_way' as const);
      return await Promise.race([run.result(), waited]);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) return 'refused';
      await getExternalWorkflowHandle(workflowId)
        .signal(invoiceChanged)
        .catch(() => undefined);
      return 'under_way';
    }
  }
}
