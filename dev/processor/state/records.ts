import type Stripe from 'stripe';
import type { Faults, Via } from './faults.js';

export type { Via };

/** An object of Stripe's API. */
export interface ApiObject {
  id: string;
  object: string;
}

/**
 * An object with its internal fields: its account, and the idempotency key of the request that created it.
 */
export interface Stored<T extends ApiObject = ApiObject> {
  object: T;
  /** The connected account; null for the platform's own. */
  account: string | null;
  idempotency_key: string | null;
}

/** The origin of an object or event: an account, and the request that caused it, if any. */
export interface Origin {
  account: string | null;
  idempotency_key?: string | null;
  request?: { id: string; idempotency_key: string | null };
}

/** A line item of a checkout session. */
export interface LineItem extends ApiObject {
  object: 'item';
  adjustable_quantity: null;
  amount_discount: number;
  amount_subtotal: number;
  amount_tax: number;
  amount_total: number;
  currency: string;
  description: string | null;
  metadata: Record<string, string>;
  price: Price;
  quantity: number;
}

/** In JSON, a decimal is a string; the client parses it. */
export type Price = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string };

/** In JSON, the amounts in `pricing` are strings; the client parses them to decimals. */
export type Line = Omit<Stripe.InvoiceLineItem, 'pricing' | 'quantity_decimal'> & {
  pricing: object;
  quantity_decimal: string | null;
};

/** `payment_intent_data`, kept until the payer pays and the intent is created. */
export interface IntentData {
  description: string | null;
  metadata: Record<string, string>;
  receipt_email: string | null;
  setup_future_usage: 'off_session' | 'on_session' | null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  transfer_group: string | null;
}

/** The setup of a saved card. */
export type StoredSetupIntent = Stored<Stripe.SetupIntent>;

export interface StoredSession extends Stored<Stripe.Checkout.Session> {
  line_items: LineItem[];
  intent_data: IntentData;
  /** `setup_intent_data`: the setup intent is created when the payer saves a card. */
  setup_data: { description: string | null; metadata: Record<string, string> };
}

/** A saved card and how it behaves. Its number is not stored. */
export interface StoredPaymentMethod extends Stored<Stripe.PaymentMethod> {
  behaviour: CardBehaviour;
}

/**
 * `approved`, or the decline, for payments with and without the payer present. `processing`: the bank
 * notifies the payer before it decides.
 */
export interface CardBehaviour {
  on_session: 'approved' | Decline;
  off_session: 'approved' | 'processing' | Decline;
  /** The payer disputes each payment immediately. */
  dispute?: { reason: string; status: 'needs_response' | 'warning_needs_response' };
}

export interface Decline {
  code: string;
  decline_code: string | null;
  message: string;
}

/** `payout`: the payout that contains it; null while none does, and if that is not known. */
export interface StoredBalanceTransaction extends Stored<Stripe.BalanceTransaction> {
  payout: string | null;
}

export interface StoredRefund extends Stored<Stripe.Refund> {
  /** With `fail_later` and `no_balance`: when the refund fails, Unix milliseconds. */
  fails_at: number | null;
}

export interface StoredAccount extends Stored<Stripe.Account> {
  /** The account's owner has disconnected the platform. */
  revoked: boolean;
}

/** A subscription with the prorations that are not on an invoice yet. */
export interface StoredSubscription extends Stored<Stripe.Subscription> {
  pending: Line[];
  /** The quantity of each item that was last billed, for which a flexible subscription gives credit. */
  debited: Record<string, number>;
  /** When quantities were updated in the last hour. Unix seconds. */
  quantity_updates: number[];
}

/** A registered receiver of webhooks. */
export interface StoredRegistration extends Stored<Stripe.WebhookEndpoint> {
  /** Receives events of connected accounts instead of the platform's own. */
  connect: boolean;
  via: Via;
  /** Signs the events sent to it. The API returns it only when the registration is created. */
  secret: string;
}

/** An onboarding link. */
export interface StoredAccountLink {
  account: string;
  return_url: string;
  refresh_url: string;
  expires_at: number;
}

export interface StoredEvent {
  event: Stripe.Event;
  via: Via;
  account: string | null;
}

/** A pending delivery of a webhook. */
export interface Delivery {
  event_id: string;
  attempt: number;
  /** Unix milliseconds. */
  next_at: number;
  /** An extra copy: sent once, not retried. */
  once: boolean;
}

/** The saved response to requests with the same idempotency key. */
export interface SavedResponse {
  fingerprint: string;
  path: string;
  status: number;
  body: unknown;
  request_id: string;
  created: number;
}

export interface RequestLogEntry {
  method: string;
  path: string;
  account: string | null;
  idempotency_key: string | null;
  status: number;
  /** When it arrived. A fault may delay its execution. */
  received_at: string;
  /** When it was answered. */
  at: string;
  request_id: string;
}

export interface WebhookLogEntry {
  type: string;
  event_id: string;
  via: Via;
  account: string | null;
  /** HTTP status of the receiver's response; 0 if there was none. */
  status: number;
  at: string;
}

/**
 * `no_balance`: pending, then failed with `insufficient_funds`. `held`: pending for lack of balance until it
 * is settled.
 */
export type RefundMode = 'succeed' | 'pending' | 'fail_later' | 'no_balance' | 'held';

/** Settings from the controls, for all accounts or for one. */
export interface Settings {
  faults?: Faults;
  refund_mode?: RefundMode;
}
