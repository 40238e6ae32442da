import {
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { WORKFLOWS, workflowIds } from '../../../contract/names.js';
import { refundAsked } from '../../../contract/payments/refunds.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';

type Deps = Pick<ApiDependencies, 'temporal' | 'taskQueue'>;

/**
 * How long a response waits for the processor's first result of a refund. The refund is pending until then.
 */
const REFUND_WITHIN_MS = 4_000;

/**
 * Starts the run of a stored refund. If Temporal is unavailable or the process crashes, the self-heal job
 * starts it later. This is not reported as an error: a client that repeated the request without a key would
 * refund twice.
 */
export async function startRefund(
  { temporal, taskQueue }: Deps,
  refundId: string,
  workspaceId: string,
): Promise<void> {
  const start = starts(taskQueue).refund(refundId, workspaceId, 'requested');
  try {
    await temporal.withDeadline(Date.now() + REFUND_WITHIN_MS, () =>
      temporal.workflow.start(WORKFLOWS.refund, start),
    );
  } catch (error) {
    if (!isWithoutResult(error)) throw error;
  }
}

/**
 * Waits until the processor has been called for the refunds, or until the deadline.
 * Their rows have their status.
 */
export async function awaitRefunds({ temporal }: Pick<Deps, 'temporal'>, refundIds: string[]): Promise<void> {
  await temporal.withDeadline(Date.now() + REFUND_WITHIN_MS, async () => {
    await Promise.all(refundIds.map((id) => requested(id)));
  });

  async function requested(refundId: string): Promise<void> {
    try {
      await temporal.workflow.getHandle(workflowIds.refund(refundId)).executeUpdate(refundAsked);
    } catch (error) {
      if (!isWithoutResult(error)) throw error;
    }
  }
}

/**
 * True if a run has completed, did not respond in time, or could not be asked: Temporal refuses an
 * update with `FAILED_PRECONDITION` if a signal reaches the run in the workflow task that completes
 * it. The refund continues.
 */
function isWithoutResult(error: unknown): boolean {
  const types = [
    ServiceError,
    WorkflowNotFoundError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
  ];
  return types.some((type) => error instanceof type) || isGrpcServiceError(error);
}
