import type { DataSource } from 'typeorm';
import {
  findAccountsWithUnresolvedCheckouts,
  findCheckout,
  findCheckoutBySession,
} from '../db/repositories/billing/checkout-queries.js';
import { abandonCheckout, setCheckoutOpen } from '../db/repositories/billing/checkouts.js';
import { findPaymentByIntent } from '../db/repositories/billing/payment-queries.js';
import type { ReceivedPayment } from '../db/repositories/billing/payments.js';
import { findChange } from '../db/repositories/bookings/booking-change-queries.js';
import { findBookingById } from '../db/repositories/bookings/booking-queries.js';
import { transaction } from '../db/transaction.js';
import type { Checkout } from '../db/rows.js';
import type { VerifyPaymentInput } from '../workflows/contract.js';
import { stateOf, type BookingState, type PaymentReceipt } from './bookings.js';
import { failures, isAccountUnusable, isRefused } from './failures.js';
import type { CheckoutStatus, Intent, Processor } from './gateways/processor.js';

export type OpenedCheckout =
  | { kind: 'gone' }
  /** The booking was published by a run that was lost: there is nothing to open. */
  | { kind: 'published'; state: BookingState }
  /** `session` is null if there is nothing to pay. */
  | { kind: 'opened'; session: { id: string; url: string } | null };

export type FoundPayment =
  { kind: 'found'; ownerId: string; paymentIntentId: string } | { kind: 'unpaid' } | { kind: 'unknown' };

/** True for a payment of the full amount, in the right currency, on the right connected account. */
function paysFor(checkout: Checkout, money: ReceivedPayment): boolean {
  return (
    money.account_id === checkout.account_id &&
    money.amount_minor === checkout.amount_minor &&
    money.currency === checkout.currency
  );
}

