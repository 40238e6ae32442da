import type Stripe from 'stripe';
import type { ReportedDispute } from '../../commands/billing/disputes.js';
import type { ReceivedPayment } from '../../commands/billing/payments.js';
import type { LostTime } from '../../db/queries/billing/lost-time.js';
import type { InvoiceAttempt, RefundFacts } from '../../domain/money-facts.js';
import type { RefundPurpose } from '../../domain/payment-refund.js';
import type { Tier } from '../../domain/price.js';

/** The processor's state of a checkout session. */
export type CheckoutStatus =
  | { kind: 'open' }
  /** The payer has completed it; the payment is still in progress (an asynchronous method). */
  | { kind: 'processing' }
  | { kind: 'paid'; paymentIntentId: string }
  | { kind: 'closed' };

/** How far an account has been read, as far as money depends on it. */
export interface AccountFacts {
  recovering_since: Date | null;
  read_until: Date;
}

/**
 * A request for a checkout's session. Its idempotency key and metadata are made of what it pays for and the ordinal: neither
 * a lost response nor a lost row leads to a second session.
 */
export interface CheckoutRequest {
  /** Our row's id. */
  id: string;
  /** What it pays for: a booking, an invoice, or a change of the booking. */
  booking_id: string | null;
  invoice_id: string | null;
  change_id?: string | null;
  ordinal: number | null;
  /** Set if the session may have been created then by a row that is lost: the processor is asked first. */
  lost?: LostTime | null;
  account_id: string;
  currency: string;
  amount_minor: number;
  description: string;
  session_expires_at: Date;
  created_at: Date;
  /** How far its account has been read, if the caller knows: it is asked otherwise. */
  account?: AccountFacts;
}

/** A payment intent with its purpose. `money` is null until it is paid. */
export interface Intent {
  /** The owner of the checkout that it pays: the id of a booking or of an invoice's checkout, whose row may be lost. */
  owner_id: string | null;
  /** Which attempt to pay an invoice it is; null for a booking, and if a release without ordinals has made it. */
  attempt: InvoiceAttempt | null;
  /** Set if it pays for a change of the booking and not for its checkout. */
  change_id: string | null;
  money: ReceivedPayment | null;
  /** What was charged: the customer's card. Null if there is none. */
  card: { customer_id: string; payment_method_id: string } | null;
  /** The amount that was refunded already. */
  refunded_minor: number;
  /** The payer's bank has disputed it, or asked about it. */
  disputed: boolean;
}

/** What a charge of a card on file is for: an invoice, or a change of a booking, which is charged once. */
export interface ChargePurpose {
  /** Our row's id. */
  id: string;
  created_at: Date;
  account_id: string;
  booking_id: string | null;
  change_id: string | null;
  invoice_id: string | null;
  /** The idempotency key and the metadata by which a charge is found are made of it and what the charge is for. */
  ordinal: number | null;
}

/** An off-session charge of a card on file. */
export interface CardCharge extends ChargePurpose {
  /** Names the invoice, if it pays one. */
  description?: string;
  /** Set if the charge may have been made then by a row that is lost: the processor is asked first. */
  lost?: LostTime | null;
  customer_id: string;
  payment_method_id: string;
  amount_minor: number;
  currency: string;
}

/** A request to put a card on file on the hosted page. */
export interface CardSetupRequest {
  /** Our row's id: the idempotency key, and the metadata of the session. */
  id: string;
  account_id: string;
  session_expires_at: Date;
  created_at: Date;
}

