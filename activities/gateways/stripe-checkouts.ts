import Stripe from 'stripe';
import { toProcessorAmount } from '../../domain/processor-amounts.js';
import type { CheckoutRequest, CheckoutStatus, Processor } from './processor.js';
import { call } from './stripe-call.js';
import { createdSince, firstWith } from './stripe-lists.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';
import { idOf, on, ownerOf } from './stripe-references.js';
import { minorUnits, moneyOf } from './stripe-saved-card.js';

/** Cards and wallets only: a hold cannot wait days for a bank debit. */
const CARD_ONLY = { payment_method_types: ['card'] };

function statusOf(session: Stripe.Checkout.Session): CheckoutStatus {
  if (session.status === 'open') return { kind: 'open' };
  if (session.status === 'expired') return { kind: 'closed' };
  if (session.payment_status === 'unpaid') return { kind: 'processing' };
  return { kind: 'paid', paymentIntentId: idOf(session.payment_intent)! };
}

/** Hosted checkouts and their payments (docs/rules/bookings.md#checkout). */
export function checkoutCalls(
  stripe: Stripe,
  publicUrl: string,
  suffixes: KeySuffixes,
): Pick<Processor, 'openCheckout' | 'lookUpCheckout' | 'closeCheckout' | 'lookUpIntent'> {
  /** The session that was created for our row. Stripe can't filter by metadata, so this reads those created since. */
  async function findSession(
    { account_id, created_at }: CheckoutRequest,
    metadata: Record<string, string>,
  ): Promise<Stripe.Checkout.Session | null> {
    return firstWith(stripe.checkout.sessions.list(createdSince(created_at), on(account_id)), metadata);
  }

  return {
    openCheckout(request) {
      const { booking_id, invoice_id, change_id } = request;
      const row: Record<string, string> = booking_id
        ? { booking_id, ...(change_id && { change_id }) }
        : { checkout_id: request.id, invoice_id: invoice_id! };
      const metadata = { ...row, checkout_id: request.id };
      const isBooking = booking_id !== null && !change_id;
      const params: Stripe.Checkout.SessionCreateParams = {
        mode: 'payment',
        ...CARD_ONLY,
        customer_creation: 'always',
        client_reference_id: booking_id ?? invoice_id!,
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: request.currency.toLowerCase(),
              unit_amount: toProcessorAmount(request),
              product_data: { name: request.description },
            },
          },
        ],
        metadata,
        // A change can increase the price of a booking; nothing else is charged again.
        payment_intent_data: { metadata, ...(isBooking && { setup_future_usage: 'off_session' }) },
        expires_at: Math.floor(request.session_expires_at.getTime() / 1000),
        success_url: `${publicUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}&checkout_id=${request.id}`,
        cancel_url: `${publicUrl}/checkout/left?checkout_id=${request.id}`,
      };
      return call(async () => {
        const session = await createUnlessFound(suffixes, {
          key: `${request.id}:open`,
          create: (idempotencyKey) =>
            stripe.checkout.sessions.create(params, { ...on(request.account_id), idempotencyKey }),
          find: () => findSession(request, row),
        });
        return { id: session.id, url: session.url! };
      });
    },

    lookUpCheckout(accountId, sessionId) {
      return call(async () =>
        statusOf(await stripe.checkout.sessions.retrieve(sessionId, {}, on(accountId))),
      );
    },

    closeCheckout(accountId, sessionId) {
      return call(async () => {
        const now = statusOf(await stripe.checkout.sessions.retrieve(sessionId, {}, on(accountId)));
        if (now.kind !== 'open') return now;
        try {
          return statusOf(await stripe.checkout.sessions.expire(sessionId, {}, on(accountId)));
        } catch (error) {
          // Paid between the two calls: Stripe refuses to expire a session that is not open. Return its state.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          return statusOf(await stripe.checkout.sessions.retrieve(sessionId, {}, on(accountId)));
        }
      });
    },

    lookUpIntent(accountId, paymentIntentId) {
      return call(async () => {
        let intent: Stripe.PaymentIntent;
        try {
          intent = await stripe.paymentIntents.retrieve(
            paymentIntentId,
            { expand: ['latest_charge'] },
            on(accountId),
          );
        } catch (error) {
          if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
            return null;
          throw error;
        }
        const { change_id = null } = intent.metadata;
        const money = intent.status === 'succeeded' ? moneyOf(intent, accountId) : null;
        const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
        const refunded_minor = minorUnits(charge?.amount_refunded ?? 0, intent.currency);
        const disputed = charge?.disputed ?? false;
        return { owner_id: ownerOf(intent.metadata), change_id, money, refunded_minor, disputed };
      });
    },
  };
}
