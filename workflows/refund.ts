import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import {
  balanceAvailable,
  refundAsked,
  refundUpdated,
  type RefundInput,
} from '../contract/payments/refunds.js';
import { firstInTask, proxyTransactions } from './in-task.js';
import { startAdoption } from './start-child.js';

const createRefund = firstInTask((activities) => activities.createRefund, OUTSIDE_CALL);
const { lookUpRefund } = proxyActivities<Activities>(OUTSIDE_CALL);
const { recordRefund } = proxyTransactions();

const MAX_PAUSE_MINUTES = 6 * 60;

/**
 * One refund: created at the processor once, then tracked until it succeeds or fails
 * (docs/rules/billing.md#refunds). A refund that fails for lack of balance is created again when there is
 * enough. A failed refund raises attention, since someone must decide what to do. It may have failed because
 * its payment was refunded at the processor, so such refunds are looked for.
 */
export async function refund({ refundId }: RefundInput): Promise<string> {
  const attention = new Attention();
  let updated = false;
  let asked = false;
  let funded = false;
  setHandler(refundAsked, () => condition(() => asked));
  setHandler(refundUpdated, () => {
    updated = true;
  });

  setHandler(balanceAvailable, () => {
    funded = true;
  });

  attention.showStatus('Creating the refund at the processor.');
  // Reports that arrived before the refund was first read are included in its result.
  updated = false;
  let current = await retryUntilDone('creating the refund', () => createRefund(refundId));
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MINUTES)) {
    const { status } = current;
    const recorded = await retryUntilDone('storing the refund', () => recordRefund({ refundId, ...current }));
    asked = true;
    if (recorded === 'deferred') {
      current = await refundWhenFunded();
      pause = 1;
      continue;
    }
    if (typeof recorded === 'object') await startAdoption(recorded.failedOn, refundId);
    if (status === 'failed')
      attention.raise(
        'the refund',
        'failed at the processor. Refund the payment again, or return the money another way.',
      );
    if (status === 'pending') {
      attention.showStatus('The refund is pending at the processor. Waiting for it to succeed or fail.');
      await condition(() => updated, `${pause} minutes`, { summary: 'look up the refund again' });
    } else {
      await condition(allHandlersFinished);
      // A report that arrived while the result was being stored is looked up before the run ends.
      const isAtProcessor = current.refund_id !== null;
      if (!updated || !isAtProcessor) return status;
    }
    updated = false;
    current = await retryUntilDone('looking up the refund', () => lookUpRefund(refundId));
  }

  /** Waits for balance, or a day, and creates the refund again. */
  async function refundWhenFunded(): Promise<typeof current> {
    attention.showStatus('The balance of the account is too low for the refund. Waiting for funds.');
    attention.raise(
      'the refund',
      'is waiting for funds at the processor. Add funds there. The refund is retried when they arrive, and ' +
        'once a day.',
    );
    await condition(() => funded, '1 day', { summary: 'try the refund again' });
    funded = false;
    const created = await retryUntilDone('creating the refund', () => createRefund(refundId));
    if (!created.lacks_balance) attention.resolve('the refund');
    return created;
  }

  /** Continues as new between attempts if suggested. The next run starts from the refund's row. */
  function retryUntilDone<T>(step: string, work: () => Promise<T>): Promise<T> {
    return attention.retryUntilDone(step, async () => {
      if (workflowInfo().continueAsNewSuggested) {
        asked = true;
        attention.clear();
        await condition(allHandlersFinished);
        await attention.continueAsNew<typeof refund>({ refundId });
      }
      return work();
    });
  }
}
