import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { AccountReadResult, Activities } from '../activities/index.js';
import type { ProcessorAccountInput, ReadAccountsInput, ReadAccountsSummary } from '../contract/processor.js';
import { BATCH, JOB_PAGE } from './activity-options.js';
import { Attention } from './attention.js';
import { inParallel } from './in-parallel.js';
import { proxyTransactions } from './in-task.js';
import { addFailed, showUnfinished } from './unfinished.js';

const { takeAccountsToRead } = proxyTransactions(JOB_PAGE);
const READ = { ...BATCH, heartbeatTimeout: '30 seconds' } as const;
const { readAccount: read } = proxyActivities<Activities>(READ);
/** An account that takes longer is left for a later run, so that the job ends. */
const { readAccount: readInJob } = proxyActivities<Activities>({
  ...READ,
  scheduleToCloseTimeout: '30 minutes',
});

/** Accounts that are read at the same time, so that a slow one does not delay the others. */
const CONCURRENCY = 10;
const FAILED: AccountReadResult = { kind: 'failed', events: 0 };
const EMPTY_SUMMARY: ReadAccountsSummary = { accounts: 0, events: 0, failed: 0 };

/**
 * The job that reads what the processor recorded on connected accounts, in case its webhooks were lost
 * (docs/internals/architecture.md#payment-confirmation). An account that cannot be read is retried after its
 * own pause.
 */
export async function readAccounts({
  workspaceId,
  resume,
}: ReadAccountsInput = {}): Promise<ReadAccountsSummary> {
  const attention = new Attention();
  const summary = { ...(resume?.summary ?? EMPTY_SUMMARY) };
  for (;;) {
    const { accounts, last } = await takeAccountsToRead({ workspaceId });
    attention.showStatus(`Reading ${accounts.length} accounts at the processor; ${summary.accounts} done.`);
    await inParallel(accounts, CONCURRENCY, readOne);
    if (last) break;
    if (workflowInfo().continueAsNewSuggested)
      await attention.continueAsNew<typeof readAccounts>({ workspaceId, resume: { summary } });
  }
  showUnfinished(attention, 'reading accounts', summary);
  return summary;

  async function readOne(accountId: string): Promise<void> {
    const { kind, events } = await readInJob(accountId).catch(() => FAILED);
    if (kind === 'failed') addFailed(summary, [accountId]);
    if (kind !== 'read') return;
    summary.accounts++;
    summary.events += events;
  }
}

/** Reads one account now, for callers that cannot wait for the job. */
export async function readAccount({ accountId }: ProcessorAccountInput): Promise<AccountReadResult> {
  const attention = new Attention();
  attention.showStatus('Reading what happened on the account at the processor.');
  return read(accountId);
}
