import type { RefundMetadata } from '../../domain/payments/money-facts.js';
import type { RefundPurpose } from '../../domain/payments/refund.js';

/** A refund of ours, with the amount in minor units. */
export interface RefundRequest {
  /** Our row's id. */
  id: string;
  payment_id: string;
  purpose: RefundPurpose | null;
  /**
   * The idempotency key, and the metadata by which it is found, are made of it, the payment and the amount.
   */
  ordinal: number;
  /** Names the request that it was made for; null without a key. */
  request_hash: Buffer | null;
  account_id: string;
  payment_intent_id: string;
  amount_minor: number;
  currency: string;
  /** How often the processor has failed it for lack of balance: each attempt is a refund of its own there. */
  attempt: number;
}

export interface RefundStatus {
  /** The processor's id; null if it refused to create the refund. */
  refund_id: string | null;
  status: 'pending' | 'succeeded' | 'failed';
  /** It failed because the account had too little balance: it can succeed later, as a new refund. */
  lacks_balance?: boolean;
}

/** A refund in the processor's list. */
export interface ListedRefund extends RefundMetadata {
  refund_id: string;
  amount_minor: number;
  status: RefundStatus['status'];
}

/** Refunds of payments on connected accounts, and what they can be paid from. */
export interface RefundCalls {
  submitRefund(refund: RefundRequest): Promise<RefundStatus>;
  lookUpRefund(accountId: string, refundId: string): Promise<RefundStatus>;
  /**
   * The refund that was created, found by its metadata: for outcomes that stayed unknown, and rows that are
   * lost. Attempts that failed for lack of balance don't count.
   */
  findRefund(refund: RefundRequest): Promise<RefundStatus | null>;
  /** The newest first. */
  listRefunds(accountId: string, paymentIntentId: string): Promise<ListedRefund[]>;
  /**
   * What an account can pay refunds from in a currency now, in minor units; null if it
   * does not hold the currency.
   */
  availableBalance(accountId: string, currency: string): Promise<number | null>;
}
