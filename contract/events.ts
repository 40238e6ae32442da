import { defineSignal } from '@temporalio/workflow';
import { workflowIds } from './names.js';
import type { Start } from './run.js';

export interface WebhookDeliveryInput {
  workspaceId: string;
  /** Starts in the queue for slow receivers; set by continue-as-new. */
  struggling?: boolean;
}

/** The workspace's webhook queue has new events. */
export const eventsQueued = defineSignal('events-queued');

export interface RedeliveryInput {
  eventId: string;
}

/**
 * Task queues for webhook deliveries, separate from the main one so that a receiver never occupies a slot of
 * the main worker. Slow and failing receivers have their own queue and delay only each other.
 */
export const webhookTaskQueues = (taskQueue: string) => ({
  fast: `${taskQueue}-webhooks`,
  slow: `${taskQueue}-webhooks-slow`,
});

export const webhookStarts = (start: Start) => ({
  webhookDelivery: (workspaceId: string) =>
    start<WebhookDeliveryInput>(
      workflowIds.webhookDelivery(workspaceId),
      { workspaceId },
      "Sends events to the workspace's webhook endpoint",
      workspaceId,
    ),

  redelivery: (eventId: string, workspaceId: string) =>
    start<RedeliveryInput>(
      workflowIds.redelivery(eventId),
      { eventId },
      'Sends one event once, on request',
      workspaceId,
    ),
});
