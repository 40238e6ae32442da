import { proxyActivities } from '@temporalio/workflow';
import type { Activities, ChangeStep } from '../activities/index.js';
import { OUTSIDE_CALL, TRANSACTION } from './activity-options.js';
import type { Attention } from './attention.js';
import { startRefund } from './start-refund.js';

const { beginChange, cancelBooking, finishChange } = proxyActivities<Activities>(TRANSACTION);
const { chargeDifference } = proxyActivities<Activities>(OUTSIDE_CALL);

/**
 * A `PATCH` (decisions.md, "Bookings"): one atomic move. A dearer one holds both places while the card on file is
 * charged, for as long as the outcome is unknown; then the booking moves, or stays exactly as it was.
 */
export async function change(attention: Attention, changeId: string): Promise<void> {
  attention.waitFor('Changing the booking.');
  const step = await attention.keepTrying('changing the booking', () => beginChange(changeId));
  if (step.kind === 'charge') await chargeForChange(attention, changeId);
  await giveBack(step);
}

/** Charges a change's difference and ends the change; also for a run that was lost in the middle of it. */
export async function chargeForChange(attention: Attention, changeId: string): Promise<void> {
  attention.waitFor('Charging the difference to the card on file. Both places are held meanwhile.');
  const charged = await attention.keepTrying('charging the difference', () => chargeDifference(changeId));
  await attention.keepTrying('storing the change', () => finishChange({ changeId, charged }));
}

/** A cancellation: one transaction, then the refunds it began. */
export async function cancel(attention: Attention, changeId: string): Promise<void> {
  attention.waitFor('Cancelling the booking.');
  await giveBack(await attention.keepTrying('cancelling the booking', () => cancelBooking(changeId)));
}

async function giveBack(step: ChangeStep): Promise<void> {
  if (step.kind !== 'done') return;
  for (const refundId of step.refundIds)
    await startRefund(refundId, 'Gives back what a change or a cancellation left over');
}
