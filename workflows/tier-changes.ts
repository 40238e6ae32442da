import { proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { JOB_PAGE, OUTSIDE_CALL, WEBHOOK_ATTEMPT } from './activity-options.js';
import { Attention } from './attention.js';
import { tiersChanged, type TierChangesInput } from '../contract/members.js';
import { webhookTaskQueues } from '../contract/events.js';
import { proxyTransactions } from './in-task.js';

const { quoteTierChange, syncTierSubscription } = proxyActivities<Activities>(OUTSIDE_CALL);
const { recordTierQuote, invoiceTierChange } = proxyTransactions();
const { listTierChanges } = proxyTransactions(JOB_PAGE);

/**
 * Bills a workspace's tier upgrades in order (docs/rules/billing.md#tier-upgrades). The event of each upgrade
 * is attempted before the processor is asked to prorate; the prorated price is invoiced immediately. There is
 * one run per workspace, since there is one subscription per workspace and two concurrent updates would
 * overwrite each other.
 */
export async function tierChanges({ workspaceId }: TierChangesInput): Promise<string> {
  const { fast } = webhookTaskQueues(workflowInfo().taskQueue);
  const { tryEventNow } = proxyActivities<Activities>({ ...WEBHOOK_ATTEMPT, taskQueue: fast });
  const attention = new Attention();
  let woken = true;
  let done = 0;
  setHandler(tiersChanged, () => {
    woken = true;
  });

  while (woken) {
    woken = false;
    for (;;) {
      const changes = await listTierChanges(workspaceId);
      if (changes.length === 0) break;
      attention.showStatus(`Sending the events of ${changes.length} upgrades before they are billed.`);
      // Events that are not delivered now stay in the queue.
      await Promise.all(changes.map(({ eventId }) => tryEventNow(eventId).catch(() => undefined)));
      for (const { changeId } of changes) await bill(changeId);
      attention.showStatus(`Updating the subscription after ${changes.length} upgrades.`);
      await attention.retryUntilDone('updating the subscription', () => syncTierSubscription(workspaceId));
      done += changes.length;
      if (workflowInfo().continueAsNewSuggested)
        await attention.continueAsNew<typeof tierChanges>({ workspaceId });
    }
  }
  return `${done} upgrades`;

  async function bill(changeId: string): Promise<void> {
    attention.showStatus(`Retrieving the proration of the upgrade ${changeId} from the processor.`);
    const quote = await attention.retryUntilDone('prorating an upgrade', () => quoteTierChange(changeId));
    await attention.retryUntilDone("storing an upgrade's price", () => recordTierQuote({ changeId, quote }));
    if (!quote) return;
    await attention.retryUntilDone('invoicing an upgrade', () => invoiceTierChange(changeId));
  }
}
