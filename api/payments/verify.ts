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
import type { ApiDependencies } from '../dependencies.js';

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/**
 * Verifies a payment and returns the outcome (docs/architecture.md#payment-confirmation): settled payments are read from
 * the database, all others are requested from the processor. Idempotent.
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
 * Reports a payment to its booking's run, which verifies it. Resolves when the report is durable. If the booking has no
 * run, `verifyPayment` runs instead and refunds a late payment (docs/rules/bookings.md#late-payments).
 */
export async function reportPayment(
  deps: Deps,
  bookingId: string,
  notification: PaymentNotification,
): Promise<void> {
  try {
    await deps.temporal.workflow
      .getHandle(workflowIds.booking(bookingId))
      .signal(paymentConfirmed, notification);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await deps.temporal.workflow.start(
      WORKFLOWS.verifyPayment,
      starts(deps.taskQueue).verifyPayment({ ...notification, ownerId: bookingId }),
    );
  }
}