/** Checkouts and payments at the processor (docs/rules/bookings.md#checkout), one outside call each. */
export function createCheckoutActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existingCheckout(ownerId: string): Promise<Checkout> {
    const checkout = await findCheckout(db.manager, ownerId);
    if (!checkout) throw failures.referenceMissing(`checkout of ${ownerId}`);
    return checkout;
  }

  /** A revoked account cannot be queried: its session counts as closed once it has expired, or if nobody has its URL. */
  async function unlessRevoked(
    checkout: Checkout,
    ask: () => Promise<CheckoutStatus>,
  ): Promise<CheckoutStatus> {
    try {
      return await ask();
    } catch (error) {
      if (!isAccountUnusable(error)) throw error;
      const isPayable = checkout.session_id && checkout.session_expires_at.getTime() >= Date.now();
      return { kind: isPayable ? 'open' : 'closed' };
    }
  }

  /** The session under a checkout's idempotency key; null if the processor refuses to create it. */
  async function sessionUnderKey(checkout: Checkout): Promise<string | null> {
    try {
      return (await processor.openCheckout(checkout)).id;
    } catch (error) {
      if (isRefused(error)) return null;
      throw error;
    }
  }

  return {
    /** Opens the checkout of a reserved booking. Idempotent: a repeated call returns the same session. */
    async openCheckout(bookingId: string): Promise<OpenedCheckout> {
      const booking = await findBookingById(db.manager, bookingId);
      if (!booking) return { kind: 'gone' };
      if (booking.published_at) return { kind: 'published', state: stateOf(booking) };
      const checkout = await findCheckout(db.manager, bookingId);
      return { kind: 'opened', session: checkout && (await processor.openCheckout(checkout)) };
    },

    /** Opens the checkout of an invoice. A repeated call returns the same session; null if it has ended already. */
    async openInvoiceCheckout(checkoutId: string): Promise<{ id: string; url: string } | null> {
      const checkout = await existingCheckout(checkoutId);
      if (checkout.state !== 'opening' && checkout.state !== 'open') return null;
      if (checkout.session_id && checkout.url) return { id: checkout.session_id, url: checkout.url };
      return processor.openCheckout(checkout);
    },

    /**
     * Records that an invoice's checkout could not be opened. Returns when its session expires, in ISO 8601, if it was
     * opened before; null otherwise.
     */
    async abandonInvoiceCheckout(checkoutId: string): Promise<string | null> {
      await transaction(db, (tx) => abandonCheckout(tx, checkoutId));
      const { state, session_expires_at } = await existingCheckout(checkoutId);
      return state === 'open' ? session_expires_at.toISOString() : null;
    },

    /** Stores the session of an invoice's checkout. Returns when it expires, in ISO 8601. */
    async recordInvoiceCheckout(input: {
      checkoutId: string;
      session: { id: string; url: string };
    }): Promise<string> {
      await transaction(db, (tx) => setCheckoutOpen(tx, input.checkoutId, input.session));
      return (await existingCheckout(input.checkoutId)).session_expires_at.toISOString();
    },

    /**
     * Closes an owner's checkout, so that it can no longer be paid, and returns its state. If creating the session got
     * no response, requests it again under the same key, which returns the existing session, if there is one.
     */
    async closeCheckout(ownerId: string): Promise<CheckoutStatus> {
      const checkout = await findCheckout(db.manager, ownerId);
      if (!checkout) return { kind: 'closed' };
      if (!checkout.session_id && checkout.session_expires_at.getTime() < Date.now())
        return { kind: 'closed' };
      return unlessRevoked(checkout, async () => {
        const sessionId = checkout.session_id ?? (await sessionUnderKey(checkout));
        return sessionId ? processor.closeCheckout(checkout.account_id, sessionId) : { kind: 'closed' };
      });
    },

    /** The processor's state of an owner's checkout. */
    async lookUpCheckout(ownerId: string): Promise<CheckoutStatus> {
      const checkout = await existingCheckout(ownerId);
      const sessionId = checkout.session_id;
      if (!sessionId) return { kind: checkout.session_expires_at.getTime() < Date.now() ? 'closed' : 'open' };
      return unlessRevoked(checkout, () => processor.lookUpCheckout(checkout.account_id, sessionId));
    },

    /** The payment of an intent, if it pays this owner's checkout or a change of it; null if not, or not yet. */
    async lookUpPayment(input: { ownerId: string; paymentIntentId: string }): Promise<PaymentReceipt | null> {
      const checkout = await findCheckout(db.manager, input.ownerId);
      if (!checkout) return null;
      const intent = await askAccount(checkout.account_id, input.paymentIntentId);
      if (!intent?.money || intent.owner_id !== checkout.owner_id) return null;
      const { money, refunded_minor, disputed, change_id } = intent;
      const receipt = {
        ...money,
        paid_at: money.paid_at.toISOString(),
        refunded_minor,
        ...(disputed && { disputed }),
      };
      if (change_id) {
        const change = await findChange(db.manager, change_id);
        return change?.booking_id === input.ownerId ? { ...receipt, change_id } : null;
      }
      return paysFor(checkout, money) ? receipt : null;
    },

    /**
     * The owner of the checkout that a payment belongs to: from the report, found in our own rows, or else by querying the
     * accounts with unresolved checkouts.
     */
    async findPayment(input: VerifyPaymentInput): Promise<FoundPayment> {
      if (input.sessionId) {
        const checkout = await findCheckoutBySession(db.manager, input.sessionId);
        if (!checkout) return { kind: 'unknown' };
        const status = await unlessRevoked(checkout, () =>
          processor.lookUpCheckout(checkout.account_id, checkout.session_id!),
        );
        if (status.kind !== 'paid') return { kind: 'unpaid' };
        return { kind: 'found', ownerId: checkout.owner_id, paymentIntentId: status.paymentIntentId };
      }
      const paymentIntentId = input.paymentIntentId!;
      if (input.ownerId) return { kind: 'found', ownerId: input.ownerId, paymentIntentId };
      const known = await findPaymentByIntent(db.manager, paymentIntentId);
      const knownBooking = known?.booking_id ?? known?.refusal?.booking_id;
      if (knownBooking) return { kind: 'found', ownerId: knownBooking, paymentIntentId };
      for (const accountId of await findAccountsWithUnresolvedCheckouts(db.manager)) {
        const intent = await askAccount(accountId, paymentIntentId);
        if (intent?.owner_id) return { kind: 'found', ownerId: intent.owner_id, paymentIntentId };
        if (intent) break;
      }
      return { kind: 'unknown' };
    },
  };

  async function askAccount(accountId: string, paymentIntentId: string): Promise<Intent | null> {
    try {
      return await processor.lookUpIntent(accountId, paymentIntentId);
    } catch (error) {
      if (isAccountUnusable(error)) return null;
      throw error;
    }
  }
}
