import { proxyLocalActivities } from '@temporalio/workflow';
import type { Activities, BookingRunState } from '../activities/index.js';
import { OUTSIDE_CALL_AWAITED, TRANSACTION_AWAITED } from './activity-options.js';
import { processNext, settle, type BookingRun } from './booking-inbox.js';
import { toRefusalCode } from './checkout-refusal.js';
import { closeAndSettle, closeUnused, PAYMENT, raiseUnpaid, type Attempt } from './close-checkout.js';
import type { CreateOutcome, RefusalCode } from '../contract/payments/checkouts.js';
import { firstInTask, proxyTransactions } from './in-task.js';

const openAndPublish = firstInTask((activities) => activities.openBooking, OUTSIDE_CALL_AWAITED);
const { releaseReservation } = proxyLocalActivities<Activities>(TRANSACTION_AWAITED);
const { expireBooking } = proxyTransactions();

/** `state` is null if the booking was refused. */
interface Opening {
  outcome: CreateOutcome;
  state: BookingRunState | null;
}

const opened = (state: BookingRunState | null, code: RefusalCode): Opening => ({
  outcome: state ? { kind: 'published' } : { kind: 'refused', code },
  state,
});

/** Opens the checkout and publishes the booking, in one workflow task. A failure releases the reservation. */
export async function openBooking(bookingId: string): Promise<Opening> {
  try {
    return opened(await openAndPublish(bookingId), 'service_unavailable');
  } catch (error) {
    const code = toRefusalCode(error);
    // If the booking was published nevertheless, it stays, because its payer may be paying. This happens if a
    // response was lost, and in a revived run while the database is unavailable.
    return opened(await releaseReservation({ bookingId, code }), code);
  }
}

/**
 * Ends an unpaid hold: closes the checkout at the processor, then releases the slot unless it was paid in the
 * meantime.
 */
export async function endHold(run: BookingRun): Promise<BookingRunState> {
  const { bookingId, attention, inbox } = run;
  attention.showStatus(
    'Not paid in time. Closing the checkout at the processor before the slot is released.',
  );
  inbox.checkoutClosed = false;
  const untilInterrupted: Attempt = (close) =>
    attention.retryUnless('closing the checkout', close, () => !inbox.isEmpty);
  const state = await closeAndSettle(bookingId, untilInterrupted, {
    paid: async (payment) => {
      const settled = await settle(run, payment);
      attention.resolve(PAYMENT);
      if (settled.status === 'pending_payment')
        await inbox.waitUntil(raiseUnpaid(attention, PAYMENT), 'look at the checkout again');
      return settled;
    },
    // A payment or cancellation may have arrived during the call to the processor.
    unpaid: async (checkout) =>
      inbox.isEmpty
        ? attention.retryUntilDone('expiring the booking', () => expireBooking({ bookingId, checkout }))
        : undefined,
  });
  return state ?? processNext(run);
}

/**
 * Closes the session of a booking that was refused or cancelled unpaid, even if the request to create it got
 * no response, so that it can no longer be paid. The client does not wait for this. Returns false if
 * something arrived that must be processed before the processor could be reached.
 */
export function closeRemainingCheckout(run: BookingRun): Promise<boolean> {
  const { bookingId, attention, inbox } = run;
  attention.showStatus('The slot is free. Closing the checkout session, if there is one.');
  return closeUnused(run, bookingId, (close) =>
    attention.retryUnless('closing the remaining checkout', close, () => !inbox.isEmpty),
  );
}
