import type Stripe from 'stripe';
import type { ReportedDispute } from '../../commands/payments/disputes.js';

/**
 * A page of a period, newest first: `after` is the `last` of the page before. `to` is
 * excluded; null: until now.
 */
export interface Period {
  from: Date;
  to: Date | null;
  after: string | null;
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

/** What the processor lists of charges and disputes. */
export interface ChargeCalls {
  /**
   * A page of the successful charges since a time, newest first. `after` is the last
   * charge of the page before.
   */
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
  /**
   * A page of the account's disputes since a time, newest first. `after` is the last
   * dispute of the page before.
   */
  listDisputesSince(
    accountId: string,
    since: Date,
    after: string | null,
  ): Promise<{ disputes: ReportedDispute[]; last: string | null }>;
}

/**
 * What the processor recorded of an account, in the form of its webhooks. `last` is null on the last page.
 */
export interface EventPage {
  events: Stripe.Event[];
  last: string | null;
}

/** What the processor recorded of an account, for webhooks that were lost. */
export interface EventCalls {
  /** A page of an account's events of the types that we handle. The processor keeps them for 30 days. */
  listEvents(accountId: string, period: Period): Promise<EventPage>;
  /**
   * A page of what moved money on an account, as an event about each charge, refund
   * or dispute: kept for ever.
   */
  listMovements(accountId: string, period: Period): Promise<EventPage>;
}
