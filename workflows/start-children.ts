import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { disputeReported, searchAttributes, WORKFLOWS } from './contract.js';
import { ONCE, starts, type RefundCause } from './starts.js';

type Start = { workflowId: string; args: unknown[] };

/** Starts the run of a refund, which outlives its parent. Does nothing if it was ever started. */
export function startRefund(refundId: string, cause: RefundCause): Promise<void> {
  const { taskQueue } = workflowInfo();
  return startOnce(WORKFLOWS.refund, starts(taskQueue).refund(refundId, ownWorkspace(), cause));
}

/** Starts the run that looks for refunds made at the processor, which outlives its parent, once. */
export function startAdoption(paymentIntentId: string): Promise<void> {
  const { taskQueue } = workflowInfo();
  return startOnce(WORKFLOWS.adoptRefunds, starts(taskQueue).adoptRefunds(paymentIntentId, ownWorkspace()));
}

/** Starts the run that reads the disputes of a payment, which outlives its parent, or has a running one read again. */
export async function startDisputes(paymentIntentId: string): Promise<void> {
  const { taskQueue } = workflowInfo();
  const start = starts(taskQueue).paymentDisputes(paymentIntentId, ownWorkspace());
  if (await startUnlessRunning(WORKFLOWS.paymentDisputes, start)) return;
  try {
    await getExternalWorkflowHandle(start.workflowId).signal(disputeReported);
  } catch (error) {
    // It has ended in the meantime, and so has read the disputes.
    if (isCancellation(error)) throw error;
  }
}

/** Has the disputes of a payment read and waits until they are stored. */
export async function recordDisputes(paymentIntentId: string): Promise<void> {
  const { taskQueue } = workflowInfo();
  const start = starts(taskQueue).paymentDisputes(paymentIntentId, ownWorkspace());
  try {
    const parentClosePolicy = ParentClosePolicy.ABANDON;
    await executeChild(WORKFLOWS.paymentDisputes, { ...start, parentClosePolicy });
  } catch (error) {
    // A run that is under way stores them.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** The workspace of this run; null where it has none. */
const ownWorkspace = (): string | null =>
  workflowInfo().typedSearchAttributes.get(searchAttributes.workspace) ?? null;

async function startOnce(type: string, start: Start): Promise<void> {
  await startUnlessRunning(type, { ...start, ...ONCE });
}

async function startUnlessRunning(type: string, start: Start): Promise<boolean> {
  try {
    await startChild(type, { ...start, parentClosePolicy: ParentClosePolicy.ABANDON });
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}
