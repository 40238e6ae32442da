import { continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL, TRANSACTION, WEBHOOK_ATTEMPT } from './activity-options.js';
import { Attention } from './attention.js';
import { tiersChanged, webhookTaskQueues, type TierChangesInput } from './contract.js';

const { quoteTierChange, followTierChange } = proxyActivities<Activities>(OUTSIDE_CALL);
const { listTierChanges, settleTierChange, invoiceTierChange } = proxyActivities<Activities>(TRANSACTION);

/**
 * Has a workspace's upgrades paid for, in their order, until there are no more (decisions.md, "Members"): the event of
 * each is tried before the processor hears of it; what the processor says it costs becomes an invoice at once. One run
 * a workspace, since the subscription is one: two changes of it at once would undo each other.
 */
export async function tierChanges({ workspaceId }: TierChangesInput): Promise<string> {
  const { prompt } = webhookTaskQueues(workflowInfo().taskQueue);
  const { tryEventNow } = proxyActivities<Activities>({ ...WEBHOOK_ATTEMPT, taskQueue: prompt });
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
      attention.waitFor(`Telling of ${changes.length} upgrades before the processor is asked.`);
      // An attempt that fails, or a receiver that takes its time, is the queue's affair from then on.
      await Promise.all(changes.map(({ eventId }) => tryEventNow(eventId).catch(() => undefined)));
      for (const { changeId } of changes) await payFor(changeId);
      done += changes.length;
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof tierChanges>({ workspaceId });
    }
  }
  return `${done} upgrades`;

  async function payFor(changeId: string): Promise<void> {
    attention.waitFor(`Asking the processor what the upgrade ${changeId} costs.`);
    const quote = await attention.keepTrying('asking what an upgrade costs', () => quoteTierChange(changeId));
    await attention.keepTrying('storing what an upgrade costs', () => settleTierChange({ changeId, quote }));
    if (!quote) return;
    attention.waitFor(`Changing the subscription for ${changeId}.`);
    await attention.keepTrying('changing the subscription', () => followTierChange(changeId));
    await attention.keepTrying('invoicing an upgrade', () => invoiceTierChange(changeId));
  }
}
