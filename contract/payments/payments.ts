import { defineSignal } from '@temporalio/workflow';
import type { ConfirmationSource } from '../../domain/states.js';
import { workflowIds } from '../names.js';
import type { Start } from '../run.js';

export interface PaymentNotification {
  paymentIntentId: string;
  source: ConfirmationSource;
}

/**
 * A report that a checkout may be paid. Without an intent, it is about the payment of the checkout's session.
 */
export interface PaymentReport {
  paymentIntentId?: string;
  /** Null for the response to our own charge of a card on file, which no layer reported. */
  source: ConfirmationSource | null;
}

/**
 * The processor reports a payment. Each of the four confirmation layers sends this signal, any number of
 * times.
 */
export const paymentConfirmed = defineSignal<[PaymentNotification]>('payment-confirmed');

export interface VerifyPaymentInput {
  /** Exactly one of the two ids is set. */
  paymentIntentId?: string;
  sessionId?: string;
  /** The only account to query for `paymentIntentId`; without it, all accounts with unresolved checkouts. */
  accountId?: string;
  /**
   * The owner in the report, if it is one of ours. The processor is asked whether the payment belongs to it.
   */
  ownerId?: string;
  source: ConfirmationSource;
}

/** Why a payment was refused. The first refusal is final (docs/rules/bookings.md#late-payments). */
export interface Refusal {
  code: 'slot_already_paid' | 'payment_too_late';
  /** Null for the payment of an invoice. */
  booking_id: string | null;
  conflicting_booking_id: string | null;
  refund_id: string;
}

export type VerifyPaymentOutcome =
  | { kind: 'confirmed'; already: boolean; payment_id: string; excess_refund_id?: string }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'unpaid' }
  | { kind: 'unknown' };

export const paymentStarts = (start: Start) => ({
  verifyPayment: (input: VerifyPaymentInput) =>
    start<VerifyPaymentInput>(
      workflowIds.verifyPayment(input.paymentIntentId ?? input.sessionId!),
      input,
      'Verifies a payment at the processor',
      null,
    ),
});
