import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities, TurnReport } from '../activities/index.js';
import { WEBHOOK_TURN } from './activity-options.js';
import { Attention } from './attention.js';
import { eventsQueued, webhookTaskQueues, type WebhookDeliveryInput } from './contract.js';

const LEAST_PAUSE_MS = 200;

/**
 * Sends a workspace's events to its endpoint for as long as any are queued (decisions.md, "Events"); who queues
 * more wakes it or starts it anew. The queue with its order and retry times is in Postgres: a turn, one activity,
 * sends all that is due, so a run costs the same for one event as for hundreds. A receiver that is slow or takes
 * nothing goes on in a task queue apart, out of the way of those that work.
 */
export async function webhookDelivery({
  workspaceId,
  struggling = false,
}: WebhookDeliveryInput): Promise<string> {
  const taskQueues = webhookTaskQueues(workflowInfo().taskQueue);
  const turnIn = (taskQueue: string) =>
    proxyActivities<Activities>({ ...WEBHOOK_TURN, taskQueue }).deliverEvents;
  const turns = { prompt: turnIn(taskQueues.prompt), patient: turnIn(taskQueues.patient) };
  const attention = new Attention();
  let woken = true;
  setHandler(eventsQueued, () => {
    woken = true;
  });

  for (;;) {
    woken = false;
    attention.waitFor(`Sending events${struggling ? ' to a receiver that is slow or failing' : ''}.`);
    const turn = struggling ? turns.patient : turns.prompt;
    const report = await attention.keepTrying('sending events', () => turn(workspaceId));
    struggling = report.struggling;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof webhookDelivery>({ workspaceId, struggling });
    }
    attention.waitFor(describe(report));
    if (report.waitMs === null) {
      if (!woken) return describe(report);
    } else if (report.waitMs > 0 || report.delivered + report.failed === 0) {
      // A turn that found nothing to do is not repeated at once, whatever the reason.
      const pause = Math.max(report.waitMs, LEAST_PAUSE_MS);
      await condition(() => woken, pause, { summary: 'next attempt is due' });
    }
  }
}

/** What an operator reads while a run waits, and of one that is over. */
function describe({ waiting, waitMs, failingSince, disabled }: TurnReport): string {
  if (disabled) return 'The endpoint is disabled. Its owner gets a mail.';
  if (waitMs === null) return 'Nothing is queued.';
  const failing = failingSince ? ` The receiver has only failed since ${failingSince}.` : '';
  const next = new Date(Date.now() + waitMs).toISOString();
  return `Waiting to try again at ${next}; ${waiting} events are queued.${failing}`;
}
