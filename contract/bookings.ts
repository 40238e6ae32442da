import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ConfirmationSource } from '../domain/states.js';

export interface BookingInput {
  bookingId: string;
}

/** Why a checkout could not be opened. */
export type RefusalCode =
  | 'amount_too_small'
  | 'processor_error'
  | 'processor_unconfigured'
  | 'service_unavailable';

/** The outcome of opening a checkout. After `refused`, a booking's slot and idempotency key are free again. */
export type CreateOutcome = { kind: 'published' } | { kind: 'refused'; code: RefusalCode };

/** Waits for the outcome of the create. Sent with the start of the run, under the update id `create`. */
export const createUpdate = defineUpdate<CreateOutcome>('create');

/** A change or cancellation that is stored in Postgres. Its outcome is stored there too when the update returns. */
export interface ChangeInput {
  changeId: string;
}

/** Changes notes, attendees, time or room. The update id is the change's id. */
export const changeUpdate = defineUpdate<void, [ChangeInput]>('change');

/** Cancels the booking. The update id is the cancellation's id. */
export const cancelUpdate = defineUpdate<void, [ChangeInput]>('cancel');

/** Withdraws a change that waits for its payment. Does nothing to one that was paid. */
export const withdrawUpdate = defineUpdate<void, [ChangeInput]>('withdraw-change');

export interface InvoiceCheckoutInput {
  checkoutId: string;
}

/** Waits until the checkout of an invoice is open. Sent with the start of its run, under the update id `create`. */
export const openCheckoutUpdate = defineUpdate<CreateOutcome>('create');

/** Closes the checkout of an invoice that is about to be paid or voided in another way. Returns when it is closed. */
export const closeCheckoutUpdate = defineUpdate<void>('close');

export interface PaymentNotification {
  paymentIntentId: string;
  source: ConfirmationSource;
}

/** A report that a checkout may be paid; without an intent it is the one of the checkout's session. */
export interface PaymentReport {
  paymentIntentId?: string;
  /** Null for the response to our own charge of a card on file: no layer reported it. */
  source: ConfirmationSource | null;
}

/**
 * Has the checkout of the run looked up at the processor, and its payment settled if there is one. Returns when that is
 * done, whatever the result, which is in Postgres then.
 */
export const lookAtCheckout = defineUpdate<void, [{ source: ConfirmationSource }]>('look-at-checkout');

/** The processor reports a payment. Each of the four confirmation layers sends it, any number of times. */
export const paymentConfirmed = defineSignal<[PaymentNotification]>('payment-confirmed');

/** The processor has closed the checkout, so no payment can arrive any more. */
export const checkoutClosed = defineSignal('checkout-closed');

export interface VerifyPaymentInput {
  /** Exactly one of the two ids is set. */
  paymentIntentId?: string;
  sessionId?: string;
  /** The only account to ask about `paymentIntentId`; without it, those with unresolved checkouts. */
  accountId?: string;
  /** The owner that the report names, if it is one of ours. The processor is asked whether the payment is its own. */
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

export interface RefundInput {
  refundId: string;
}

export interface AdoptRefundsInput {
  paymentIntentId: string;
}

/** Returns once the refund was requested from the processor, whatever the response. */
export const refundAsked = defineUpdate<void>('asked');

/** The processor reports a new status of this refund. */
export const refundUpdated = defineSignal('refund-updated');

/** The processor has balance again on the account: a refund that lacked it is tried again. */
export const balanceAvailable = defineSignal('balance-available');

export interface PaymentDisputesInput {
  paymentIntentId: string;
}

/** The processor reports something about a dispute of the payment. */
export const disputeReported = defineSignal('dispute-reported');

export interface ProcessorAccountInput {
  accountId: string;
}

/** The processor reports something about the connected account. */
export const accountReported = defineSignal('account-reported');

export interface SelfHealInput {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** Where the previous run of the chain stopped. */
  resume?: { stage: SelfHealStage; after: string; summary: SelfHealSummary };
}

/** The stages of a self-heal job, in this order. */
export type SelfHealStage = 'slots' | 'bookings' | 'refunds' | 'disputes' | 'checkouts' | 'cards';

/** Counts of one self-heal job. */
export interface SelfHealSummary {
  /** Checkouts looked up at the processor. */
  examined: number;
  /** Bookings that turned out to be paid. */
  confirmed: number;
  /** Late payments that are refunded. */
  refunded: number;
  /** Checkouts that can no longer be paid. */
  closed: number;
  /** Bookings and refunds whose workflow was missing. */
  revived: number;
  /** Slots released from abandoned creates. */
  released: number;
  /** Checkouts, bookings, refunds and slots that could not be processed this time. */
  failed: number;
  /** The ids of the first of them; absent if nothing failed. */
  left?: string[];
}
