import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, SubscriptionDay, SubscriptionPage } from '../activities/index.js';
import { BATCH } from './activity-options.js';
import { Attention } from './attention.js';
import type { SubscriptionInvoicesInput, SubscriptionInvoicesSummary } from '../contract/subscriptions.js';
import { inParallel } from './in-parallel.js';
import { proxyTransactions } from './in-task.js';
import { addFailed, showUnfinished } from './unfinished.js';

const { countPayers, listSubscriptionDays } = proxyTransactions();
const { enqueueStatements, invoiceWorkspaces } = proxyActivities<Activities>(BATCH);

/**
 * Workspaces of one activity, which invoices one after another, and how many activities run at the same time.
 */
const WORKSPACES = 40;
const CONCURRENCY = 5;
const EMPTY_SUMMARY: SubscriptionInvoicesSummary = { opened: 0, skipped: 0, statements: 0, failed: 0 };

/**
 * Invoices each payer for every month up to the day, once per month
 * (docs/rules/billing.md#subscription-invoices). All drafts of a workspace are written before the first
 * is opened; the next run opens the drafts of a run that was lost. Activities have some workspaces
 * each: most have a few payers.
 * On the first of the month it then mails statements (docs/rules/billing.md#monthly-statements), which have
 * the invoices of that morning. Goes through the workspaces page by page; a payer that fails does not stop
 * the others, and is named.
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

  /** Invoices some workspaces. An activity that has worked for a minute leaves the others to the next one. */
  async function invoiceAll(days: SubscriptionDay[]): Promise<void> {
    for (let next = days; next.length > 0;) {
      const { drafted, opened, failed, left, finished } = await invoiceWorkspaces({ days: next, job });
      begun += drafted;
      summary.opened += opened;
      addFailed(summary, left, failed);
      next = next.slice(finished);
    }
  }

  /** Works on one page after the other. Returns how many were done. */
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

/** Workspaces in groups of one activity. */
const chunkDays = (days: SubscriptionDay[]): SubscriptionDay[][] =>
  Array.from({ length: Math.ceil(days.length / WORKSPACES) }, (_, n) =>
    days.slice(n * WORKSPACES, (n + 1) * WORKSPACES),
  );
