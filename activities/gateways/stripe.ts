import Stripe from 'stripe';
import { toProcessorAmount } from '../../domain/processor-amounts.js';
import type { CheckoutRequest, CheckoutStatus, Processor, RefundStatus } from './processor.js';
import { call } from './stripe-call.js';
import { closeCardSetup, lookUpCardSetup, openCardSetup } from './stripe-card-setup.js';
import { toDispute } from './stripe-disputes.js';
import { createOnce, type KeySuffixes } from './stripe-once.js';
import { chargeCard, chargeSavedCard, endSavedCardCharge, minorUnits, moneyOf } from './stripe-saved-card.js';
import { createTierSubscription, quoteTierSwap, syncTierSubscription } from './stripe-tiers.js';

export interface StripeOptions {
  secretKey: string;
  /** A URL other than Stripe's own, for development. */
  apiUrl: string | null;
  /** The API's public URL, to which payers return after the checkout. */
  publicUrl: string;
}

/**
 * The newest version of Stripe's API that `stripe-mock` describes: tests check our requests against it. Its sessions
 * accept `payment_method_types`, which the client's own types no longer have.
 */
export const API_VERSION = '2026-08-26.dahlia';
/** Allowed between our clock and Stripe's. */
const CLOCK_DIFFERENCE_MS = 300_000;
const ONE_DAY_SECONDS = 86_400;
/** Cards and wallets only: a hold cannot wait days for a bank debit. */
const CARD_ONLY = { payment_method_types: ['card'] };

/** Stripe's own client without retries: Temporal retries. */
export function createStripeClient({
  secretKey,
  apiUrl,
}: Pick<StripeOptions, 'secretKey' | 'apiUrl'>): Stripe {
  const at = apiUrl ? new URL(apiUrl) : null;
  // The client can't be created without a key. A service that has none still starts; Stripe refuses its calls.
  return new Stripe(secretKey || 'sk_not_set', {
    apiVersion: API_VERSION as never,
    maxNetworkRetries: 0,
    timeout: 5_000,
    telemetry: false,
    ...(at && { host: at.hostname, port: at.port, protocol: at.protocol === 'https:' ? 'https' : 'http' }),
  });
}

function statusOf(session: Stripe.Checkout.Session): CheckoutStatus {
  if (session.status === 'open') return { kind: 'open' };
  if (session.status === 'expired') return { kind: 'closed' };
  if (session.payment_status === 'unpaid') return { kind: 'processing' };
  return { kind: 'paid', paymentIntentId: idOf(session.payment_intent)! };
}

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The booking or checkout in our metadata, which Stripe copies from the intent to its charges. */
const ownerOf = ({ booking_id, checkout_id }: Stripe.Metadata): string | null =>
  booking_id ?? checkout_id ?? null;

/** The first object of a list that carries this metadata. Reads as many pages as it needs. */
async function firstWith<T extends { metadata?: Stripe.Metadata | null }>(
  list: AsyncIterable<T>,
  metadata: Record<string, string>,
): Promise<T | null> {
  const wanted = Object.entries(metadata);
  for await (const object of list)
    if (wanted.every(([name, value]) => object.metadata?.[name] === value)) return object;
  return null;
}

function refundStatus(refund: Stripe.Refund): RefundStatus {
  const { id, status } = refund;
  if (status === 'succeeded') return { refund_id: id, status };
  const failed = status === 'failed' || status === 'canceled';
  const lacks_balance = failed && refund.failure_reason === 'insufficient_funds';
  return {
    refund_id: id,
    status: failed ? 'failed' : 'pending',
    ...(lacks_balance && { lacks_balance }),
  };
}

/** True for a refund that is refused at once because the account has too little balance. */
const lacksBalance = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  ['balance_insufficient', 'insufficient_funds'].includes(error.code ?? '');

