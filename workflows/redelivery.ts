import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, DeliveryOutcome } from '../activities/index.js';
import { WEBHOOK_ATTEMPT } from './activity-options.js';
import { webhookTaskQueues, type RedeliveryInput } from '../contract/events.js';

/** One attempt to deliver an event on request: a redelivery, or a test of the endpoint. */
export async function redelivery({ eventId }: RedeliveryInput): Promise<DeliveryOutcome> {
  const taskQueue = webhookTaskQueues(workflowInfo().taskQueue).fast;
  const { redeliverEvent } = proxyActivities<Activities>({ ...WEBHOOK_ATTEMPT, taskQueue });
  return redeliverEvent(eventId);
}
