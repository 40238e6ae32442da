import type Stripe from 'stripe';
import type { ReportedPayout, ReportedPayoutEntry } from '../../commands/reports/payouts.js';
import type { ReportedDispute } from '../../commands/payments/disputes.js';

/**
 * A page of a period, newest first. `after` is `last` of the previous page. `to` is exclusive; null: until
 * now.
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
  /** The purpose that we stored when it was created. */
  metadata: Record<string, string>;
  created_at: Date;
}

/** Lists of charges and disputes. */
export interface ChargeCalls {
  /**
   * Returns a page of the successful charges since a time, newest first. `after` is the last charge of the
   * previous page.
   */
  listCharges(
    accountId: string,
    since: Date,
    after: string | null,
  ): Promise<{ charges: ListedCharge[]; last: string | null }>;
  /** Returns a page of the charges that were refunded in a period, with their current state. */
  listRefundedCharges(
    accountId: string,
    period: Period,
  ): Promise<{ charges: ListedCharge[]; last: string | null }>;
  /** Returns the successful charge of a payment intent; null if the account has none. */
  findCharge(accountId: string, paymentIntentId: string): Promise<ListedCharge | null>;
  /** Returns all disputes of a payment with their current state. */
  listDisputes(accountId: string, paymentIntentId: string): Promise<ReportedDispute[]>;
  /**
   * Returns a page of the account's disputes since a time, newest first. `after` is the last dispute of the
   * previous page.
   */
  listDisputesSince(
    accountId: string,
    since: Date,
    after: string | null,
  ): Promise<{ disputes: ReportedDispute[]; last: string | null }>;
}

/** What happened on an account, in the form of the processor's webhooks. `last` is null on the last page. */
export interface EventPage {
  events: Stripe.Event[];
  last: string | null;
}

/** Lists what happened on an account, to find lost webhooks. */
export interface EventCalls {
  /**
   * Returns a page of an account's events of the types that we handle. The processor keeps them for 30 days.
   */
  listEvents(accountId: string, period: Period): Promise<EventPage>;
  /**
   * Returns a page of money movements on an account, as an event about each charge, refund or dispute. These
   * are kept permanently.
   */
  listMovements(accountId: string, period: Period): Promise<EventPage>;
}

/** Lists payouts and what is in them. */
export interface PayoutCalls {
  /**
   * Returns a page of the payouts that were created since a time, newest first. `after` is `last` of the
   * previous page.
   */
  listPayouts(
    accountId: string,
    since: Date,
    after: string | null,
  ): Promise<{ payouts: ReportedPayout[]; last: string | null }>;
  /** Returns a page of what is in an automatic payout. */
  listPayoutEntries(
    accountId: string,
    payoutId: string,
    after: string | null,
  ): Promise<{ entries: ReportedPayoutEntry[]; last: string | null }>;
}
