import Stripe from 'stripe';
import type { CardSetupRequest, CardSetupStatus } from './processor.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';
import { idOf } from './stripe-references.js';

/** Allowed between our clock and Stripe's. */
const CLOCK_DIFFERENCE_MS = 300_000;

/** Opens the hosted page on which a payer saves a card for charges without them. */
export async function openCardSetup(
  stripe: Stripe,
  suffixes: KeySuffixes,
  publicUrl: string,
  { id, account_id, session_expires_at, created_at }: CardSetupRequest,
): Promise<{ id: string; url: string }> {
  const on: Stripe.RequestOptions = { stripeAccount: account_id };
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
    create: (idempotencyKey) => stripe.checkout.sessions.create(params, { ...on, idempotencyKey }),
    find: async () => {
      const gte = Math.floor((created_at.getTime() - CLOCK_DIFFERENCE_MS) / 1000);
      const sessions = stripe.checkout.sessions.list({ created: { gte }, limit: 100 }, on);
      for await (const session of sessions) if (session.metadata?.card_setup_id === id) return session;
      return null;
    },
  });
  return { id: session.id, url: session.url! };
}

/** The state of the page, with the card that was saved on it. */
export async function lookUpCardSetup(
  stripe: Stripe,
  accountId: string,
  sessionId: string,
): Promise<CardSetupStatus> {
  const session = await stripe.checkout.sessions.retrieve(
    sessionId,
    { expand: ['setup_intent.payment_method'] },
    { stripeAccount: accountId },
  );
  if (session.status === 'open') return { kind: 'open' };
  const intent = typeof session.setup_intent === 'object' ? session.setup_intent : null;
  const method = typeof intent?.payment_method === 'object' ? intent.payment_method : null;
  const customer_id = idOf(intent?.customer ?? null);
  if (intent?.status !== 'succeeded' || !method?.card || !customer_id) return { kind: 'closed' };
  const { brand, last4, exp_month, exp_year } = method.card;
  const card = { customer_id, payment_method_id: method.id, brand, last4, exp_month, exp_year };
  return { kind: 'saved', card };
}

/** Closes the page, unless a card has been saved on it. */
export async function closeCardSetup(
  stripe: Stripe,
  accountId: string,
  sessionId: string,
): Promise<CardSetupStatus> {
  const current = await lookUpCardSetup(stripe, accountId, sessionId);
  if (current.kind !== 'open') return current;
  try {
    await stripe.checkout.sessions.expire(sessionId, {}, { stripeAccount: accountId });
  } catch (error) {
    // It has been completed meanwhile.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
  return lookUpCardSetup(stripe, accountId, sessionId);
}

/** Detaches a saved card. Stripe refuses to detach one twice; what counts is that it belongs to no customer. */
export async function detachCard(stripe: Stripe, accountId: string, paymentMethodId: string): Promise<void> {
  const on: Stripe.RequestOptions = { stripeAccount: accountId };
  try {
    await stripe.paymentMethods.detach(paymentMethodId, {}, on);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    if (isMissing(error) || !(await isAttached(stripe, paymentMethodId, on))) return;
    throw error;
  }
}

const isMissing = (error: Stripe.errors.StripeError): boolean => error.code === 'resource_missing';

async function isAttached(stripe: Stripe, id: string, on: Stripe.RequestOptions): Promise<boolean> {
  try {
    return (await stripe.paymentMethods.retrieve(id, {}, on)).customer !== null;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && isMissing(error)) return false;
    throw error;
  }
}
