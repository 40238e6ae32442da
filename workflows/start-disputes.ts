import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { disputeReported } from '../contract/disputes.js';
import { WORKFLOWS } from '../contract/names.js';
import { searchAttributes } from '../contract/search-attributes.js';
import { starts } from '../contract/starts.js';

const parentClosePolicy = ParentClosePolicy.ABANDON;

/** Starts the run that reads the disputes of a payment, which outlives its parent, or has a running one read again. */
export async function startDisputes(paymentIntentId: string): Promise<void> {
  const start = startOf(paymentIntentId);
  try {
    await startChild(WORKFLOWS.paymentDisputes, { ...start, parentClosePolicy });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await signal(start.workflowId);
  }
}

/** Has the disputes of a payment read and waits until they are stored; a run that is under way stores them anyway. */
export async function readDisputes(paymentIntentId: string): Promise<void> {
  try {
    await executeChild(WORKFLOWS.paymentDisputes, { ...startOf(paymentIntentId), parentClosePolicy });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

function startOf(paymentIntentId: string) {
  const { taskQueue, typedSearchAttributes } = workflowInfo();
  const workspaceId = typedSearchAttributes.get(searchAttributes.workspace) ?? null;
  return starts(taskQueue).paymentDisputes(paymentIntentId, workspaceId);
}

async function signal(workflowId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(disputeReported);
  } catch (error) {
    // It has ended in the meantime, so it has read the disputes.
    if (isCancellation(error)) throw error;
  }
}
