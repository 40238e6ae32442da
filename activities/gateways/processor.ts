import type { ReceivedPayment } from '../../commands/payments/payments.js';
import type { LostTime } from '../../db/queries/payments/lost-time.js';
import type { ChangeAttempt, InvoiceAttempt } from '../../domain/payments/money-facts.js';
import type { AccountCalls } from './processor-accounts.js';
import type { CardSetupCalls } from './processor-card-setup.js';
import type { ChargeCalls, EventCalls, PayoutCalls } from './processor-reads.js';
import type { RefundCalls } from './processor-refunds.js';
import type { TierCalls } from './processor-tiers.js';

/** The processor's state of a checkout session. */
export type CheckoutStatus =
  | { kind: 'open' }
  /** The payer has completed it, but the payment is still in progress (an asynchronous method). */
  | { kind: 'processing' }
  | { kind: 'paid'; paymentIntentId: string }
  | { kind: 'closed' };

/** How far an account has been read, as far as payments depend on it. */
export interface AccountFacts {
  recovering_since: Date | null;
  read_until: Date;
}

/**
 * A request for a checkout's session. Its idempotency key and metadata consist of what it pays for and the
 * ordinal, so neither a lost response nor a lost row leads to a second session.
 */
export interface CheckoutRequest {
  /** The id of our row. */
  id: string;
  /** What it pays for: a booking, an invoice, or a change of the booking. */
  booking_id: string | null;
  invoice_id: string | null;
  change_id?: string | null;
  ordinal: number;
  /**
   * Set if the session may have been created at that time for a row that is now lost: the processor is
   * queried first.
   */
  lost?: LostTime | null;
  account_id: string;
  currency: string;
  amount_minor: number;
  description: string;
  /** The payer's address, with which the hosted page is prefilled; null if it is not known. */
  payer_email: string | null;
  /**
   * A secret that only the URL to which the payer returns after paying contains; null if there is no link to
   * lead to.
   */
  return_secret: string | null;
  session_expires_at: Date;
  created_at: Date;
  /** How far its account has been read, if the caller knows; otherwise it is looked up. */
  account?: AccountFacts;
}

/** A payment intent with its purpose. `money` is null until it is paid. */
export interface Intent {
  /**
   * The owner of the checkout that it pays: the id of a booking or of an invoice's checkout, whose row may be
   * lost.
   */
  owner_id: string | null;
  /** Which attempt to pay an invoice it is; null for a booking. */
  attempt: InvoiceAttempt | null;
  /** Set if it pays for a change of the booking and not for its checkout. */
  change_id: string | null;
  /** Which attempt to pay the change it is. */
  change_attempt: ChangeAttempt;
  money: ReceivedPayment | null;
  /** The customer's card that was charged. Null if there is none. */
  card: { customer_id: string; payment_method_id: string } | null;
  refunded_minor: number;
  /** The payer's bank has disputed it, or asked about it. */
  disputed: boolean;
}

/**
 * What a charge of a card on file is for: an invoice, or a change of a booking, which is charged only once.
 */
export interface ChargePurpose {
  /** The id of our row. */
  id: string;
  created_at: Date;
  account_id: string;
  booking_id: string | null;
  change_id: string | null;
  invoice_id: string | null;
  /**
   * The idempotency key and the metadata by which a charge is found consist of this and what the charge is
   * for.
   */
  ordinal: number;
  /** For the charge of a change: the amount, and which charge of the booking's changes it is. */
  difference?: { amount_minor: number; ordinal: number };
}

/** An off-session charge of a card on file. */
export interface CardCharge extends ChargePurpose {
  /** Identifies the invoice, if it pays one. */
  description?: string;
  /**
   * Set if the charge may have been made at that time for a row that is now lost: the processor is queried
   * first.
   */
  lost?: LostTime | null;
  customer_id: string;
  payment_method_id: string;
  amount_minor: number;
  currency: string;
}

export type ChargeResult =
  | { kind: 'paid'; money: ReceivedPayment }
  /**
   * Nothing was charged and nothing will be. `payment_intent_id` is missing if the processor created none.
   */
  | { kind: 'refused'; reason: string; payment_intent_id?: string }
  /** The bank has not decided yet, and the charge cannot be cancelled. */
  | { kind: 'pending' };

/**
 * The part of the payment processor that we use. Amounts are in minor units; the gateway converts them. Every
 * call is about one connected account. See `failures.ts` for failures: refused, account unusable, key
 * refused, unavailable.
 */
export interface Processor
  extends CardSetupCalls, RefundCalls, TierCalls, ChargeCalls, EventCalls, PayoutCalls, AccountCalls {
  /**
   * Opens a session, or returns the existing one. The URL of a session that has been paid leads to the page
   * after the payment.
   */
  openCheckout(request: CheckoutRequest): Promise<{ id: string; url: string }>;
  lookUpCheckout(accountId: string, sessionId: string): Promise<CheckoutStatus>;
  /**
   * Returns the ids of the open sessions of an account that were created since a time; if there are many, the
   * newest.
   */
  listOpenCheckouts(accountId: string, since: Date): Promise<string[]>;
  /** Closes an open session. Returns the state of a session that is no longer open. */
  closeCheckout(accountId: string, sessionId: string): Promise<CheckoutStatus>;
  /** Null if the account has no such intent. */
  lookUpIntent(accountId: string, paymentIntentId: string): Promise<Intent | null>;
  /** Charges a card on file once per purpose. A repeated call returns the current result. */
  charge(charge: CardCharge): Promise<ChargeResult>;
  /** Cancels a charge if possible, and returns its current result. Never charges. */
  endCharge(charge: ChargePurpose): Promise<ChargeResult>;
}
