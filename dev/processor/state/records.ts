import type Stripe from 'stripe';
import type { Line } from '../billing/proration.js';
import type { Faults } from '../faults.js';

/** Anything that Stripe's API calls an object. */
export interface ApiObject {
  id: string;
  object: string;
}

/** An object with what Stripe knows of it and does not show: whose it is, and the key it was created with. */
export interface Stored<T extends ApiObject = ApiObject> {
  object: T;
  /** The connected account it lives on; null on the platform's own. */
  account: string | null;
  idempotency_key: string | null;
}

/** A line of a checkout session. */
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

/** On the wire a decimal is a string; the client makes an object of it. */
export type Price = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string };

/** What `payment_intent_data` says, kept until the payer pays: only then is there an intent. */
export interface IntentData {
  description: string | null;
  metadata: Record<string, string>;
  receipt_email: string | null;
  setup_future_usage: 'off_session' | 'on_session' | null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  transfer_group: string | null;
}

export interface StoredSession extends Stored<Stripe.Checkout.Session> {
  line_items: LineItem[];
  intent_data: IntentData;
}

/** How a saved card behaves; its number is never kept. */
export interface StoredPaymentMethod extends Stored<Stripe.PaymentMethod> {
  behaviour: CardBehaviour;
}

/** `approved`, or what it is declined with, at once or only when the payer is not there. */
export interface CardBehaviour {
  on_session: 'approved' | Decline;
  off_session: 'approved' | Decline;
}

export interface Decline {
  code: string;
  decline_code: string | null;
  message: string;
}

export interface StoredRefund extends Stored<Stripe.Refund> {
  /** When a refund that was told to `fail_later` does so, in milliseconds. */
  fails_at: number | null;
}

export interface StoredAccount extends Stored<Stripe.Account> {
  /** The account's owner has disconnected the platform. */
  revoked: boolean;
}

/** What a change of a subscription has cost and no invoice has taken up yet. */
export interface StoredSubscription extends Stored<Stripe.Subscription> {
  pending: Line[];
}

/** An onboarding link: who it is for and where it leads back to. */
export interface StoredAccountLink {
  account: string;
  return_url: string;
  refresh_url: string;
  expires_at: number;
}

export interface StoredEvent {
  event: Stripe.Event;
  via: Via;
  /** The account of its object, also where the event does not name it. */
  account: string | null;
}

/** Which of the two endpoint secrets signs a webhook. */
export type Via = 'platform' | 'connect';

/** A webhook that has not arrived yet. */
export interface Delivery {
  event_id: string;
  attempt: number;
  /** Milliseconds. */
  next_at: number;
  /** Sent once and then forgotten, whatever the answer: an extra copy. */
  once: boolean;
}

/** The answer that is given again to a request with the same idempotency key. */
export interface SavedAnswer {
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
  at: string;
  request_id: string;
}

export interface WebhookLogEntry {
  type: string;
  event_id: string;
  via: Via;
  account: string | null;
  /** The receiver's answer; 0 when there was none. */
  status: number;
  at: string;
}

export type RefundMode = 'succeed' | 'pending' | 'fail_later';

/** What the controls have set, for everything or for one account. */
export interface Settings {
  faults?: Faults;
  refund_mode?: RefundMode;
}
