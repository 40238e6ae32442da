import type { RefundMetadata } from '../../domain/payments/money-facts.js';
import type { RefundPurpose } from '../../domain/payments/refund.js';

/** A refund of ours, with the amount in minor units. */
export interface RefundRequest {
  /** The id of our row. */
  id: string;
  payment_id: string;
  purpose: RefundPurpose | null;
  /**
   * The idempotency key and the metadata by which it is found consist of this, the payment and the amount.
   */
  ordinal: number;
  /** Identifies the request for which it was made; null without a key. */
  request_hash: Buffer | null;
  account_id: string;
  payment_intent_id: string;
  amount_minor: number;
  currency: string;
  /** How often the processor has failed it for lack of balance. Each attempt is a separate refund there. */
  attempt: number;
}

export interface RefundStatus {
  /** The processor's id; null if it refused to create the refund. */
  refund_id: string | null;
  status: 'pending' | 'succeeded' | 'failed';
  /** It failed because the account's balance was too low. It can succeed later, as a new refund. */
  lacks_balance?: boolean;
  /** It is pending because the account's balance is too low. The processor makes it once there is enough. */
  awaits_balance?: boolean;
}

/** A refund in the processor's list. */
export interface ListedRefund extends RefundMetadata {
  refund_id: string;
  amount_minor: number;
  status: RefundStatus['status'];
}

/** Refunds of payments on connected accounts, and the balance from which they are paid. */
export interface RefundCalls {
  submitRefund(refund: RefundRequest): Promise<RefundStatus>;
  /** `made_at`: when the processor made it, in UTC milliseconds. */
  lookUpRefund(accountId: string, refundId: string): Promise<RefundStatus & { made_at: number }>;
  /**
   * Finds the refund that was created, by its metadata, if the outcome stayed unknown or its row was lost.
   * Attempts that failed for lack of balance do not count.
   */
  findRefund(refund: RefundRequest): Promise<RefundStatus | null>;
  /** Newest first. */
  listRefunds(accountId: string, paymentIntentId: string): Promise<ListedRefund[]>;
  /**
   * Returns the balance from which an account can pay refunds in a currency now, in minor units; null if it
   * does not hold the currency.
   */
  availableBalance(accountId: string, currency: string): Promise<number | null>;
}
