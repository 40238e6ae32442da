import Stripe from 'stripe';
import { readRefundMetadata } from '../../domain/payments/money-facts.js';
import { fromProcessorAmount, toProcessorAmount } from '../../domain/processor/amounts.js';
import type { RefundCalls, RefundRequest, RefundStatus } from './processor-refunds.js';
import { has, on } from './stripe-objects.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';
import { refundPurpose } from './stripe-purpose.js';

function refundStatus(refund: Stripe.Refund): RefundStatus {
  const { id, status } = refund;
  if (status === 'succeeded') return { refund_id: id, status };
  const failed = status === 'failed' || status === 'canceled';
  const lacks_balance = failed && refund.failure_reason === 'insufficient_funds';
  if (failed) return { refund_id: id, status: 'failed', ...(lacks_balance && { lacks_balance }) };
  const awaits_balance = refund.pending_reason === 'insufficient_funds';
  return { refund_id: id, status: 'pending', ...(awaits_balance && { awaits_balance }) };
}

/** True for a refund that is refused immediately because the account's balance is too low. */
const lacksBalance = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  ['balance_insufficient', 'insufficient_funds'].includes(error.code ?? '');

/** Refunds, and the balance from which they are paid (docs/rules/billing.md#refunds). */
export function refundCalls(stripe: Stripe, suffixes: KeySuffixes): RefundCalls {
  /** A payment never has more refunds than fit on one page. */
  async function listRefunds(accountId: string, paymentIntentId: string): Promise<Stripe.Refund[]> {
    const page = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 }, on(accountId));
    return page.data;
  }

  /**
   * Finds the refund that was created for the same purpose as a refund of ours, for its row or for one that
   * is now lost.
   */
  async function refundFor(refund: RefundRequest): Promise<Stripe.Refund | null> {
    const refunds = await listRefunds(refund.account_id, refund.payment_intent_id);
    const { facts } = refundPurpose(refund);
    // A refund that failed for lack of balance is created again.
    const isFor = (each: Stripe.Refund) => facts.some((wanted) => has(each, wanted));
    return refunds.find((each) => isFor(each) && !refundStatus(each).lacks_balance) ?? null;
  }

  return {
    async submitRefund(refund) {
      const { account_id, payment_intent_id } = refund;
      const { key, metadata } = refundPurpose(refund);
      const params = { payment_intent: payment_intent_id, amount: toProcessorAmount(refund), metadata };
      try {
        const created = await createUnlessFound(suffixes, {
          key,
          create: (idempotencyKey) => stripe.refunds.create(params, { ...on(account_id), idempotencyKey }),
          find: () => refundFor(refund),
        });
        return refundStatus(created);
      } catch (error) {
        if (!lacksBalance(error)) throw error;
        return { refund_id: null, status: 'failed', lacks_balance: true };
      }
    },

    async lookUpRefund(accountId, refundId) {
      const refund = await stripe.refunds.retrieve(refundId, {}, on(accountId));
      return { ...refundStatus(refund), made_at: refund.created * 1_000 };
    },

    async findRefund(request) {
      const refund = await refundFor(request);
      return refund ? refundStatus(refund) : null;
    },

    async listRefunds(accountId, paymentIntentId) {
      const refunds = await listRefunds(accountId, paymentIntentId);
      return refunds.map((refund) => ({
        refund_id: refund.id,
        amount_minor: fromProcessorAmount(refund.amount, refund.currency),
        ...readRefundMetadata(refund.metadata ?? {}),
        status: refundStatus(refund).status,
      }));
    },

    async availableBalance(accountId, currency) {
      const { available } = await stripe.balance.retrieve({}, on(accountId));
      const own = available.find((each) => each.currency === currency.toLowerCase());
      return own ? fromProcessorAmount(own.amount, currency) : null;
    },
  };
}
