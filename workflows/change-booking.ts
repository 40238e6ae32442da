import { proxyActivities } from '@temporalio/workflow';
import type { Activities, BookingRunState, ChangeStep } from '../activities/index.js';
import { HOUR_SECONDS } from '../domain/durations.js';
import { OUTSIDE_CALL } from './activity-options.js';
import type { Attention } from './attention.js';
import { proxyTransactions } from './in-task.js';
import { openLink } from './pending-change.js';
import { startRefund } from './start-child.js';

const { beginChange, cancelBooking, finishChange } = proxyTransactions();
const { chargeDifference } = proxyActivities<Activities>(OUTSIDE_CALL);

const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = HOUR_SECONDS;

/** When a run looks up a charge that is pending at the processor. The first lookup of a run is immediate. */
export class PendingCharge {
  /** Milliseconds since the epoch. */
  lookAt = 0;
  private pauseSeconds = FIRST_PAUSE_SECONDS;

  /** Schedules the next lookup after a pause, which doubles each time. */
  postpone(): void {
    this.lookAt = Date.now() + this.pauseSeconds * 1000;
    this.pauseSeconds = Math.min(this.pauseSeconds * 2, LONGEST_PAUSE_SECONDS);
  }

  reset(): void {
    this.lookAt = 0;
    this.pauseSeconds = FIRST_PAUSE_SECONDS;
  }
}

interface ChangingRun {
  attention: Attention;
  charge: PendingCharge;
}

/**
 * Applies a change atomically (docs/internals/architecture.md#changes-and-cancellations). A change that costs
 * more holds both slots until it is known whether the card on file was charged, or until its payer has paid
 * on the hosted page. Then the booking moves or stays as it was. Returns the booking's state; null after a
 * charge or a link, which has changed it.
 */
export async function change(run: ChangingRun, changeId: string): Promise<BookingRunState | null> {
  const { attention } = run;
  attention.showStatus('Changing the booking.');
  const step = await attention.retryUntilDone('changing the booking', () => beginChange(changeId));
  if (step.kind === 'charge') await chargeForChange(run, changeId);
  if (step.kind === 'link') await openLink(attention, changeId);
  await refundDifference(step);
  return step.kind === 'charge' || step.kind === 'link' ? null : step.state;
}

/**
 * Charges the difference of a change, or looks up its charge, and finishes it. The bank may take days to
 * decide; until then, the change stays as it is and the run continues. If the bank wants to authenticate the
 * payer, and the payer should get a link, opens it.
 */
export async function chargeForChange({ attention, charge }: ChangingRun, changeId: string): Promise<void> {
  attention.showStatus('Charging the difference to the card on file. Both slots are held meanwhile.');
  const charged = await attention.retryUntilDone('charging the difference', () => chargeDifference(changeId));
  if (charged.kind === 'pending') return charge.postpone();
  charge.reset();
  if (charged.kind === 'settled') return;
  const { refundId, opensLink } = await attention.retryUntilDone('storing the change', () =>
    finishChange({ changeId, charged }),
  );
  if (refundId) await startRefund(refundId, 'late');
  if (opensLink) await openLink(attention, changeId);
}

/**
 * Cancels the booking in one transaction, then starts the refunds that it created. A pending charge is looked
 * up next, since its change is withdrawn. Returns the booking's state.
 */
export async function cancel({ attention, charge }: ChangingRun, changeId: string): Promise<BookingRunState> {
  charge.reset();
  attention.showStatus('Cancelling the booking.');
  const step = await attention.retryUntilDone('cancelling the booking', () => cancelBooking(changeId));
  await refundDifference(step);
  return step.state;
}

async function refundDifference(step: ChangeStep): Promise<void> {
  if (step.kind !== 'done') return;
  for (const refundId of step.refundIds) await startRefund(refundId, 'change');
}
