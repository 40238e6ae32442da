import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities, BookingState } from '../activities/index.js';
import { MINUTE_MS } from '../domain/durations.js';
import { OUTSIDE_CALL, OUTSIDE_CALL_AWAITED, TRANSACTION_AWAITED } from './activity-options.js';
import { processNext, settle, type BookingRun } from './booking-inbox.js';
import { refusalCodeOf } from './checkout-refusal.js';
import type { CreateOutcome, RefusalCode } from '../contract/checkouts.js';
import { firstInTask, proxyTransactions } from './in-task.js';
import { verifyAndSettle } from './verify-and-settle.js';

const openAndPublish = firstInTask((activities) => activities.openBooking, OUTSIDE_CALL_AWAITED);
const { releaseReservation } = proxyLocalActivities<Activities>(TRANSACTION_AWAITED);
const { closeCheckout } = proxyActivities<Activities>(OUTSIDE_CALL);
const { expireBooking, recordCheckout } = proxyTransactions();

const UNPAID_STEP = 'the payment';
/** How long to wait if a session is paid and its payment is not. */
const UNPAID_PAUSE_MS = MINUTE_MS;

/** `state` is null if the create was refused. */
interface Opening {
  outcome: CreateOutcome;
  state: BookingState | null;
}

const opened = (state: BookingState | null, code: RefusalCode): Opening => ({
  outcome: state ? { kind: 'published' } : { kind: 'refused', code },
  state,
});

/** Opens the checkout and publishes the booking, in one workflow task. A failure releases the reservation. */
export async function openBooking(bookingId: string): Promise<Opening> {
  try {
    return opened(await openAndPublish(bookingId), 'service_unavailable');
  } catch (error) {
    const code = refusalCodeOf(error);
    // If the booking is published nevertheless, it stays: its payer may be paying. So it is with a response that was
    // lost, and in a revived run while the database is unavailable.
    return opened(await releaseReservation({ bookingId, code }), code);
  }
}

/** Ends an unpaid hold: closes the checkout at the processor, then releases the slot unless it was paid meanwhile. */
export async function endHold(run: BookingRun): Promise<BookingState> {
  const { bookingId, attention, inbox } = run;
  attention.showStatus(
    'The reservation hold has expired. Closing the checkout at the processor before the slot is released.',
  );
  inbox.checkoutClosed = false;
  const checkout = await attention.retryUnless(
    'closing the checkout',
    () => closeCheckout(bookingId),
    () => !inbox.isEmpty,
  );
  if (checkout?.kind === 'paid') {
    const { paymentIntentId } = checkout;
    const state = await settle(run, { paymentIntentId, source: 'scheduler_self_heal' });
    attention.resolve(UNPAID_STEP);
    if (state.status !== 'pending_payment') return state;
    // The session is paid and its payment is not, or it is another amount. Both are asked again.
    attention.raise(UNPAID_STEP, 'is not what the session says: it is paid, the payment is not as expected.');
    const again = new Date(Date.now() + UNPAID_PAUSE_MS).toISOString();
    await inbox.waitUntil(again, 'look at the checkout again');
    return state;
  }
  // A payment or cancellation may have arrived while the processor was asked.
  if (!checkout || !inbox.isEmpty) return processNext(run);
  return attention.retryUntilDone('expiring the booking', () =>
    expireBooking({ bookingId, checkout: checkout.kind }),
  );
}

/**
 * Closes the session of a booking that was refused or cancelled unpaid, even one whose creation got no response, so
 * that nobody can pay it. The client does not wait for this. Returns false if something arrived that has to be processed
 * before the processor could be asked.
 */
export async function closeRemainingCheckout({ bookingId, attention, inbox }: BookingRun): Promise<boolean> {
  attention.showStatus('The slot is free. Closing the checkout session, if there is one.');
  const checkout = await attention.retryUnless(
    'closing the remaining checkout',
    () => closeCheckout(bookingId),
    () => !inbox.isEmpty,
  );
  if (!checkout) return false;
  if (checkout.kind === 'paid') {
    const { paymentIntentId } = checkout;
    await verifyAndSettle(attention, bookingId, { paymentIntentId, source: 'scheduler_self_heal' });
  } else if (checkout.kind !== 'open') {
    await attention.retryUntilDone('storing the end of the checkout', () =>
      recordCheckout({ ownerId: bookingId, state: checkout.kind }),
    );
  }
  return true;
}
