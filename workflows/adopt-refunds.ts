import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { AdoptRefundsInput } from './contract.js';
import { startRefund } from './start-refund.js';

const { adoptRefunds: storeRefunds } = proxyActivities<Activities>(OUTSIDE_CALL);

/** Stores the refunds that an operator created at the processor itself, and tracks them like our own. */
export async function adoptRefunds({ paymentIntentId }: AdoptRefundsInput): Promise<string[]> {
  const attention = new Attention();
  attention.showStatus('Listing the refunds of this payment at the processor.');
  const refundIds = await attention.retryUntilDone('storing refunds', () => storeRefunds(paymentIntentId));
  for (const refundId of refundIds) await startRefund(refundId, 'adopted');
  return refundIds;
}
