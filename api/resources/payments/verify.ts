import { WorkflowNotFoundError, WorkflowUpdateFailedError, type WorkflowClient } from '@temporalio/client';
import { findSettlement } from '../../../db/queries/payments/settlement.js';
import type { Checkout } from '../../../db/entities/payments.js';
import { lookAtCheckout } from '../../../contract/payments/checkouts.js';
import { WORKFLOWS } from '../../../contract/names.js';
import type { VerifyPaymentInput, VerifyPaymentOutcome } from '../../../contract/payments/payments.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * Verifies a payment and returns the outcome (docs/internals/architecture.md#payment-confirmation): settled
 * payments are read from the database, all others are requested from the processor. Idempotent.
 */
export async function requestVerification(
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
 * Makes the run of an open checkout check with the processor whether it is paid, and settle the payment.
 * Resolves when the result is stored. Throws if this takes longer than `withinMs`, in which case the run
 * continues. If there is no run, `verifyPayment` runs instead.
 */
export async function lookAtOpenCheckout(
  deps: Deps,
  { owner_id, session_id }: Pick<Checkout, 'owner_id' | 'session_id'>,
  withinMs: number,
): Promise<void> {
  const source = 'success_page';
  await deps.temporal.withDeadline(Date.now() + withinMs, async () => {
    const { workflow }: { workflow: WorkflowClient } = deps.temporal;
    try {
      await workflow.getHandle(owner_id).executeUpdate(lookAtCheckout, { args: [{ source }] });
    } catch (error) {
      const isOver = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
      if (!isOver) throw error;
      const start = starts(deps.taskQueue).verifyPayment({ sessionId: session_id!, source });
      await (await workflow.start(WORKFLOWS.verifyPayment, start)).result();
    }
  });
}
