import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  executeChild,
  getExternalWorkflowHandle,
  isCancellation,
  ParentClosePolicy,
  startChild,
  workflowInfo,
  type ChildWorkflowOptions,
} from '@temporalio/workflow';
import { disputeReported } from '../contract/payments/disputes.js';
import { WORKFLOWS } from '../contract/names.js';
import { searchAttributes } from '../contract/search-attributes.js';
import type { RefundCause } from '../contract/payments/refunds.js';
import { ONCE } from '../contract/run.js';
import { starts } from '../contract/starts.js';

/** Starts the run of a refund, which outlives its parent. Does nothing if it was already started. */
export async function startRefund(refundId: string, cause: RefundCause): Promise<void> {
  const start = startsHere().refund(refundId, ownWorkspace(), cause);
  await unlessStarted(startChild, WORKFLOWS.refund, { ...start, ...ONCE });
}

/**
 * Starts the run that adopts a payment's refunds created at the processor, once, or once for each of our own
 * refunds that failed. It outlives its parent.
 */
export async function startAdoption(paymentIntentId: string, failedRefundId?: string): Promise<void> {
  const start = startsHere().adoptRefunds(paymentIntentId, ownWorkspace(), failedRefundId);
  await unlessStarted(startChild, WORKFLOWS.adoptRefunds, { ...start, ...ONCE });
}

/**
 * Starts the run that reads the disputes of a payment, which outlives its parent. An existing run reads them
 * again.
 */
export async function startDisputes(paymentIntentId: string): Promise<void> {
  const start = startsHere().paymentDisputes(paymentIntentId, ownWorkspace());
  if (await unlessStarted(startChild, WORKFLOWS.paymentDisputes, start)) return;
  try {
    await getExternalWorkflowHandle(start.workflowId).signal(disputeReported);
  } catch (error) {
    // It has ended in the meantime, so it has read the disputes.
    if (isCancellation(error)) throw error;
  }
}

/**
 * Has the disputes of a payment read and waits until they are stored. If a run is already in progress, it
 * stores them anyway.
 */
export async function readDisputes(paymentIntentId: string): Promise<void> {
  const start = startsHere().paymentDisputes(paymentIntentId, ownWorkspace());
  await unlessStarted(executeChild, WORKFLOWS.paymentDisputes, start);
}

const startsHere = () => starts(workflowInfo().taskQueue);

/** Returns the workspace of this run; null if it has none. */
const ownWorkspace = (): string | null =>
  workflowInfo().typedSearchAttributes.get(searchAttributes.workspace) ?? null;

type ChildOptions = ChildWorkflowOptions & { workflowId: string; args: unknown[] };

/** Starts a child that outlives this run. Returns false if the server refuses it because its id is taken. */
async function unlessStarted(
  run: (type: string, options: ChildOptions) => Promise<unknown>,
  type: string,
  start: ChildOptions,
): Promise<boolean> {
  try {
    await run(type, { ...start, parentClosePolicy: ParentClosePolicy.ABANDON });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
