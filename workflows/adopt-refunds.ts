import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { AdoptRefundsInput } from './contract.js';
import { startRefund } from './start-refund.js';

const { adoptRefunds: storeRefunds } = proxyActivities<Activities>(OUTSIDE_CALL);

/** Refunds that an operator made at the processor itself show up here, and are followed like our own. */
export async function adoptRefunds({ paymentIntentId }: AdoptRefundsInput): Promise<string[]> {
  const attention = new Attention();
  attention.waitFor('Asking the processor which refunds it has made.');
  const refundIds = await attention.keepTrying('storing refunds', () => storeRefunds(paymentIntentId));
  for (const refundId of refundIds) await startRefund(refundId, 'Follows a refund made at the processor');
  return refundIds;
}
