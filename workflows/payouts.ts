import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import type { PayoutsInput, PayoutsSummary } from '../contract/reports.js';
import { BATCH } from './activity-options.js';
import { Attention } from './attention.js';

const { readPayouts } = proxyActivities<Activities>({ ...BATCH, heartbeatTimeout: '30 seconds' });

/**
 * Reads the payouts of connected accounts and what is in them (docs/rules/reports.md#payouts). Runs several
 * times a day. Failures are shown to the operator, and the next run retries them.
 */
export async function payouts({ workspaceId, resume }: PayoutsInput = {}): Promise<PayoutsSummary> {
  const summary = { ...(resume?.summary ?? { accounts: 0, failed: 0 }) };
  const attention = new Attention();
  let after = resume?.after ?? '';
  for (;;) {
    attention.showStatus(`Reading payouts at the processor; ${summary.accounts} accounts done.`);
    const page = await readPayouts({ workspaceId, after });
    summary.accounts += page.accounts;
    summary.failed += page.failed;
    if (page.last === null) break;
    after = page.last;
    if (workflowInfo().continueAsNewSuggested)
      await attention.continueAsNew<typeof payouts>({ workspaceId, resume: { after, summary } });
  }
  if (summary.failed > 0) {
    attention.raise(
      'reading payouts',
      `failed for ${summary.failed} accounts. See the worker's log; the next run tries them again.`,
    );
  }
  return summary;
}