/** Stripe with direct charges on connected accounts (docs/rules/bookings.md#checkout). */
export function createStripeProcessor(stripe: Stripe, publicUrl: string, suffixes: KeySuffixes): Processor {
  const on = (stripeAccount: string): Stripe.RequestOptions => ({ stripeAccount });

  /** A payment never has more refunds than fit on one page. */
  async function refundsOf(accountId: string, paymentIntentId: string): Promise<Stripe.Refund[]> {
    const page = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 }, on(accountId));
    return page.data;
  }

  /** The refund that was created for our row. */
  async function refundFor(accountId: string, intentId: string, id: string): Promise<Stripe.Refund | null> {
    const refunds = await refundsOf(accountId, intentId);
    const isOurs = (refund: Stripe.Refund) => refund.metadata?.refund_id === id;
    // One that failed for lack of balance is created again.
    return refunds.find((refund) => isOurs(refund) && !refundStatus(refund).lacks_balance) ?? null;
  }

  /** The session that was created for our row. Stripe can't filter by metadata, so this reads those created since. */
  async function findSession(
    { account_id, created_at }: CheckoutRequest,
    metadata: Record<string, string>,
  ): Promise<Stripe.Checkout.Session | null> {
    const gte = Math.floor((created_at.getTime() - CLOCK_DIFFERENCE_MS) / 1000);
    const sessions = stripe.checkout.sessions.list({ created: { gte }, limit: 100 }, on(account_id));
    return firstWith(sessions, metadata);
  }

  /** The account that was created for a workspace in the last day. */
  function findAccount(metadata: Record<string, string>): Promise<Stripe.Account | null> {
    const gte = Math.floor(Date.now() / 1000) - ONE_DAY_SECONDS;
    return firstWith(stripe.accounts.list({ created: { gte }, limit: 100 }), metadata);
  }

  return {
    openCheckout(request) {
      const { booking_id, invoice_id } = request;
      const metadata: Record<string, string> = booking_id
        ? { booking_id }
        : { checkout_id: request.id, invoice_id: invoice_id! };
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
        payment_intent_data: { metadata, ...(booking_id && { setup_future_usage: 'off_session' }) },
        expires_at: Math.floor(request.session_expires_at.getTime() / 1000),
        success_url: `${publicUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${publicUrl}/checkout/left?${booking_id ? `booking_id=${booking_id}` : `checkout_id=${request.id}`}`,
      };
      return call(async () => {
        const session = await createOnce(suffixes, {
          key: `${request.id}:open`,
          create: (idempotencyKey) =>
            stripe.checkout.sessions.create(params, { ...on(request.account_id), idempotencyKey }),
          find: () => findSession(request, metadata),
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

    chargeSavedCard(charge) {
      return call(() => chargeSavedCard(stripe, suffixes, charge));
    },

    endSavedCardCharge(charge) {
      return call(() => endSavedCardCharge(stripe, charge));
    },

    chargeCard(charge) {
      return call(() => chargeCard(stripe, suffixes, charge));
    },

    openCardSetup(request) {
      return call(() => openCardSetup(stripe, suffixes, publicUrl, request));
    },

    lookUpCardSetup(accountId, sessionId) {
      return call(() => lookUpCardSetup(stripe, accountId, sessionId));
    },

    closeCardSetup(accountId, sessionId) {
      return call(() => closeCardSetup(stripe, accountId, sessionId));
    },

    createRefund(refund) {
      const { id, account_id, payment_intent_id, attempt } = refund;
      const amount = toProcessorAmount(refund);
      const params = { payment_intent: payment_intent_id, amount, metadata: { refund_id: id } };
      return call(async () => {
        try {
          const created = await createOnce(suffixes, {
            key: attempt === 0 ? `${id}:refund` : `${id}:refund-${attempt + 1}`,
            create: (idempotencyKey) => stripe.refunds.create(params, { ...on(account_id), idempotencyKey }),
            find: () => refundFor(account_id, payment_intent_id, id),
          });
          return refundStatus(created);
        } catch (error) {
          if (!lacksBalance(error)) throw error;
          return { refund_id: null, status: 'failed', lacks_balance: true };
        }
      });
    },

    lookUpRefund(accountId, refundId) {
      return call(async () => refundStatus(await stripe.refunds.retrieve(refundId, {}, on(accountId))));
    },

    findRefund(accountId, paymentIntentId, id) {
      return call(async () => {
        const refund = await refundFor(accountId, paymentIntentId, id);
        return refund ? refundStatus(refund) : null;
      });
    },

    listRefunds(accountId, paymentIntentId) {
      return call(async () => {
        const refunds = await refundsOf(accountId, paymentIntentId);
        return refunds.map((refund) => ({
          refund_id: refund.id,
          amount_minor: minorUnits(refund.amount, refund.currency),
          created_for: refund.metadata?.refund_id ?? null,
          status: refundStatus(refund).status,
        }));
      });
    },

    listDisputes(accountId, paymentIntentId) {
      return call(async () => {
        const page = { payment_intent: paymentIntentId, limit: 100 };
        const { data } = await stripe.disputes.list(page, on(accountId));
        return data.map(toDispute).filter((dispute) => dispute !== null);
      });
    },

    listDisputesSince(accountId, since, after) {
      return call(async () => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const page = { created, limit: 100, ...(after && { starting_after: after }) };
        const { data, has_more } = await stripe.disputes.list(page, on(accountId));
        const disputes = data.map(toDispute).filter((dispute) => dispute !== null);
        return { disputes, last: has_more ? data.at(-1)!.id : null };
      });
    },

    lookUpAccount(accountId) {
      return call(async () => {
        const { charges_enabled } = await stripe.accounts.retrieve(accountId);
        return { charges_enabled: charges_enabled ?? false };
      });
    },

    createTierSubscription(tiers, generation) {
      return call(() => createTierSubscription(stripe, tiers, generation));
    },

    quoteTierSwap(known, swap) {
      return call(() => quoteTierSwap(stripe, known, swap));
    },

    syncTierSubscription(known, tiers) {
      return call(() => syncTierSubscription(stripe, known, tiers));
    },

    listCharges(accountId, since, after) {
      return call(async () => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const page = { created, limit: 100, ...(after && { starting_after: after }) };
        const { data, has_more } = await stripe.charges.list(page, { stripeAccount: accountId });
        const charges = data
          .filter(({ status }) => status === 'succeeded')
          .map((charge) => ({
            charge_id: charge.id,
            payment_intent_id: idOf(charge.payment_intent),
            amount_minor: minorUnits(charge.amount, charge.currency),
            refunded_minor: minorUnits(charge.amount_refunded, charge.currency),
            currency: charge.currency.toUpperCase(),
            owner_id: ownerOf(charge.metadata),
            created_at: new Date(charge.created * 1000),
          }));
        return { charges, last: has_more ? data.at(-1)!.id : null };
      });
    },

    createAccount({ workspace_id, instead_of }) {
      const metadata = { workspace_id, ...(instead_of && { instead_of }) };
      return call(() =>
        createOnce(suffixes, {
          key: [workspace_id, 'account', instead_of].filter(Boolean).join(':'),
          create: (idempotencyKey) =>
            stripe.accounts.create({ type: 'standard', metadata }, { idempotencyKey }),
          find: () => findAccount(metadata),
        }),
      );
    },

    createAccountLink(link) {
      return call(() =>
        stripe.accountLinks.create({
          account: link.account_id,
          return_url: link.return_url,
          refresh_url: link.refresh_url,
          type: 'account_onboarding',
        }),
      );
    },
  };
}
