import { condition, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import { disputeReported, type PaymentDisputesInput } from '../contract/payments/disputes.js';
import { proxyTransactions } from './in-task.js';

const { lookUpDisputes } = proxyActivities<Activities>(OUTSIDE_CALL);
const { recordDisputes } = proxyTransactions();

/** How long to wait for a payment that has not been reported yet. Self-heal finds it within the hour. */
export const WAITS_FOR_PAYMENT = ['30 seconds', '5 minutes', '30 minutes', '2 hours'] as const;

/**
 * Reads the disputes of one payment from the processor whenever something about them was reported, and stores
 * them (docs/rules/billing.md#disputes). There is one run per payment, so that a later result is never stored
 * before an earlier one.
 */
export async function paymentDisputes({ paymentIntentId }: PaymentDisputesInput): Promise<string> {
  const attention = new Attention();
  let reported = true;
  setHandler(disputeReported, () => {
    reported = true;
  });

  let result = 'unknown';
  for (const wait of [...WAITS_FOR_PAYMENT, null]) {
    while (reported) {
      reported = false;
      result = await read();
    }
    if (result !== 'unknown' || wait === null) break;
    attention.showStatus('The payment is not known yet. Waiting for it.');
    await condition(() => reported, wait, { summary: 'look for the payment again' });
    reported = true;
  }
  return result;

  async function read(): Promise<string> {
    attention.showStatus('Reading the disputes of this payment at the processor.');
    const found = await attention.retryUntilDone('reading disputes', () => lookUpDisputes(paymentIntentId));
    if (found.kind !== 'found') return found.kind;
    const { paymentId, disputes } = found;
    await attention.retryUntilDone('storing disputes', () => recordDisputes({ paymentId, disputes }));
    return 'recorded';
  }
}
