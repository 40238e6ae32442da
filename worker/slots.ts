import type { WorkerOptions } from '@temporalio/worker';

/** The slots of a worker, with the SDK's names. */
export interface Concurrency {
  maxConcurrentWorkflowTaskExecutions: number;
  maxConcurrentLocalActivityExecutions: number;
  maxConcurrentActivityTaskExecutions: number;
  maxConcurrentWebhookDeliveries: number;
  maxCachedWorkflows: number;
}

/**
 * Threads that run workflows. Each one has a heap that can become as large as that of the process
 * (docs/guides/install.md#memory).
 */
export const WORKFLOW_THREADS = 1;

/**
 * Returns what the worker of the main queue does at the same time. A task that opens a checkout or settles a
 * payment waits for the processor for most of a second; by default, the slots do not limit how many do so at
 * the same time. A cached run takes tens of kilobytes and saves a replay. Most runs sleep for weeks, so few
 * are worth caching: a run that wakes up is replayed from its short history.
 */
export const mainSlots = (slots: Concurrency): Partial<WorkerOptions> => ({
  maxConcurrentWorkflowTaskExecutions: slots.maxConcurrentWorkflowTaskExecutions,
  maxConcurrentLocalActivityExecutions: slots.maxConcurrentLocalActivityExecutions,
  maxConcurrentActivityTaskExecutions: slots.maxConcurrentActivityTaskExecutions,
  maxCachedWorkflows: slots.maxCachedWorkflows,
  workflowThreadPoolSize: WORKFLOW_THREADS,
});

/** Returns what the worker of a webhook queue does at the same time. */
export const webhookSlots = ({ maxConcurrentWebhookDeliveries }: Concurrency): Partial<WorkerOptions> => ({
  maxConcurrentActivityTaskExecutions: maxConcurrentWebhookDeliveries,
});
