import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { refundAsked, WORKFLOWS, workflowIds } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../dependencies.js';

type Deps = Pick<ApiDependencies, 'temporal' | 'taskQueue'>;

/** How long a response waits for the processor's first result of a refund. The refund is pending until then. */
const REFUND_WITHIN_MS = 4_000;

/** Starts the run of a stored refund. If a crash prevents that, the self-heal job finds the refund. */
export async function startRefund(
  { temporal, taskQueue }: Deps,
  refundId: string,
  workspaceId: string,
): Promise<void> {
  const start = starts(taskQueue).refund(refundId, workspaceId, 'requested');
  await temporal.workflow.start(WORKFLOWS.refund, start);
}

/** Waits until the processor has been called for the refunds, or until the deadline. Their rows have their status. */
export async function awaitRefunds({ temporal }: Pick<Deps, 'temporal'>, refundIds: string[]): Promise<void> {
  await temporal.withDeadline(Date.now() + REFUND_WITHIN_MS, async () => {
    await Promise.all(refundIds.map((id) => requested(id)));
  });

  async function requested(refundId: string): Promise<void> {
    try {
      await temporal.workflow.getHandle(workflowIds.refund(refundId)).executeUpdate(refundAsked);
    } catch (error) {
      // A run that has completed, or did not respond in time, is no error.
      if (!(error instanceof WorkflowNotFoundError) && !isGrpcServiceError(error)) {
        const { name } = error as Error;
        if (!/Timeout|Cancelled|UpdateFailed/.test(name)) throw error;
      }
    }
  }
}
