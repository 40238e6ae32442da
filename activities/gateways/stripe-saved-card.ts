import Stripe from 'stripe';
import type { ReceivedPayment } from '../../db/repositories/billing/payments.js';
import { fromProcessorAmount, toProcessorAmount } from '../../domain/processor-amounts.js';
import type { ChargeResult, SavedCardCharge } from './processor.js';

/** Stripe keeps idempotency keys for 24 h. With a margin, a call may be repeated under its key for this long. */
const KEY_VALID_MS = 20 * 3_600_000;

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** An amount in the processor's units, with its own spelling of the currency, in minor units. */
export const minorUnits = (amount: number, currency: string): number =>
  fromProcessorAmount(amount, currency.toUpperCase());

/** The payment of an intent that has succeeded; `latest_charge` may be expanded. */
export function moneyOf(intent: Stripe.PaymentIntent, accountId: string): ReceivedPayment {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge;
  return {
    payment_intent_id: intent.id,
    account_id: accountId,
    amount_minor: minorUnits(intent.amount_received, intent.currency),
    currency: intent.currency.toUpperCase(),
    method: charge?.payment_method_details?.type ?? 'card',
    paid_at: new Date((charge?.created ?? intent.created) * 1000),
  };
}

/**
 * Charges the card of a first payment off-session. A decline and a request for authentication are refusals; the intent
 * is then cancelled, so that it cannot be paid later.
 */
export async function chargeSavedCard(stripe: Stripe, charge: SavedCardCharge): Promise<ChargeResult> {
  const on: Stripe.RequestOptions = { stripeAccount: charge.account_id };
  const first = await stripe.paymentIntents.retrieve(charge.payment_intent_id, {}, on);
  const customer = idOf(first.customer);
  const payment_method = idOf(first.payment_method);
  if (!customer || !payment_method) return { kind: 'refused', reason: 'no_card_on_file' };

  const made = await findEarlierIntent(stripe, charge, customer);
  if (made) return conclude(stripe, charge, made);
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: toProcessorAmount(charge),
        currency: charge.currency.toLowerCase(),
        customer,
        payment_method,
        allowed_payment_method_types: ['card'],
        off_session: true,
        confirm: true,
        metadata: { booking_id: charge.booking_id, change_id: charge.change_id },
        expand: ['latest_charge'],
      },
      { ...on, idempotencyKey: `${charge.change_id}:charge` },
    );
    return await conclude(stripe, charge, intent);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
    const intent = error.payment_intent;
    if (intent) await cancel(stripe, intent.id, on);
    return { kind: 'refused', reason: error.decline_code ?? error.code ?? 'declined' };
  }
}

/** Before a retry: looks for a charge whose outcome has been unknown for longer than its key is valid. */
async function findEarlierIntent(
  stripe: Stripe,
  charge: SavedCardCharge,
  customer: string,
): Promise<Stripe.PaymentIntent | null> {
  if (Date.now() - charge.created_at.getTime() < KEY_VALID_MS) return null;
  const made = await stripe.paymentIntents.list(
    { customer, limit: 100, expand: ['data.latest_charge'] },
    { stripeAccount: charge.account_id },
  );
  return made.data.find((intent) => intent.metadata.change_id === charge.change_id) ?? null;
}

async function conclude(
  stripe: Stripe,
  charge: SavedCardCharge,
  intent: Stripe.PaymentIntent,
): Promise<ChargeResult> {
  if (intent.status === 'succeeded') return { kind: 'paid', money: moneyOf(intent, charge.account_id) };
  if (intent.status !== 'canceled') await cancel(stripe, intent.id, { stripeAccount: charge.account_id });
  return { kind: 'refused', reason: intent.last_payment_error?.code ?? intent.status };
}

/** Cancels an intent. Ignores one that is already cancelled or cannot be cancelled. */
async function cancel(stripe: Stripe, intentId: string, on: Stripe.RequestOptions): Promise<void> {
  try {
    await stripe.paymentIntents.cancel(intentId, {}, on);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}
