import { proxyActivities } from '@temporalio/workflow';
import type { Activities, ChangeStep } from '../activities/index.js';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import type { Attention } from './attention.js';
import { startRefund } from './start-refund.js';

const { beginChange, cancelBooking, finishChange } = proxyActivities<Activities>(TRANSACTION);
const { chargeDifference } = proxyActivities<Activities>(OUTSIDE_CALL);

/**
 * Applies a change atomically (docs/architecture.md#changes-and-cancellations). A change that costs more holds both
 * slots until it is known whether the card on file was charged; then the booking moves or stays as it was.
 */
export async function change(attention: Attention, changeId: string): Promise<void> {
  attention.showStatus('Changing the booking.');
  const step = await attention.retryUntilDone('changing the booking', () => beginChange(changeId));
  if (step.kind === 'charge') await chargeForChange(attention, changeId);
  await refundDifference(step);
}

/** Charges the difference of a change and finishes it. Also used for a change whose run was lost. */
export async function chargeForChange(attention: Attention, changeId: string): Promise<void> {
  attention.showStatus('Charging the difference to the card on file. Both slots are held meanwhile.');
  const charged = await attention.retryUntilDone('charging the difference', () => chargeDifference(changeId));
  await attention.retryUntilDone('storing the change', () => finishChange({ changeId, charged }));
}

/** Cancels the booking in one transaction, then starts the refunds that it created. */
export async function cancel(attention: Attention, changeId: string): Promise<void> {
  attention.showStatus('Cancelling the booking.');
  const step = await attention.retryUntilDone('cancelling the booking', () => cancelBooking(changeId));
  await refundDifference(step);
}

async function refundDifference(step: ChangeStep): Promise<void> {
  if (step.kind !== 'done') return;
  for (const refundId of step.refundIds) await startRefund(refundId, 'change');
}
