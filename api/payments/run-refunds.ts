import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { refundAsked, WORKFLOWS, workflowIds } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';

type Deps = Pick<ApiDependencies, 'temporal' | 'taskQueue'>;

/** How long an answer waits for the processor's first word on a refund; what it doesn't know by then is pending. */
const REFUND_WITHIN_MS = 4_000;

/** Starts the run of a refund that has been stored. One that a crash kept from starting is found by self-heal. */
export async function startRefund(
  { temporal, taskQueue }: Deps,
  refundId: string,
  workspaceId: string,
): Promise<void> {
  await temporal.workflow.start(
    WORKFLOWS.refund,
    starts(taskQueue).refund(refundId, workspaceId, 'requested'),
  );
}

/** Waits until the processor has been asked for the refunds, or gives up: their rows tell how far they are. */
export async function awaitRefunds({ temporal }: Pick<Deps, 'temporal'>, refundIds: string[]): Promise<void> {
  await temporal.withDeadline(Date.now() + REFUND_WITHIN_MS, async () => {
    await Promise.all(refundIds.map((id) => asked(id)));
  });

  async function asked(refundId: string): Promise<void> {
    try {
      await temporal.workflow.getHandle(workflowIds.refund(refundId)).executeUpdate(refundAsked);
    } catch (error) {
      // Over already, or not in time: neither is a fault.
      if (!(error instanceof WorkflowNotFoundError) && !isGrpcServiceError(error)) {
        const { name } = error as Error;
        if (!/Timeout|Cancelled|UpdateFailed/.test(name)) throw error;
      }
    }
  }
}
