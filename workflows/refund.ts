import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import { Attention } from './attention.js';
import { refundAsked, refundUpdated, type RefundInput } from './contract.js';

const { createRefund, lookUpRefund, sendRefundMail } = proxyActivities<Activities>(OUTSIDE_CALL);
const { recordRefund } = proxyActivities<Activities>(TRANSACTION);

const LONGEST_PAUSE_MINUTES = 6 * 60;

/**
 * One refund, from its row to its end: made at the processor once, then followed until the processor calls it
 * succeeded or failed (decisions.md, "Refund"). A failed one needs a person and says so.
 */
export async function refund({ refundId }: RefundInput): Promise<string> {
  const attention = new Attention();
  let nudged = false;
  let asked = false;
  setHandler(refundAsked, () => condition(() => asked));
  setHandler(refundUpdated, () => {
    nudged = true;
  });

  // Runs of before forget a nudge that comes while the processor is being asked.
  const keepsNudges = patched('keep-nudges');
  attention.waitFor('Asking the processor to give the money back.');
  let current = await keepTrying('refunding', () => createRefund(refundId));
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MINUTES)) {
    if (!keepsNudges) nudged = false;
    const { bookingId } = await keepTrying('storing the refund', () =>
      recordRefund({ refundId, ...current }),
    );
    asked = true;
    if (current.status === 'succeeded') {
      if (bookingId) await keepTrying('sending mail', () => sendRefundMail(refundId));
      await condition(allHandlersFinished);
      return current.status;
    }
    if (current.status === 'failed') {
      attention.raise('the refund', 'the processor could not give the money back; pay it back another way');
      await condition(allHandlersFinished);
      return current.status;
    }
    attention.waitFor('The refund is pending at the processor. Waiting for its end.');
    await condition(() => nudged, `${pause} minutes`, { summary: 'look at the refund again' });
    nudged = false;
    current = await keepTrying('looking up the refund', () => lookUpRefund(refundId));
  }

  /** A run that grew too long over its tries goes on anew, from the refund's row. */
  function keepTrying<T>(step: string, work: () => Promise<T>): Promise<T> {
    return attention.keepTrying(step, async () => {
      if (workflowInfo().continueAsNewSuggested && patched('continue-as-new')) {
        asked = true;
        attention.clear();
        await condition(allHandlersFinished);
        await continueAsNew<typeof refund>({ refundId });
      }
      return work();
    });
  }
}
