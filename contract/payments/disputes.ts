import { defineSignal } from '@temporalio/workflow';
import { workflowIds } from '../names.js';
import type { Start } from '../run.js';

export interface PaymentDisputesInput {
  paymentIntentId: string;
}

/** The processor reports something about a dispute of the payment. */
export const disputeReported = defineSignal('dispute-reported');

export const disputeStarts = (start: Start) => ({
  paymentDisputes: (paymentIntentId: string, workspaceId: string | null) =>
    start<PaymentDisputesInput>(
      workflowIds.paymentDisputes(paymentIntentId),
      { paymentIntentId },
      'Follows the disputes of a payment',
      workspaceId,
    ),
});
