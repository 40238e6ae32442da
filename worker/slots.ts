import type { WorkerOptions } from '@temporalio/worker';

/** The slots of a worker, as the SDK names them. */
export interface Concurrency {
  maxConcurrentWorkflowTaskExecutions: number;
  maxConcurrentLocalActivityExecutions: number;
  maxConcurrentActivityTaskExecutions: number;
  /** Activities of each webhook queue. */
  maxConcurrentWebhookDeliveries: number;
  maxCachedWorkflows: number;
}

/**
 * Threads that run workflows. Each has a heap as large as that of the process may be
 * (docs/guides/install.md#memory).
 */
export const WORKFLOW_THREADS = 1;

/**
 * What the worker of the main queue does at a time. A task that opens a checkout or settles a payment waits
 * for the processor, for most of a second: by default the slots do not limit how many do so at the same time.
 * A cached run takes tens of kilobytes and saves a replay; most runs sleep for weeks, so few are worth
 * caching: a run that wakes is replayed from its short history.
 */
export const mainSlots = (slots: Concurrency): Partial<WorkerOptions> => ({
  maxConcurrentWorkflowTaskExecutions: slots.maxConcurrentWorkflowTaskExecutions,
  maxConcurrentLocalActivityExecutions: slots.maxConcurrentLocalActivityExecutions,
  maxConcurrentActivityTaskExecutions: slots.maxConcurrentActivityTaskExecutions,
  maxCachedWorkflows: slots.maxCachedWorkflows,
  workflowThreadPoolSize: WORKFLOW_THREADS,
});

/** What the worker of a webhook queue does at a time. */
export const webhookSlots = ({ maxConcurrentWebhookDeliveries }: Concurrency): Partial<WorkerOptions> => ({
  maxConcurrentActivityTaskExecutions: maxConcurrentWebhookDeliveries,
});
