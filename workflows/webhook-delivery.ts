import { condition, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities, DeliveryReport } from '../activities/index.js';
import { WEBHOOK_DELIVERY } from './activity-options.js';
import { Attention } from './attention.js';
import { eventsQueued, webhookTaskQueues, type WebhookDeliveryInput } from '../contract/events.js';

/**
 * How long a run waits for more events before it ends. Temporal Cloud starts one run per second under an id,
 * so a run per event would fall behind.
 */
const LINGER_MS = 30_000;
const MIN_PAUSE_MS = 200;

/**
 * Sends a workspace's events to its endpoint while any are queued (docs/rules/events.md#delivery). The outbox
 * relay starts or signals it. The queue, its order and its retry times are in Postgres: one activity sends
 * all events that are due, so a run costs the same for one event as for hundreds. Slow and failing receivers
 * move to their own task queue and delay only each other.
 */
export async function webhookDelivery({
  workspaceId,
  struggling = false,
}: WebhookDeliveryInput): Promise<string> {
  const taskQueues = webhookTaskQueues(workflowInfo().taskQueue);
  const deliverOn = (taskQueue: string) =>
    proxyActivities<Activities>({ ...WEBHOOK_DELIVERY, taskQueue }).deliverEvents;
  const deliver = { fast: deliverOn(taskQueues.fast), slow: deliverOn(taskQueues.slow) };
  const attention = new Attention();
  let woken = true;
  setHandler(eventsQueued, () => {
    woken = true;
  });

  for (;;) {
    woken = false;
    attention.showStatus(`Sending events${struggling ? ' to a receiver that is slow or failing' : ''}.`);
    const deliverEvents = struggling ? deliver.slow : deliver.fast;
    const report = await attention.retryUntilDone('sending events', () => deliverEvents(workspaceId));
    struggling = report.struggling;
    if (workflowInfo().continueAsNewSuggested)
      await attention.continueAsNew<typeof webhookDelivery>({ workspaceId, struggling });
    attention.showStatus(describe(report));
    if (report.disabled && !woken) return describe(report);
    if (report.waitMs === null) {
      await condition(() => woken, LINGER_MS, { summary: 'ends unless more events are queued' });
      if (!woken) return 'All events are sent.';
    } else if (report.waitMs > 0 || report.delivered + report.failed === 0) {
      // An activity that found nothing to do is never repeated without a pause.
      const pause = Math.max(report.waitMs, MIN_PAUSE_MS);
      await condition(() => woken, pause, { summary: 'next attempt is due' });
    }
  }
}

/** Returns the status of a run that waits, and the result of one that ends. */
function describe({ waiting, waitMs, failingSince, disabled }: DeliveryReport): string {
  if (disabled) return 'The endpoint is disabled. The owner is notified by email.';
  if (waitMs === null) return 'All events are sent. Waiting for more.';
  const failing = failingSince ? ` Every attempt since ${failingSince} has failed.` : '';
  const next = new Date(Date.now() + waitMs).toISOString();
  return `Waiting to retry at ${next}. ${waiting} events are queued.${failing}`;
}
