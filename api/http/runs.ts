import { WithStartWorkflowOperation, type Client, type WorkflowStartOptions } from '@temporalio/client';
import type { UpdateDefinition, WorkflowIdConflictPolicy } from '@temporalio/common';

/**
 * How long a request waits for a run. Longer than a workflow's own deadline for the processor, so that a slow
 * processor causes a 502 instead of a 503.
 */
export const RESPOND_WITHIN_MS = 14_000;

/** Calls of Temporal that share the time of a request. Errors: 503 `service_unavailable` after 14 s. */
export const inTime = <T>(temporal: Client, work: () => Promise<T>): Promise<T> =>
  temporal.withDeadline(Date.now() + RESPOND_WITHIN_MS, work);

/** Starts a run, or joins it, and waits for its result. Errors: `WorkflowFailedError`; 503 after 14 s. */
export const startAndWait = <Result>(
  temporal: Client,
  workflow: string,
  start: WorkflowStartOptions,
): Promise<Result> => inTime(temporal, () => temporal.workflow.execute(workflow, start) as Promise<Result>);

/** Starts a run with an update, or joins it, and waits for the update's outcome. Errors: 503 after 14 s. */
export const updateAndWait = <Outcome>(
  temporal: Client,
  update: UpdateDefinition<Outcome>,
  workflow: string,
  start: WorkflowStartOptions & { workflowIdConflictPolicy: WorkflowIdConflictPolicy },
  updateId?: string,
): Promise<Outcome> =>
  inTime(temporal, () =>
    temporal.workflow.executeUpdateWithStart(update, {
      ...(updateId && { updateId }),
      startWorkflowOperation: new WithStartWorkflowOperation(workflow, start),
    }),
  );
