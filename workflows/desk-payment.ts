import { isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities, BookingRunState } from '../activities/index.js';
import type { TakePaymentInput } from '../contract/bookings.js';
import type { PaymentNotification } from '../contract/payments/payments.js';
import { OUTSIDE_CALL_AWAITED } from './activity-options.js';
import type { Attention } from './attention.js';
import { proxyTransactions } from './in-task.js';

const { closeCheckout } = proxyActivities<Activities>(OUTSIDE_CALL_AWAITED);
const { recordDeskPayment } = proxyTransactions();

/** The parts of a booking's run that a payment at the desk needs. */
interface PayableRun {
  bookingId: string;
  attention: Attention;
  inbox: { ignoreClosedCheckout(): void };
}

/**
 * Takes a payment at the desk (docs/rules/bookings.md#payments-at-the-desk): closes the hosted page of the
 * booking, or of its change, so that nobody can pay there any more, then records the payment. If the page was
 * paid first, `settle` settles that payment, and the one at the desk is refused. Somebody is waiting at the
 * desk: if the processor cannot be reached, the payment is refused, and the hold goes on.
 */
export async function takePayment(
  { bookingId, attention, inbox }: PayableRun,
  { changeId, checkoutId }: TakePaymentInput,
  settle: (payment: PaymentNotification) => Promise<unknown>,
): Promise<BookingRunState> {
  const what = checkoutId ? 'a change' : 'the booking';
  attention.showStatus(`Closing the payment page: ${what} is being paid at the desk.`);
  inbox.ignoreClosedCheckout();
  const page = await closeCheckout(checkoutId ?? bookingId).catch((error: unknown) => {
    if (isCancellation(error)) throw error;
    return null;
  });
  if (page?.kind === 'paid')
    await settle({ paymentIntentId: page.paymentIntentId, source: 'scheduler_self_heal' });
  const { state } = await attention.retryUntilDone('recording a payment at the desk', () =>
    recordDeskPayment({ changeId, checkoutId, page: page && page.kind }),
  );
  return state;
}
