import { invalidField, type Refusal } from '../errors.js';
import { formatMoney } from '../display.js';
import type { BookingStatus, ChangeState } from '../states.js';
import type { SentMethod } from './methods.js';

/** A requested payment at the desk. `paid_at` in ISO 8601, the amount in minor units. */
export interface DeskPaymentRequest {
  method: SentMethod;
  amount_minor: number;
  reference: string | null;
  paid_at: string;
  /** The change whose difference was received; missing for the price of the booking. */
  pending_change_id?: string;
  /** The `Idempotency-Key` of the request. */
  idempotency: { key: string; fingerprint: string } | null;
}

/** The state of a hosted page after it was closed; null if the processor could not be reached. */
export type ClosedPage = 'open' | 'processing' | 'paid' | 'closed' | null;

interface PayableBooking {
  status: BookingStatus;
  end_at: Date;
  /** The days until payment is due for a booking on account; null for any other booking. */
  account_days: number | null;
  invoice_id: string | null;
}

/** Returns why no payment can be received at the desk for a booking, or null. */
export function whyNotTakePayment(
  { status, end_at, account_days, invoice_id }: PayableBooking,
  now: Date,
): Refusal<
  | { reason: 'paid' }
  | { reason: 'on_account'; invoice_id: string | null }
  | { reason: 'status'; status: BookingStatus }
  | { reason: 'ended' }
> | null {
  const code = 'booking_not_payable';
  if (account_days !== null) {
    const message = 'This booking is on account. Record the payment on its invoice instead.';
    return { code, message, details: { reason: 'on_account', invoice_id } };
  }
  if (status === 'confirmed' || status === 'completed') {
    const message = 'This booking has already been paid, or it is free.';
    return { code: 'already_paid', message, details: { reason: 'paid' } };
  }
  if (status !== 'pending_payment') {
    const message = `A booking with status ${status} cannot be paid. Create a new one.`;
    return { code, message, details: { reason: 'status', status } };
  }
  if (now < end_at) return null;
  return { code, message: 'The booked time has passed. Create a new booking.', details: { reason: 'ended' } };
}

/** The facts of a change that decide whether its difference can be paid at the desk. */
interface PayableChange {
  booking_id: string;
  state: ChangeState;
  plan: { move: { end_at: number } | null } | null;
}

/**
 * Returns why the difference of a change cannot be received at the desk, or null. `change`: null if there is
 * none with its id.
 */
export function whyNotTakeDifference(
  { id: bookingId, status }: { id: string; status: BookingStatus },
  change: PayableChange | null,
  now: Date,
): Refusal<{ reason: 'no_such_change' | 'paid' | 'not_pending' | 'ended' }> | null {
  if (change?.booking_id !== bookingId) {
    const message = 'This booking has no such change.';
    return { code: 'not_found', message, details: { reason: 'no_such_change' } };
  }
  const { state, plan } = change;
  if (state === 'done') {
    const message = 'This change has already been paid and applied to the booking.';
    return { code: 'already_paid', message, details: { reason: 'paid' } };
  }
  const code = 'booking_not_payable';
  if (state !== 'pending' || status !== 'confirmed') {
    const message = 'This change is not awaiting payment. Get the booking, and request the change again.';
    return { code, message, details: { reason: 'not_pending' } };
  }
  if (now.getTime() < plan!.move!.end_at) return null;
  return { code, message: 'The new time of the booking has passed.', details: { reason: 'ended' } };
}

/**
 * Returns why a payment cannot be recorded although the booking or its change is unpaid, or null: the hosted
 * page may still be paid.
 */
export function whyNotRecordAtDesk(page: ClosedPage): Refusal | null {
  if (page === 'closed' || page === 'processing') return null;
  const message =
    'The payment page could not be closed at the payment processor. No payment was recorded. Try again.';
  return { code: 'processor_error', message, details: { reason: 'page_not_closed' } };
}

/** Throws 422 if the amount is not the whole price of the booking, or the whole difference of its change. */
export function assertFullAmount(
  amount_minor: number,
  { price_minor, currency }: { price_minor: number; currency: string },
  difference: { amount_minor: number } | null,
): void {
  const due = difference?.amount_minor ?? price_minor;
  if (amount_minor === due) return;
  const what = difference ? 'the difference of the change' : 'the price of the booking';
  throw invalidField(
    'amount_minor',
    `must be ${due}, ${what} (${formatMoney({ amount_minor: due, currency })})`,
  );
}
