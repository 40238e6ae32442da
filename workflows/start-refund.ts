import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild, workflowInfo } from '@temporalio/workflow';
import { WORKFLOWS } from '../contract/names.js';
import { searchAttributes } from '../contract/search-attributes.js';
import type { RefundCause } from '../contract/refunds.js';
import { ONCE } from '../contract/run.js';
import { starts } from '../contract/starts.js';

/** Starts the run of a refund, which outlives its parent. Does nothing if it was started before. */
export function startRefund(refundId: string, cause: RefundCause): Promise<void> {
  const { taskQueue } = workflowInfo();
  return startOnce(WORKFLOWS.refund, starts(taskQueue).refund(refundId, ownWorkspace(), cause));
}

/** Starts the run that adopts a payment's refunds created at the processor, once. It outlives its parent. */
export function startAdoption(paymentIntentId: string): Promise<void> {
  const { taskQueue } = workflowInfo();
  return startOnce(WORKFLOWS.adoptRefunds, starts(taskQueue).adoptRefunds(paymentIntentId, ownWorkspace()));
}

/** The workspace of this run; null if it has none. */
const ownWorkspace = (): string | null =>
  workflowInfo().typedSearchAttributes.get(searchAttributes.workspace) ?? null;

async function startOnce(type: string, start: { workflowId: string; args: unknown[] }): Promise<void> {
  try {
    await startChild(type, { ...start, ...ONCE, parentClosePolicy: ParentClosePolicy.ABANDON });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
