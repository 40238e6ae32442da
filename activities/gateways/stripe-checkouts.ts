import Stripe from 'stripe';
import { readInvoiceAttempt, readChangeAttempt, readOwnerId } from '../../domain/payments/money-facts.js';
import { fromProcessorAmount, toProcessorAmount } from '../../domain/processor/amounts.js';
import type { CheckoutStatus, Processor } from './processor.js';
import {
  createdFor,
  createdSince,
  first,
  has,
  referenceId,
  toReceivedPayment,
  on,
} from './stripe-objects.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';
import { toPurpose } from './stripe-purpose.js';

/** Only cards and wallets, because a hold cannot wait days for a bank debit. */
const CARD_ONLY = { payment_method_types: ['card'] };

/** Ten pages. */
const MAX_LISTED = 1_000;

function toCheckoutStatus(session: Stripe.Checkout.Session): CheckoutStatus {
  if (session.status === 'open') return { kind: 'open' };
  if (session.status === 'expired') return { kind: 'closed' };
  if (session.payment_status === 'unpaid') return { kind: 'processing' };
  return { kind: 'paid', paymentIntentId: referenceId(session.payment_intent)! };
}

/**
 * Creates a session, without the payer's address if Stripe does not accept it. Stripe saves no response to a
 * request whose parameters it refuses, so the key can be used again.
 */
async function unlessAddressRefused<T>(
  params: Stripe.Checkout.SessionCreateParams,
  create: (params: Stripe.Checkout.SessionCreateParams) => Promise<T>,
): Promise<T> {
  try {
    return await create(params);
  } catch (error) {
    const isAboutAddress =
      error instanceof Stripe.errors.StripeInvalidRequestError &&
      (error.param === 'customer_email' || error.code === 'email_invalid');
    if (!isAboutAddress || params.customer_email === undefined) throw error;
    const { customer_email: _, ...rest } = params;
    return create(rest);
  }
}

/** Hosted checkouts and their payments (docs/rules/bookings.md#checkout). */
export function checkoutCalls(
  stripe: Stripe,
  publicUrl: string,
  suffixes: KeySuffixes,
): Pick<
  Processor,
  'openCheckout' | 'lookUpCheckout' | 'listOpenCheckouts' | 'closeCheckout' | 'lookUpIntent'
> {
  return {
    async openCheckout(request) {
      const { account_id, booking_id, invoice_id, change_id, lost } = request;
      const { key, metadata, facts } = toPurpose(request, 'checkout');
      const isBooking = booking_id !== null && !change_id;
      const success = (sessionId: string): string => `${publicUrl}/checkout/success?session_id=${sessionId}`;
      const secret = request.return_secret ? `&secret=${request.return_secret}` : '';
      const params: Stripe.Checkout.SessionCreateParams = {
        mode: 'payment',
        ...CARD_ONLY,
        customer_creation: 'always',
        ...(request.payer_email && { customer_email: request.payer_email }),
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
        // A change can increase the price of a booking. Nothing else is charged again.
        payment_intent_data: {
          metadata,
          description: request.description,
          ...(isBooking && { setup_future_usage: 'off_session' }),
        },
        expires_at: Math.floor(request.session_expires_at.getTime() / 1000),
        success_url: success('{CHECKOUT_SESSION_ID}') + secret,
        cancel_url: `${publicUrl}/checkout/left?checkout_id=${request.id}`,
      };
      // Stripe cannot filter by metadata, so this reads all sessions of that time. A session that is unpaid
      // and can no longer be paid does not count.
      const find = (created: ReturnType<typeof createdFor>) =>
        first(
          stripe.checkout.sessions.list(created, on(account_id)),
          (session) => facts.some((each) => has(session, each)) && session.status !== 'expired',
        );
      const existing = lost && (await find(createdSince(lost.from, lost.until)));
      const session =
        existing ??
        (await createUnlessFound(suffixes, {
          key,
          create: (idempotencyKey) =>
            unlessAddressRefused(params, (accepted) =>
              stripe.checkout.sessions.create(accepted, { ...on(account_id), idempotencyKey }),
            ),
          find: () => find(createdFor(request)),
        }));
      // Callers and receivers of events see this URL, so it contains no secret.
      return { id: session.id, url: session.url ?? success(session.id) };
    },

    async lookUpCheckout(accountId, sessionId) {
      return toCheckoutStatus(await stripe.checkout.sessions.retrieve(sessionId, {}, on(accountId)));
    },

    async listOpenCheckouts(accountId, since) {
      const open: string[] = [];
      const list = stripe.checkout.sessions.list({ ...createdSince(since), status: 'open' }, on(accountId));
      for await (const { id } of list) if (open.push(id) >= MAX_LISTED) break;
      return open;
    },

    async closeCheckout(accountId, sessionId) {
      const now = toCheckoutStatus(await stripe.checkout.sessions.retrieve(sessionId, {}, on(accountId)));
      if (now.kind !== 'open') return now;
      try {
        return toCheckoutStatus(await stripe.checkout.sessions.expire(sessionId, {}, on(accountId)));
      } catch (error) {
        // Paid between the two calls: Stripe refuses to expire a session that is not open. Return its state.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        return toCheckoutStatus(await stripe.checkout.sessions.retrieve(sessionId, {}, on(accountId)));
      }
    },

    async lookUpIntent(accountId, paymentIntentId) {
      let intent: Stripe.PaymentIntent;
      try {
        intent = await stripe.paymentIntents.retrieve(
          paymentIntentId,
          { expand: ['latest_charge'] },
          on(accountId),
        );
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null;
        throw error;
      }
      const { change_id = null } = intent.metadata;
      const money = intent.status === 'succeeded' ? toReceivedPayment(intent, accountId) : null;
      const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
      const refunded_minor = fromProcessorAmount(charge?.amount_refunded ?? 0, intent.currency);
      const disputed = charge?.disputed ?? false;
      const owner_id = readOwnerId(intent.metadata);
      const attempt = readInvoiceAttempt(intent.metadata);
      const customer_id = referenceId(intent.customer);
      const payment_method_id = referenceId(intent.payment_method);
      const card = customer_id && payment_method_id ? { customer_id, payment_method_id } : null;
      const change_attempt = readChangeAttempt(intent.metadata);
      return { owner_id, attempt, change_id, change_attempt, money, card, refunded_minor, disputed };
    },
  };
}
