import Stripe from 'stripe';
import type { CardSetupCalls, CardSetupStatus } from './processor-card-setup.js';
import { createdSince, firstWith, referenceId, on } from './stripe-objects.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';

const isMissing = (error: Stripe.errors.StripeError): boolean => error.code === 'resource_missing';

/**
 * Hosted pages on which payers save cards, to be charged later without the payer
 * (docs/rules/billing.md#cards-on-file).
 */
export function cardSetupCalls(stripe: Stripe, publicUrl: string, suffixes: KeySuffixes): CardSetupCalls {
  /** Returns the state of the page, with the card that was saved on it. */
  async function lookUp(accountId: string, sessionId: string): Promise<CardSetupStatus> {
    const session = await stripe.checkout.sessions.retrieve(
      sessionId,
      { expand: ['setup_intent.payment_method'] },
      on(accountId),
    );
    if (session.status === 'open') return { kind: 'open' };
    const intent = typeof session.setup_intent === 'object' ? session.setup_intent : null;
    const method = typeof intent?.payment_method === 'object' ? intent.payment_method : null;
    const customer_id = referenceId(intent?.customer ?? null);
    if (intent?.status !== 'succeeded' || !method?.card || !customer_id) return { kind: 'closed' };
    const { brand, last4, exp_month, exp_year } = method.card;
    const card = { customer_id, payment_method_id: method.id, brand, last4, exp_month, exp_year };
    return { kind: 'saved', card };
  }

  async function isAttached(accountId: string, paymentMethodId: string): Promise<boolean> {
    try {
      return (await stripe.paymentMethods.retrieve(paymentMethodId, {}, on(accountId))).customer !== null;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && isMissing(error)) return false;
      throw error;
    }
  }

  return {
    async openCardSetup({ id, account_id, session_expires_at, created_at }) {
      const metadata = { card_setup_id: id };
      const params: Stripe.Checkout.SessionCreateParams & { payment_method_types: string[] } = {
        mode: 'setup',
        payment_method_types: ['card'],
        customer_creation: 'always',
        client_reference_id: id,
        metadata,
        setup_intent_data: { metadata },
        expires_at: Math.floor(session_expires_at.getTime() / 1000),
        success_url: `${publicUrl}/checkout/card?setup_id=${id}`,
        cancel_url: `${publicUrl}/checkout/card?setup_id=${id}`,
      };
      const session = await createUnlessFound(suffixes, {
        key: `${id}:open`,
        create: (idempotencyKey) =>
          stripe.checkout.sessions.create(params, { ...on(account_id), idempotencyKey }),
        find: () =>
          firstWith(stripe.checkout.sessions.list(createdSince(created_at), on(account_id)), metadata),
      });
      return { id: session.id, url: session.url! };
    },

    lookUpCardSetup: lookUp,

    async closeCardSetup(accountId, sessionId) {
      const current = await lookUp(accountId, sessionId);
      if (current.kind !== 'open') return current;
      try {
        await stripe.checkout.sessions.expire(sessionId, {}, on(accountId));
      } catch (error) {
        // A card was saved in the meantime: Stripe refuses to expire a session that is not open.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      }
      return lookUp(accountId, sessionId);
    },

    /** Stripe refuses to detach a card twice. It is enough that the card belongs to no customer. */
    async detachCard(accountId, paymentMethodId) {
      try {
        await stripe.paymentMethods.detach(paymentMethodId, {}, on(accountId));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        if (isMissing(error) || !(await isAttached(accountId, paymentMethodId))) return;
        throw error;
      }
    },
  };
}