/** The card that a payer has saved. */
export interface SavedCard {
  customer_id: string;
  payment_method_id: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** The processor's state of a request to put a card on file. */
export type CardSetupStatus = { kind: 'open' } | { kind: 'closed' } | { kind: 'saved'; card: SavedCard };

export type ChargeResult =
  | { kind: 'paid'; money: ReceivedPayment }
  /** Nothing was charged and nothing will be. `payment_intent_id` is missing if the processor created none. */
  | { kind: 'refused'; reason: string; payment_intent_id?: string }
  /** The bank has not decided yet, and the charge can't be cancelled. */
  | { kind: 'pending' };

/** A refund of ours, with the amount in minor units. */
export interface RefundRequest {
  /** Our row's id. */
  id: string;
  payment_id: string;
  purpose: RefundPurpose | null;
  /** The idempotency key, and the metadata by which it is found, are made of it, the payment and the amount. */
  ordinal: number | null;
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
export interface ListedRefund extends RefundFacts {
  refund_id: string;
  amount_minor: number;
  status: RefundStatus['status'];
}

/** A workspace's tiers: the price of each per month, without tax, in minor units, and its active members. */
export interface WorkspaceTiers {
  account_id: string;
  workspace_id: string;
  currency: string;
  prices: Record<Tier, number>;
  members: Record<Tier, number>;
}

/** A member's move to a higher tier, which `members` includes already. */
export interface TierSwap extends WorkspaceTiers {
  from: Tier;
  to: Tier;
  /** How much of the payer's month is left, above 0 and at most 1. */
  remaining_share: number;
}

/** The subscription that prorates a workspace's upgrades, and the product of its prices. */
export interface TierSubscription {
  product_id: string;
  subscription_id: string;
}

/** The price of a move for the rest of the month, without tax, in minor units. */
export interface TierQuoted {
  net_minor: number;
}

/** A connected account as it is now. */
export interface AccountState {
  charges_enabled: boolean;
  /** When the processor restricts it unless its operator has submitted what is required; null if nothing is due. */
  due_by: Date | null;
  /** Why it is restricted, in the processor's own code; null if it is not. */
  problem: string | null;
}

/** A charge in the processor's list; amounts in minor units. */
export interface ListedCharge {
  charge_id: string;
  payment_intent_id: string | null;
  amount_minor: number;
  refunded_minor: number;
  currency: string;
  /** The booking or checkout that it pays for; null if the service did not create it. */
  owner_id: string | null;
  /** What it is for, as we have said when it was created. */
  metadata: Record<string, string>;
  created_at: Date;
}

/** A page of a period, newest first: `after` is the `last` of the page before. `to` is excluded; null: until now. */
export interface Period {
  from: Date;
  to: Date | null;
  after: string | null;
}

/** What the processor recorded of an account, in the form of its webhooks. `last` is null on the last page. */
export interface EventPage {
  events: Stripe.Event[];
  last: string | null;
}

/**
 * The part of the payment processor that we use. Amounts are in minor units; the gateway converts them. Every call goes
 * to one connected account. Failures, see `failures.ts`: refused, account unusable, key refused, unavailable.
 */
export interface Processor {
  /** The URL of a session that has been paid leads to the page that follows the payment. */
  openCheckout(request: CheckoutRequest): Promise<{ id: string; url: string }>;
  lookUpCheckout(accountId: string, sessionId: string): Promise<CheckoutStatus>;
  /** Closes an open session. Returns the state of one that is no longer open. */
  closeCheckout(accountId: string, sessionId: string): Promise<CheckoutStatus>;
  /** Null if the account has no such intent. */
  lookUpIntent(accountId: string, paymentIntentId: string): Promise<Intent | null>;
  /** Charges a card on file once per purpose. A repeated call returns the result as it is then. */
  charge(charge: CardCharge): Promise<ChargeResult>;
  /** Cancels a charge if that is possible, and returns its result as it is then. Never charges. */
  endCharge(charge: ChargePurpose): Promise<ChargeResult>;
  openCardSetup(request: CardSetupRequest): Promise<{ id: string; url: string }>;
  lookUpCardSetup(accountId: string, sessionId: string): Promise<CardSetupStatus>;
  /** Closes an open session. Returns the state of one that is no longer open. */
  closeCardSetup(accountId: string, sessionId: string): Promise<CardSetupStatus>;
  /** Detaches a card from its customer, so that nobody can charge it. Does nothing to one that is detached or gone. */
  detachCard(accountId: string, paymentMethodId: string): Promise<void>;
  submitRefund(refund: RefundRequest): Promise<RefundStatus>;
  lookUpRefund(accountId: string, refundId: string): Promise<RefundStatus>;
  /**
   * The refund that was created, found by its metadata: for outcomes that stayed unknown, and rows that are lost. Attempts
   * that failed for lack of balance don't count.
   */
  findRefund(refund: RefundRequest): Promise<RefundStatus | null>;
  listRefunds(accountId: string, paymentIntentId: string): Promise<ListedRefund[]>;
  /** What an account can pay refunds from in a currency now, in minor units; null if it does not hold the currency. */
  availableBalance(accountId: string, currency: string): Promise<number | null>;
  /** Creates the subscription that prorates upgrades. Idempotent per generation. */
  createTierSubscription(tiers: WorkspaceTiers, generation: number): Promise<TierSubscription>;
  /** Prorates a move to a higher tier on the workspace's subscription; null if it is gone. */
  quoteTierSwap(known: TierSubscription, swap: TierSwap): Promise<TierQuoted | null>;
  /** Sets prices and quantities of all tiers on the subscription. Idempotent. */
  syncTierSubscription(known: TierSubscription, tiers: WorkspaceTiers): Promise<void>;
  /** A page of the successful charges since a time, newest first. `after` is the last charge of the page before. */
  listCharges(
    accountId: string,
    since: Date,
    after: string | null,
  ): Promise<{ charges: ListedCharge[]; last: string | null }>;
  /** A page of the charges that were refunded in a period, as they are now. */
  listRefundedCharges(
    accountId: string,
    period: Period,
  ): Promise<{ charges: ListedCharge[]; last: string | null }>;
  /** The successful charge of a payment intent; null if the account has none. */
  findCharge(accountId: string, paymentIntentId: string): Promise<ListedCharge | null>;
  /** All disputes of a payment as they are now. */
  listDisputes(accountId: string, paymentIntentId: string): Promise<ReportedDispute[]>;
  /** A page of the account's disputes since a time, newest first. `after` is the last dispute of the page before. */
  listDisputesSince(
    accountId: string,
    since: Date,
    after: string | null,
  ): Promise<{ disputes: ReportedDispute[]; last: string | null }>;
  /** A page of an account's events of the types that we handle. The processor keeps them for 30 days. */
  listEvents(accountId: string, period: Period): Promise<EventPage>;
  /** A page of what moved money on an account, as an event about each charge, refund or dispute: kept for ever. */
  listMovements(accountId: string, period: Period): Promise<EventPage>;
  /** What a connected account can do now. */
  lookUpAccount(accountId: string): Promise<AccountState>;
  /** Creates a connected account for a workspace. `instead_of` is the revoked account that it replaces, if any. */
  createAccount(request: { workspace_id: string; instead_of: string | null }): Promise<{ id: string }>;
  createAccountLink(link: {
    account_id: string;
    return_url: string;
    refresh_url: string;
  }): Promise<{ url: string }>;
}
