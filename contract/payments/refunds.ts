import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { workflowIds } from '../names.js';
import type { Start } from '../run.js';

export interface RefundInput {
  refundId: string;
}

export interface AdoptRefundsInput {
  paymentIntentId: string;
}

/** Returns once the refund has been requested from the processor, whatever the response. */
export const refundAsked = defineUpdate<void>('asked');

/** The processor reports a new status of this refund. */
export const refundUpdated = defineSignal('refund-updated');

/** The account has balance at the processor again: a refund that lacked it is retried. */
export const balanceAvailable = defineSignal('balance-available');

/** The cause of a refund, as the Web UI shows it. */
const REFUND_SUMMARIES = {
  requested: 'Refunds a payment',
  change: 'Refunds the difference after a change or cancellation',
  overpaid: 'Refunds the amount paid over the total',
  late: 'Refunds a payment that could not confirm its booking',
  adopted: 'Tracks a refund created at the processor',
  updated: 'Tracks a refund whose status changed at the processor',
  funded: 'Retries a refund that lacked balance',
  revived: 'Continues a refund whose run was lost',
} as const;

export type RefundCause = keyof typeof REFUND_SUMMARIES;

export const refundStarts = (start: Start) => {
  const refund = (refundId: string, workspaceId: string | null, cause: RefundCause) =>
    start<RefundInput>(workflowIds.refund(refundId), { refundId }, REFUND_SUMMARIES[cause], workspaceId);
  return {
    refund,

    /** Signals that there is balance for it. */
    fundedRefund: (refundId: string, workspaceId: string, cause: 'funded' | 'revived') => ({
      ...refund(refundId, workspaceId, cause),
      signal: balanceAvailable,
    }),

    /**
     * With `cause`, there is one run per event of the processor or failed refund, because a run that is about
     * to end would miss a later refund.
     */
    adoptRefunds: (paymentIntentId: string, workspaceId: string | null, cause?: string) =>
      start<AdoptRefundsInput>(
        [workflowIds.adoptRefunds(paymentIntentId), cause].filter(Boolean).join('-'),
        { paymentIntentId },
        'Looks for refunds created at the processor',
        workspaceId,
      ),
  };
};
