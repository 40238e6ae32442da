import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { BATCH, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import type { SubscriptionInvoicesInput, SubscriptionInvoicesSummary } from './contract.js';

const { listSubscriptionDays } = proxyActivities<Activities>(TRANSACTION);
const { beginPeriods, finishDrafts } = proxyActivities<Activities>(BATCH);

/**
 * The daily job (decisions.md, "Subscription invoices"): every payer's months up to the day, each invoiced once. First
 * all drafts are written, then all are opened; a run that dies in between leaves drafts that the next one opens.
 */
export async function subscriptionInvoices({
  workspaceId,
  asOf,
  resume,
}: SubscriptionInvoicesInput = {}): Promise<SubscriptionInvoicesSummary> {
  const attention = new Attention();
  const { days, payers } = await listSubscriptionDays({ workspaceId, asOf });
  const created = resume?.created ?? [];
  let begun = resume?.begun ?? 0;
  for (const day of days) {
    attention.waitFor(`Invoicing ${day.workspaceId} for ${day.day}; ${created.length} invoices made.`);
    for (let after: string | null = ''; after !== null;) {
      const page: Awaited<ReturnType<typeof beginPeriods>> = await beginPeriods({ ...day, after });
      begun += page.begun;
      after = page.last;
    }
    for (let more = true; more;) {
      const page = await finishDrafts(day.workspaceId);
      created.push(...page.opened);
      more = page.more;
    }
    // What is done is not listed again.
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof subscriptionInvoices>({ workspaceId, asOf, resume: { created, begun } });
  }
  return { created, skipped: payers - begun };
}
