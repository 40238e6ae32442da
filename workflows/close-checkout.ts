import { proxyActivities } from '@temporalio/workflow';
import type { Activities, CheckoutStatus } from '../activities/index.js';
import type { PaymentNotification } from '../contract/payments/payments.js';
import { MINUTE_MS } from '../domain/durations.js';
import { OUTSIDE_CALL } from './activity-options.js';
import type { Attention } from './attention.js';
import { proxyTransactions } from './in-task.js';
import { verifyAndSettle } from './verify-and-settle.js';

const { closeCheckout } = proxyActivities<Activities>(OUTSIDE_CALL);
const { recordCheckout } = proxyTransactions();

/** The state of a session that is not paid. */
type UnpaidState = Exclude<CheckoutStatus['kind'], 'paid'>;

/** Calls the processor with the retries of the caller. Returns nothing if the checkout is left for later. */
export type Attempt = (close: () => Promise<CheckoutStatus>) => Promise<CheckoutStatus | null | undefined>;

/**
 * Closes an owner's checkout at the processor, so that nobody can pay it any more. If it was paid in time,
 * its payment is settled; otherwise its state is recorded. Returns undefined if the checkout was left for
 * later.
 */
export async function closeAndSettle<Result>(
  ownerId: string,
  attempt: Attempt,
  on: {
    paid: (payment: PaymentNotification) => Promise<Result>;
    unpaid: (state: UnpaidState) => Promise<Result>;
  },
): Promise<Result | undefined> {
  const checkout = await attempt(() => closeCheckout(ownerId));
  if (!checkout) return undefined;
  if (checkout.kind !== 'paid') return on.unpaid(checkout.kind);
  return on.paid({ paymentIntentId: checkout.paymentIntentId, source: 'scheduler_self_heal' });
}

/**
 * Closes a checkout that nobody waits for: its slot is free. If it was paid nevertheless, the booking settles
 * the payment. Returns false if the checkout was left for later.
 */
export async function closeUnused(
  { bookingId, attention }: { bookingId: string; attention: Attention },
  ownerId: string,
  attempt: Attempt,
  step?: string,
): Promise<boolean> {
  const closed = await closeAndSettle<unknown>(ownerId, attempt, {
    paid: (payment) => verifyAndSettle(attention, bookingId, payment),
    unpaid: (state) => recordEnd(attention, ownerId, state, step),
  });
  return closed !== undefined;
}

/**
 * Records that a checkout is closed, or that its payment is in progress. A checkout that is still open stays
 * as it is. Returns `state`.
 */
export async function recordEnd(
  attention: Pick<Attention, 'retryUntilDone'>,
  ownerId: string,
  state: UnpaidState,
  step = 'storing the end of the checkout',
): Promise<UnpaidState> {
  if (state !== 'open') await attention.retryUntilDone(step, () => recordCheckout({ ownerId, state }));
  return state;
}

/** The text with which operators see the payments of the hosted pages of bookings, invoices and changes. */
export const PAYMENT = 'the payment';
export const CHANGE_PAYMENT = 'the payment of a change';

/**
 * Shows the operator a session that is paid although its payment is not, or has another amount. Returns when
 * both should be queried again (ISO 8601).
 */
export function raiseUnpaid(attention: Attention, payment: string): string {
  attention.raise(payment, 'is not what the session says: it is paid, the payment is not as expected.');
  return new Date(Date.now() + MINUTE_MS).toISOString();
}

/**
 * Removes what `raiseUnpaid` has shown, once nothing waits for the payment: it was paid in another way, or
 * has ended.
 */
export function resolveUnpaid(attention: Attention, payment: string): void {
  if (attention.shows(payment)) attention.resolve(payment);
}
