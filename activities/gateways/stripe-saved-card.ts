import Stripe from 'stripe';
import { toProcessorAmount } from '../../domain/processor/amounts.js';
import type { CardCharge, ChargePurpose, ChargeResult, Processor } from './processor.js';
import { createdFor, createdSince, first, has, toReceivedPayment, on } from './stripe-objects.js';
import { createUnlessFound, KEY_VALID_MS, type KeySuffixes } from './stripe-once.js';
import { toPurpose } from './stripe-purpose.js';

const isFinal = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || status === 'canceled';

type OnAccount = Pick<ChargePurpose, 'account_id'>;

function toChargeResult({ account_id }: OnAccount, intent: Stripe.PaymentIntent): ChargeResult {
  if (intent.status === 'succeeded') return { kind: 'paid', money: toReceivedPayment(intent, account_id) };
  if (intent.status !== 'canceled') return { kind: 'pending' };
  const { code, decline_code } = intent.last_payment_error ?? {};
  return { kind: 'refused', reason: decline_code ?? code ?? intent.status, payment_intent_id: intent.id };
}

/** Charges of cards on file, without their payers (docs/rules/billing.md#cards-on-file). */
export function savedCardCalls(
  stripe: Stripe,
  suffixes: KeySuffixes,
): Pick<Processor, 'charge' | 'endCharge'> {
  /**
   * Charges a card off-session. A decline and a request for authentication count as refusals once the intent
   * is cancelled, so that it cannot be paid later. An intent that is processing (Indian mandates are for a
   * day), or that cannot be cancelled, is pending.
   */
  async function charge(charge: CardCharge): Promise<ChargeResult> {
    const { customer_id: customer, payment_method_id: payment_method, lost } = charge;
    const { key, metadata } = toPurpose(charge, 'charge');
    const isKeyKept = Date.now() - charge.created_at.getTime() < KEY_VALID_MS;
    const existing =
      (lost && (await findIntent(charge, createdSince(lost.from, lost.until)))) ??
      (isKeyKept ? null : await findIntent(charge));
    if (existing) return conclude(charge, existing);
    const params: Stripe.PaymentIntentCreateParams = {
      amount: toProcessorAmount(charge),
      currency: charge.currency.toLowerCase(),
      customer,
      payment_method,
      allowed_payment_method_types: ['card'],
      off_session: true,
      confirm: true,
      metadata,
      ...(charge.description && { description: charge.description }),
      expand: ['latest_charge'],
    };
    try {
      const intent = await createUnlessFound(suffixes, {
        key,
        create: (idempotencyKey) =>
          stripe.paymentIntents.create(params, { ...on(charge.account_id), idempotencyKey }),
        find: () => findIntent(charge),
      });
      return await conclude(charge, intent);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
      const reason = error.decline_code ?? error.code ?? 'declined';
      if (!error.payment_intent) return { kind: 'refused', reason };
      const result = await conclude(charge, error.payment_intent);
      return result.kind === 'refused' ? { ...result, reason } : result;
    }
  }

  /**
   * Finds the intent that was created for the purpose of a charge. Its payer may have had another card then,
   * so all intents of that time are read.
   */
  function findIntent(
    purpose: ChargePurpose,
    created = createdFor(purpose),
  ): Promise<Stripe.PaymentIntent | null> {
    const params = { ...created, expand: ['data.latest_charge'] };
    const { facts } = toPurpose(purpose, 'charge');
    const intents = stripe.paymentIntents.list(params, on(purpose.account_id));
    // If the money was returned, it is not for this purpose: it was for another change, which is lost.
    const isKept = ({ metadata, latest_charge: charge }: Stripe.PaymentIntent): boolean =>
      metadata.change_id === (purpose.change_id ?? undefined) ||
      !(typeof charge === 'object' && charge?.amount_refunded);
    return first(intents, (intent) => facts.some((each) => has(intent, each)) && isKept(intent));
  }

  /**
   * Returns the result of an intent. An intent that waits for the payer is cancelled. A response can be a
   * saved one, so an intent that has not ended in it is read again.
   */
  async function conclude(charge: OnAccount, intent: Stripe.PaymentIntent): Promise<ChargeResult> {
    const current = isFinal(intent) ? intent : await read(charge, intent.id);
    if (isFinal(current) || current.status === 'processing') return toChargeResult(charge, current);
    const result = await cancel(charge, current.id);
    const asksPayer = current.status === 'requires_action' && result.kind === 'refused';
    return asksPayer ? { ...result, reason: 'authentication_required' } : result;
  }

  async function cancel(charge: OnAccount, intentId: string): Promise<ChargeResult> {
    try {
      return toChargeResult(charge, await stripe.paymentIntents.cancel(intentId, {}, on(charge.account_id)));
    } catch (error) {
      // Its status has changed in between, or Stripe does not allow cancelling it.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return toChargeResult(charge, await read(charge, intentId));
    }
  }

  const read = ({ account_id }: OnAccount, intentId: string): Promise<Stripe.PaymentIntent> =>
    stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] }, on(account_id));

  return {
    charge,

    /** Cancels even an intent that is processing, which Stripe allows in rare cases. */
    async endCharge(purpose) {
      const intent = await findIntent(purpose);
      if (!intent) return { kind: 'refused', reason: 'not_charged' };
      return isFinal(intent) ? toChargeResult(purpose, intent) : cancel(purpose, intent.id);
    },
  };
}
