import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { BATCH, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import type { SubscriptionInvoicesInput, SubscriptionInvoicesSummary } from './contract.js';

const { listSubscriptionDays } = proxyActivities<Activities>(TRANSACTION);
const { draftInvoices, openDrafts } = proxyActivities<Activities>(BATCH);

/**
 * Invoices each payer for every month up to the day, once per month (docs/rules/billing.md#subscription-invoices). All
 * drafts of a workspace are written before the first is opened; the next run opens the drafts of a run that was lost.
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
    attention.showStatus(`Invoicing ${day.workspaceId} for ${day.day}; ${created.length} invoices opened.`);
    for (let after: string | null = ''; after !== null;) {
      const page: Awaited<ReturnType<typeof draftInvoices>> = await draftInvoices({ ...day, after });
      begun += page.begun;
      after = page.last;
    }
    for (let more = true; more;) {
      const page = await openDrafts(day.workspaceId);
      created.push(...page.opened);
      more = page.more;
    }
    // Days that are done are not listed again.
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof subscriptionInvoices>({ workspaceId, asOf, resume: { created, begun } });
  }
  return { created, skipped: payers - begun };
}
