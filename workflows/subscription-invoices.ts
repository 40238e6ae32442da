import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, SubscriptionDay, SubscriptionPage } from '../activities/index.js';
import { BATCH, JOB_PAGE } from './activity-options.js';
import { Attention } from './attention.js';
import type { SubscriptionInvoicesInput, SubscriptionInvoicesSummary } from '../contract/subscriptions.js';
import { inParallel } from './in-parallel.js';
import { proxyTransactions } from './in-task.js';
import { addFailed, showUnfinished } from './unfinished.js';

const { countPayers, listSubscriptionDays } = proxyTransactions(JOB_PAGE);
const { enqueueStatements, invoiceWorkspaces } = proxyActivities<Activities>(BATCH);

/**
 * The number of workspaces that one activity invoices one after another, and the number of concurrent
 * activities.
 */
const WORKSPACES = 40;
const CONCURRENCY = 5;
const EMPTY_SUMMARY: SubscriptionInvoicesSummary = { opened: 0, skipped: 0, statements: 0, failed: 0 };

/**
 * Invoices each payer for every month up to the day, once per month
 * (docs/rules/billing.md#subscription-invoices). All drafts of a workspace are written before the first is
 * opened; the next run opens the drafts of a lost run. Each activity handles several workspaces, because most
 * have few payers. On the first of the month it then mails statements
 * (docs/rules/billing.md#monthly-statements), which include the invoices of that morning. Goes through the
 * workspaces page by page. A payer that fails does not stop the others, and is listed.
 */
export async function subscriptionInvoices({
  workspaceId,
  asOf,
  resume,
}: SubscriptionInvoicesInput = {}): Promise<SubscriptionInvoicesSummary> {
  const attention = new Attention();
  const summary: SubscriptionInvoicesSummary = { ...(resume?.summary ?? EMPTY_SUMMARY) };
  const job = workflowInfo().workflowId;
  let begun = resume?.begun ?? 0;
  let after = resume?.after ?? '';
  for (;;) {
    const days = await listSubscriptionDays({ workspaceId, asOf, after });
    if (days.length === 0) break;
    attention.showStatus(`Invoicing from ${days[0]!.workspaceId} on; ${summary.opened} invoices opened.`);
    await inParallel(chunkDays(days), CONCURRENCY, invoiceAll);
    after = days.at(-1)!.workspaceId;
    if (workflowInfo().continueAsNewSuggested)
      await attention.continueAsNew<typeof subscriptionInvoices>({
        workspaceId,
        asOf,
        resume: { after, begun, summary },
      });
  }
  attention.showStatus(`Mailing monthly statements; ${summary.opened} invoices opened.`);
  summary.statements += await everyPage((last) => enqueueStatements({ workspaceId, asOf, after: last }));
  const payers = await countPayers({ workspaceId });
  summary.skipped = Math.max(0, payers - begun);
  showUnfinished(attention, 'subscription invoices', summary);
  return summary;

  /**
   * Invoices several workspaces. An activity that has worked for a minute leaves the others to the next one.
   */
  async function invoiceAll(days: SubscriptionDay[]): Promise<void> {
    for (let next = days; next.length > 0;) {
      const { drafted, opened, failed, left, finished } = await invoiceWorkspaces({ days: next, job });
      begun += drafted;
      summary.opened += opened;
      addFailed(summary, left, failed);
      next = next.slice(finished);
    }
  }

  /** Processes all pages, one after the other. Returns how many items were done. */
  async function everyPage(work: (after: string) => Promise<SubscriptionPage>): Promise<number> {
    let done = 0;
    for (let after: string | null = ''; after !== null;) {
      const page: SubscriptionPage = await work(after);
      done += page.done;
      addFailed(summary, page.failed);
      after = page.last;
    }
    return done;
  }
}

/** Splits workspaces into groups for one activity each. */
const chunkDays = (days: SubscriptionDay[]): SubscriptionDay[][] =>
  Array.from({ length: Math.ceil(days.length / WORKSPACES) }, (_, n) =>
    days.slice(n * WORKSPACES, (n + 1) * WORKSPACES),
  );
