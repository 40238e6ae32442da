import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { AdoptRefundsInput } from '../contract/payments/refunds.js';
import { startRefund } from './start-child.js';
import { WAITS_FOR_PAYMENT } from './payment-disputes.js';

const { adoptRefunds: storeRefunds } = proxyActivities<Activities>(OUTSIDE_CALL);

/**
 * Stores the refunds that an operator created at the processor, and tracks them like our own. If a refund is
 * reported while its payment is being settled, it waits for the payment.
 */
export async function adoptRefunds({ paymentIntentId }: AdoptRefundsInput): Promise<string[]> {
  const attention = new Attention();
  for (const wait of [...WAITS_FOR_PAYMENT, null]) {
    attention.showStatus('Listing the refunds of this payment at the processor.');
    const refundIds = await attention.retryUntilDone('storing refunds', () => storeRefunds(paymentIntentId));
    if (refundIds) {
      for (const refundId of refundIds) await startRefund(refundId, 'adopted');
      return refundIds;
    }
    if (wait === null) break;
    attention.showStatus('The payment is not known yet. Waiting for it.');
    await sleep(wait, { summary: 'look for the payment again' });
  }
  return [];
}
