import { WorkflowNotFoundError } from '@temporalio/client';
import { findSettlement } from '../../db/repositories/billing/settlement-queries.js';
import {
  paymentConfirmed,
  WORKFLOWS,
  workflowIds,
  type PaymentNotification,
  type VerifyPaymentInput,
  type VerifyPaymentOutcome,
} from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * `verify_payment` with its answer (spec.md, rule 6): what has been settled before is read from our rows, the
 * rest is asked of the processor. Safe to call any number of times.
 */
export async function verifyPayment(
  deps: Deps,
  input: VerifyPaymentInput,
  withinMs: number,
): Promise<VerifyPaymentOutcome> {
  if (input.paymentIntentId) {
    const settled = await findSettlement(deps.db.manager, input.paymentIntentId);
    if (settled) return settled;
  }
  return deps.temporal.withDeadline(Date.now() + withinMs, async () => {
    const start = starts(deps.taskQueue).verifyPayment(input);
    const run = await deps.temporal.workflow.start(WORKFLOWS.verifyPayment, start);
    return run.result() as Promise<VerifyPaymentOutcome>;
  });
}

/**
 * Reports a payment to its booking's run, which verifies it; returns when that is durable. A booking that has no
 * run (any more) gets a run of `verifyPayment` instead, which gives late money back.
 */
export async function reportPayment(deps: Deps, bookingId: string, news: PaymentNotification): Promise<void> {
  try {
    await deps.temporal.workflow.getHandle(workflowIds.booking(bookingId)).signal(paymentConfirmed, news);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    const start = starts(deps.taskQueue).verifyPayment(news);
    await deps.temporal.workflow.start(WORKFLOWS.verifyPayment, start);
  }
}
