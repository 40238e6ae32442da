import type { DataSource } from 'typeorm';
import {
  findAccountsWithUnresolvedCheckouts,
  findBookingCheckout,
  findCheckout,
  findCheckoutBySession,
  findCheckoutRun,
  findPaidCheckout,
} from '../../db/queries/payments/checkout.js';
import { adoptCharge } from '../../commands/payments/adopt-charge.js';
import { abandonCheckout, setCheckoutOpen } from '../../commands/payments/checkouts.js';
import { findPaymentByIntent } from '../../db/queries/payments/payment.js';
import { publishBooking } from '../../commands/bookings/publish-booking.js';
import { announcePublication } from '../../db/publications.js';
import { transaction } from '../../db/transaction.js';
import type { ReturnSecrets } from '../../db/signed-links.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { ConfirmationSource } from '../../domain/states.js';
import type { VerifyPaymentInput } from '../../contract/payments/payments.js';
import { findPublishedState, toRunState, type BookingRunState } from '../bookings/bookings.js';
import { failures, isRefused } from '../failures.js';
import type { CheckoutStatus, Intent, Processor } from '../gateways/processor.js';
import type { SettledReport } from './settling.js';
import { createPaymentLookup, buildSessionRequest, unlessRevoked } from './lookup.js';

export type FoundPayment =
  | { kind: 'found'; ownerId: string; paymentIntentId: string }
  /** No checkout exists for it. */
  | { kind: 'adopted'; ownerId: string; paymentIntentId: string; settled: Omit<SettledReport, 'state'> }
  | { kind: 'unpaid' }
  | { kind: 'unknown' };

/** Checkouts at the processor (docs/rules/bookings.md#checkout). Each activity makes one outside call. */
export function createCheckoutActivities({
  db,
  processor,
  returnSecrets,
}: {
  db: DataSource;
  processor: Processor;
  returnSecrets: ReturnSecrets;
}) {
  const { askAccount, checkoutStatus } = createPaymentLookup(processor);

  async function existingCheckout(ownerId: string): Promise<Checkout> {
    const checkout = await findCheckout(db.manager, ownerId);
    if (!checkout) throw failures.referenceMissing(`checkout of ${ownerId}`);
    return checkout;
  }

  /** Returns the session under a checkout's idempotency key; null if the processor refuses to create it. */
  async function sessionUnderKey(checkout: Checkout): Promise<string | null> {
    try {
      return (await processor.openCheckout(await buildSessionRequest(db, returnSecrets, checkout))).id;
    } catch (error) {
      if (isRefused(error)) return null;
      throw error;
    }
  }

  /** Returns the owner of a payment, according to its purpose. A payment without a checkout is settled. */
  async function locate(
    intent: Intent,
    { paymentIntentId, source }: { paymentIntentId: string; source: ConfirmationSource },
  ): Promise<FoundPayment> {
    const { money, refunded_minor, disputed } = intent;
    const checkout = await findPaidCheckout(db.manager, intent);
    if (checkout)
      return { kind: 'found', ownerId: await findCheckoutRun(db.manager, checkout), paymentIntentId };
    if (!money) return { kind: intent.owner_id ? 'unpaid' : 'unknown' };
    const adopted = await transaction(db, (tx) => adoptCharge(tx, { ...intent, money }, source));
    if (!adopted) return { kind: 'unknown' };
    const { ownerId, settlement: outcome } = adopted;
    const facts = { ...(refunded_minor > 0 && { refunded: true as const }), ...(disputed && { disputed }) };
    return { kind: 'adopted', ownerId, paymentIntentId, settled: { outcome, paymentIntentId, ...facts } };
  }

  return {
    /**
     * Opens the checkout of a reserved booking and then publishes the booking, which makes it visible. A
     * booking without a checkout has nothing to pay. Returns null if the reservation no longer exists.
     * Idempotent: a repeated call gets the same session, and a published booking stays as it is.
     */
    async openBooking(bookingId: string): Promise<BookingRunState | null> {
      const found = await findBookingCheckout(db.manager, bookingId);
      if (!found) return null;
      // A run that was lost has published it.
      if (found.isPublished) return findPublishedState(db.manager, bookingId);
      const return_secret = returnSecrets.returnSecret({ id: bookingId, version: found.manageLinkVersion });
      const session = found.checkout && (await processor.openCheckout({ ...found.checkout, return_secret }));
      const published = await transaction(db, (tx) => publishBooking(tx, bookingId, session));
      if (published) void announcePublication(db.manager, bookingId);
      return published && toRunState(published);
    },

    /**
     * Opens the checkout of an invoice and stores its session. Returns when it expires, in ISO 8601; null if
     * it has already ended. Idempotent: a repeated call gets the same session.
     */
    async openInvoiceCheckout(checkoutId: string): Promise<string | null> {
      const checkout = await existingCheckout(checkoutId);
      if (checkout.state !== 'opening' && checkout.state !== 'open') return null;
      if (checkout.payment_method_id) return null;
      if (!checkout.session_id || !checkout.url) {
        const session = await processor.openCheckout(await buildSessionRequest(db, returnSecrets, checkout));
        await transaction(db, (tx) => setCheckoutOpen(tx, checkoutId, session));
      }
      return checkout.session_expires_at.toISOString();
    },

    /**
     * Records that an invoice's checkout could not be opened. Returns when its session expires, in ISO 8601,
     * if it was opened before; otherwise null.
     */
    async abandonInvoiceCheckout(checkoutId: string): Promise<string | null> {
      await transaction(db, (tx) => abandonCheckout(tx, checkoutId));
      const { state, session_expires_at } = await existingCheckout(checkoutId);
      return state === 'open' ? session_expires_at.toISOString() : null;
    },

    /**
     * Closes an owner's checkout, so that it can no longer be paid, and returns its state. If creating the
     * session got no response, requests it again under the same key, which returns the existing session if
     * there is one.
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

    /** Returns the processor's state of an owner's checkout. */
    async lookUpCheckout(ownerId: string): Promise<CheckoutStatus> {
      return checkoutStatus(await existingCheckout(ownerId));
    },

    /**
     * Returns the owner of the checkout to which a payment belongs: from the report, from our own rows, or by
     * querying the accounts with unresolved checkouts. A payment of ours whose checkout is lost is settled.
     */
    async findPayment(input: VerifyPaymentInput): Promise<FoundPayment> {
      if (input.sessionId) {
        const checkout = await findCheckoutBySession(db.manager, input.sessionId);
        if (!checkout) return { kind: 'unknown' };
        const status = await checkoutStatus(checkout);
        if (status.kind !== 'paid') return { kind: 'unpaid' };
        const ownerId = await findCheckoutRun(db.manager, checkout);
        return { kind: 'found', ownerId, paymentIntentId: status.paymentIntentId };
      }
      const paymentIntentId = input.paymentIntentId!;
      if (input.ownerId) return { kind: 'found', ownerId: input.ownerId, paymentIntentId };
      const known = await findPaymentByIntent(db.manager, paymentIntentId);
      const knownBooking = known?.booking_id ?? known?.refusal?.booking_id;
      if (knownBooking) return { kind: 'found', ownerId: knownBooking, paymentIntentId };
      const { accountId: only } = input;
      for (const accountId of only ? [only] : await findAccountsWithUnresolvedCheckouts(db.manager)) {
        const intent = await askAccount(accountId, paymentIntentId);
        if (intent) return locate(intent, { paymentIntentId, source: input.source });
      }
      return { kind: 'unknown' };
    },
  };
}
