import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild, WorkflowIdReusePolicy } from '@temporalio/workflow';
import { WORKFLOWS, workflowIds, type RefundInput } from './contract.js';

/** Starts a refund's own run, which outlives its caller. One that has been started before is left alone. */
export async function startRefund(refundId: string, summary: string): Promise<void> {
  const input: RefundInput = { refundId };
  try {
    await startChild(WORKFLOWS.refund, {
      workflowId: workflowIds.refund(refundId),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [input],
      staticSummary: summary,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
