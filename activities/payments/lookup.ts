import type { DataSource } from 'typeorm';
import { findInvoiceById } from '../../db/queries/invoices/invoice.js';
import { findPayer } from '../../db/queries/invoices/payer.js';
import { findBookingPayer } from '../../db/queries/invoices/money.js';
import { findLostTime } from '../../db/queries/payments/lost-time.js';
import { findChange } from '../../db/queries/bookings/booking-change.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { ReturnSecrets } from '../../db/signed-links.js';
import { isAccountUnusable } from '../failures.js';
import type { CheckoutRequest, CheckoutStatus, Intent, Processor } from '../gateways/processor.js';

/**
 * Builds the request for a checkout's session. The session of a change also contains its booking's id,
 * because the booking's run waits for the payment. A booking's own checkout is never lost without the
 * booking.
 */
export async function buildSessionRequest(
  { manager: tx }: Pick<DataSource, 'manager'>,
  { returnSecret }: Pick<ReturnSecrets, 'returnSecret'>,
  checkout: Checkout,
): Promise<CheckoutRequest> {
  const { account_id, invoice_id, change_id } = checkout;
  const change = change_id ? await findChange(tx, change_id) : null;
  const invoice = invoice_id ? await findInvoiceById(tx, invoice_id) : null;
  const owner = change ?? invoice;
  const lost = owner && (await findLostTime(tx, account_id, owner.created_at));
  const booking_id = change?.booking_id ?? checkout.booking_id;
  if (booking_id) {
    const { email: payer_email, manage_link_version: version } = await findBookingPayer(tx, booking_id);
    return {
      ...checkout,
      booking_id,
      payer_email,
      return_secret: returnSecret({ id: booking_id, version }),
      lost,
    };
  }
  const { id, pay_link_version: version } = invoice!;
  const { email: payer_email } = await findPayer(tx, id);
  return { ...checkout, booking_id, payer_email, return_secret: returnSecret({ id, version }), lost };
}

/**
 * Runs a query of the processor, except for a revoked account, which cannot be queried: its session counts as
 * closed once it has expired, or if its URL was never published.
 */
export async function unlessRevoked(
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

/** Queries the processor about checkouts and payments. */
export function createPaymentLookup(processor: Processor) {
  return {
    /** Returns the processor's state of a checkout. */
    async checkoutStatus(checkout: Checkout): Promise<CheckoutStatus> {
      const sessionId = checkout.session_id;
      if (!sessionId) return { kind: checkout.session_expires_at.getTime() < Date.now() ? 'closed' : 'open' };
      return unlessRevoked(checkout, () => processor.lookUpCheckout(checkout.account_id, sessionId));
    },

    /**
     * Returns a payment intent of an account; null if it is unknown there, or the account cannot be queried.
     */
    async askAccount(accountId: string, paymentIntentId: string): Promise<Intent | null> {
      try {
        return await processor.lookUpIntent(accountId, paymentIntentId);
      } catch (error) {
        if (isAccountUnusable(error)) return null;
        throw error;
      }
    },
  };
}
