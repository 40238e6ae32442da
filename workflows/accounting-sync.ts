import {
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { JOB_PAGE } from './activity-options.js';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { Attention } from './attention.js';
import {
  NOTHING_SYNCED,
  type AccountingSyncInput,
  type AccountingSyncSummary,
  type AllSyncedSummary,
} from '../contract/accounting.js';
import { proxyTransactions } from './in-task.js';
import { starts } from '../contract/starts.js';
import { workspaceAccountingSync } from './workspace-accounting-sync.js';

const { listWorkspacesToSync } = proxyTransactions(JOB_PAGE);

/** Each organisation has its own limits, so workspaces do not wait for each other. */
const CONCURRENCY = 20;
/** A workspace's run that takes longer continues, but is not waited for. */
const LONGEST_WAIT = '10 minutes';
/** The maximum number of failed workspaces that are listed; `failed_workspaces` counts all. */
const MAX_NAMED = 20;

/**
 * The hourly one-way sync of all workspaces (docs/rules/accounting.md#sync), in pages. Each workspace has its
 * own run. A workspace that fails or takes long does not stop the others; failed ones are listed.
 */
export async function accountingSync({
  workspaceId,
  resume,
}: AccountingSyncInput = {}): Promise<AllSyncedSummary> {
  const summary = { ...(resume?.summary ?? NOTHING_SYNCED) };
  const failed = [...(resume?.failed ?? [])];
  const attention = new Attention();
  let after = resume?.after ?? '';
  if (failed.length > 0) showFailed();

  for (;;) {
    const page = await listWorkspacesToSync({ workspaceId, after });
    if (page.length === 0) break;
    attention.showStatus(`Syncing the workspaces after ${after || 'the first'}.`);
    const queue = [...page];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await syncWorkspace(next);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    after = page.at(-1)!;
    if (workflowInfo().continueAsNewSuggested) {
      await attention.continueAsNew<typeof accountingSync>({
        workspaceId,
        resume: { after, summary, failed },
      });
    }
  }
  return failed.length > 0 ? { ...summary, left: failed } : summary;

  async function syncWorkspace(current: string): Promise<void> {
    const outcome = await runWorkspace(current, workspaceId !== undefined);
    if (outcome === 'under_way') summary.under_way++;
    else if (outcome === 'failed') {
      summary.failed_workspaces++;
      if (failed.length < MAX_NAMED) failed.push(current);
      showFailed();
    } else
      for (const [count, value] of Object.entries(outcome))
        summary[count as keyof AccountingSyncSummary] += value;
  }

  function showFailed(): void {
    attention.raise('the accounting sync', `failed for ${failed.join(', ')}: see their runs.`);
  }
}

/** Starts a workspace's run and waits a limited time for its summary. */
async function runWorkspace(
  workspaceId: string,
  byHand: boolean,
): Promise<AccountingSyncSummary | 'under_way' | 'failed'> {
  const start = starts(workflowInfo().taskQueue).workspaceAccountingSync(workspaceId);
  // It may run in addition to one that the Schedule has started.
  const suffix = byHand ? `-${workflowInfo().startTime.getTime()}` : '';
  const workflowId = `${start.workflowId}${suffix}`;
  try {
    const run = await startChild(workspaceAccountingSync, {
      ...start,
      workflowId,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
    const timeout = sleep(LONGEST_WAIT, { summary: `for ${workflowId}` });
    return await Promise.race([run.result(), timeout.then(() => 'under_way' as const)]);
  } catch (error) {
    return error instanceof WorkflowExecutionAlreadyStartedError ? 'under_way' : 'failed';
  }
}
