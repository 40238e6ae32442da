import type { ReceivedPayment } from '../../db/repositories/billing/payments.js';
import type { Tier } from '../../domain/price.js';

/** What the processor says of a checkout session. */
export type CheckoutStatus =
  | { kind: 'open' }
  /** The payer is done, the money is on its way (an async method). */
  | { kind: 'processing' }
  | { kind: 'paid'; paymentIntentId: string }
  | { kind: 'closed' };

export interface CheckoutRequest {
  /** Our own row's id: the idempotency key comes from it, so that a lost answer never makes a second session. */
  id: string;
  /** It pays for one of the two. */
  booking_id: string | null;
  invoice_id: string | null;
  account_id: string;
  currency: string;
  amount_minor: number;
  description: string;
  session_expires_at: Date;
}

/** A payment intent with what it was made for. `money` is null until the processor has it. */
export interface Intent {
  /** The owner of the checkout that it pays: a booking, or an invoice's checkout. */
  owner_id: string | null;
  /** Set where it pays for a change of the booking and not for its checkout. */
  change_id: string | null;
  money: ReceivedPayment | null;
  /** What of the money has been given back already. */
  refunded_minor: number;
}

/** A charge of the card that the booking was paid with, while its payer isn't there. */
export interface SavedCardCharge {
  /** Our own row's id: idempotency key, and metadata by which a charge whose answer was lost is found. */
  change_id: string;
  created_at: Date;
  booking_id: string;
  account_id: string;
  /** The intent of the first payment; its customer and card are charged. */
  payment_intent_id: string;
  amount_minor: number;
  currency: string;
}

export type ChargeResult = { kind: 'paid'; money: ReceivedPayment } | { kind: 'refused'; reason: string };

export interface RefundStatus {
  /** The processor's own id; null where it refused to make one. */
  refund_id: string | null;
  status: 'pending' | 'succeeded' | 'failed';
}

/** A refund as the processor lists it. */
export interface ListedRefund {
  refund_id: string;
  amount_minor: number;
  /** The row of ours that it was made for; null where somebody made it at the processor. */
  made_for: string | null;
  status: RefundStatus['status'];
}

/** One tier of a workspace: what it costs a month, without tax, and how many members are on it after the change. */
export interface TierSide {
  tier: Tier;
  price_minor: number;
  members: number;
}

/** A member's move to a higher tier. */
export interface TierSwap {
  account_id: string;
  workspace_id: string;
  currency: string;
  from: TierSide;
  to: TierSide;
  at: Date;
}

/** What a move costs for the rest of the period, without tax. */
export interface TierQuoted {
  subscription_id: string;
  net_minor: number;
}

/** A charge as the processor lists it; minor units. */
export interface ListedCharge {
  charge_id: string;
  payment_intent_id: string | null;
  amount_minor: number;
  refunded_minor: number;
  currency: string;
  created_at: Date;
}

/**
 * The payment processor, as narrow as we use it. All calls go to one connected account. They fail as
 * `failures.ts` says: refused, account unusable, unavailable.
 */
export interface Processor {
  openCheckout(request: CheckoutRequest): Promise<{ id: string; url: string }>;
  lookUpCheckout(accountId: string, sessionId: string): Promise<CheckoutStatus>;
  /** Closes an open session; one that is not open any more is told as it is. */
  closeCheckout(accountId: string, sessionId: string): Promise<CheckoutStatus>;
  /** Null where the account has no such intent. */
  lookUpIntent(accountId: string, paymentIntentId: string): Promise<Intent | null>;
  /** Once per `change_id`. `refused` means that no money moved and none will. */
  chargeSavedCard(charge: SavedCardCharge): Promise<ChargeResult>;
  createRefund(refund: {
    id: string;
    account_id: string;
    payment_intent_id: string;
    amount_minor: number;
  }): Promise<RefundStatus>;
  lookUpRefund(accountId: string, refundId: string): Promise<RefundStatus>;
  /** The refund that was made for a row of ours, found by its metadata: for an outcome that stayed unknown. */
  findRefund(accountId: string, paymentIntentId: string, id: string): Promise<RefundStatus | null>;
  listRefunds(accountId: string, paymentIntentId: string): Promise<ListedRefund[]>;
  /** What a move to a higher tier costs, by the workspace's subscription; null where it has none. */
  quoteTierSwap(swap: TierSwap): Promise<TierQuoted | null>;
  /** Brings the subscription to how many members the two tiers have. Again is the same. */
  setTierCounts(subscriptionId: string, swap: TierSwap): Promise<void>;
  /** A page of the charges since a time that went through, newest first; `after` is the page's before last charge. */
  listCharges(
    accountId: string,
    since: Date,
    after: string | null,
  ): Promise<{ charges: ListedCharge[]; last: string | null }>;
  /** A new connected account for a workspace; `instead_of` is the one that was taken from us. */
  createAccount(request: { workspace_id: string; instead_of: string | null }): Promise<{ id: string }>;
  createAccountLink(link: {
    account_id: string;
    return_url: string;
    refresh_url: string;
  }): Promise<{ url: string }>;
}
