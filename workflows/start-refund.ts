import { WorkflowExecutionAlreadyStartedError, type SearchAttributePair } from '@temporalio/common';
import { ParentClosePolicy, startChild, workflowInfo, WorkflowIdReusePolicy } from '@temporalio/workflow';
import {
  searchAttributes,
  WORKFLOWS,
  workflowIds,
  type AdoptRefundsInput,
  type RefundInput,
} from './contract.js';

/** Starts a refund's own run, which outlives its caller. One that has been started before is left alone. */
export function startRefund(refundId: string, summary: string): Promise<void> {
  const input: RefundInput = { refundId };
  return startOnce(WORKFLOWS.refund, workflowIds.refund(refundId), input, summary);
}

/** Starts the adoption of refunds that were made at the processor before the payment was known, likewise. */
export function startAdoption(paymentIntentId: string): Promise<void> {
  const input: AdoptRefundsInput = { paymentIntentId };
  const summary = 'Looks for refunds made at the processor';
  return startOnce(WORKFLOWS.adoptRefunds, workflowIds.adoptRefunds(paymentIntentId), input, summary);
}

function ofParent(): SearchAttributePair[] {
  const workspace = workflowInfo().typedSearchAttributes.get(searchAttributes.workspace);
  return workspace ? [{ key: searchAttributes.workspace, value: workspace } as never] : [];
}

async function startOnce(
  type: string,
  workflowId: string,
  input: RefundInput | AdoptRefundsInput,
  staticSummary: string,
): Promise<void> {
  try {
    await startChild(type, {
      workflowId,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [input],
      staticSummary,
      // That of whose run this is: the dashboard finds what keeps failing by it.
      typedSearchAttributes: ofParent(),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
