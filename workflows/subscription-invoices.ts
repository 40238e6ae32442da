import { proxyActivities } from '@temporalio/workflow';
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
}: SubscriptionInvoicesInput = {}): Promise<SubscriptionInvoicesSummary> {
  const attention = new Attention();
  const { days, payers } = await listSubscriptionDays({ workspaceId, asOf });
  const created: string[] = [];
  let begun = 0;
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
  }
  return { created, skipped: payers - begun };
}
