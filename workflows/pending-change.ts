import type { BookingRunState, PendingChangeState } from '../activities/index.js';
import type { WithdrawInput } from '../contract/bookings.js';
import { OUTSIDE_CALL_AWAITED } from './activity-options.js';
import type { Attention } from './attention.js';
import { toRefusalCode } from './checkout-refusal.js';
import { CHANGE_PAYMENT, closeAndSettle, closeUnused, raiseUnpaid, type Attempt } from './close-checkout.js';
import { firstInTask, proxyTransactions } from './in-task.js';
import { verifyAndSettle } from './verify-and-settle.js';

const openChangeCheckout = firstInTask((activities) => activities.openChangeCheckout, OUTSIDE_CALL_AWAITED);
const { endPendingChange, refuseChangeCheckout } = proxyTransactions();

/**
 * Opens the hosted page of a change and publishes its link. If the processor does not open it, the change
 * ends and the booking is unchanged.
 */
export async function openLink(attention: Attention, changeId: string): Promise<void> {
  attention.showStatus('Opening the page where the payer pays for a change. Both slots are held meanwhile.');
  try {
    await openChangeCheckout(changeId);
  } catch (error) {
    const refusal = toRefusalCode(error);
    const code = refusal === 'service_unavailable' ? 'processor_error' : refusal;
    await attention.retryUntilDone('ending a change without a checkout', () =>
      refuseChangeCheckout({ changeId, code }),
    );
  }
}

/** Withdraws a change that waits for its payer, unless it has been paid. */
export async function withdrawLink(attention: Attention, input: WithdrawInput): Promise<BookingRunState> {
  attention.showStatus('Withdrawing a change that was not paid.');
  return attention.retryUntilDone('withdrawing a change', () =>
    endPendingChange({ ...input, end: 'withdrawn' }),
  );
}

/** The parts of a booking's run that a pending change needs. */
interface WaitingRun {
  bookingId: string;
  attention: Attention;
  inbox: { isEmpty: boolean; waitUntil(time: string, timerSummary: string): Promise<void> };
}

/**
 * Waits for the payer of a change until it lapses, and then ends it
 * (docs/rules/bookings.md#paying-the-difference-by-link). Returns earlier if something arrives, or at
 * `endAt`, the booking's end.
 */
export async function followLink(run: WaitingRun, link: PendingChangeState, endAt: string): Promise<void> {
  const { attention, inbox } = run;
  if (!link.expiresAt) return openLink(attention, link.changeId);
  const until = link.expiresAt < endAt ? link.expiresAt : endAt;
  attention.showStatus(
    `Waiting for the payment of a change, which lapses at ${until}. Both slots are held until the ` +
      'processor confirms that it was not paid.',
  );
  await inbox.waitUntil(until, 'pending change lapses');
  if (inbox.isEmpty && Date.parse(endAt) > Date.now()) await lapse(run, link, endAt);
}

/** Ends a change that was not paid in time: closes its checkout at the processor, then frees the new slot. */
async function lapse(
  { bookingId, attention, inbox }: WaitingRun,
  { changeId, checkoutId }: PendingChangeState,
  endAt: string,
): Promise<void> {
  attention.showStatus(
    'A change was not paid in time. Closing its checkout at the processor before the new slot is released.',
  );
  const untilInterrupted: Attempt = (close) =>
    attention.retryUnless(
      'closing the checkout of a change',
      close,
      () => !inbox.isEmpty || Date.parse(endAt) <= Date.now(),
    );
  await closeAndSettle<unknown>(checkoutId, untilInterrupted, {
    paid: async (payment) => {
      const { outcome } = await verifyAndSettle(attention, bookingId, payment);
      attention.resolve(CHANGE_PAYMENT);
      if (outcome.kind !== 'unpaid') return;
      const again = raiseUnpaid(attention, CHANGE_PAYMENT);
      await inbox.waitUntil(again < endAt ? again : endAt, 'look at the checkout of a change again');
    },
    unpaid: async (checkout) => {
      // A payment or cancellation may have arrived during the call to the processor.
      if (!inbox.isEmpty) return;
      await attention.retryUntilDone('ending a change that was not paid', () =>
        endPendingChange({ changeId, end: 'lapsed', checkout }),
      );
    },
  });
}

/**
 * Closes the checkout of a change that has ended, once, so that nobody can pay it. If the processor cannot be
 * reached, self-heal closes it. A payment made in the meantime is refunded.
 */
export async function closeAbandoned(run: Omit<WaitingRun, 'inbox'>, checkoutId: string): Promise<void> {
  run.attention.showStatus('Closing the checkout of a change that was not paid.');
  const once: Attempt = (close) => close().catch(leaveToSelfHeal);
  await closeUnused(run, checkoutId, once, 'storing the end of the checkout of a change');
}

function leaveToSelfHeal(error: unknown): null {
  toRefusalCode(error);
  return null;
}
