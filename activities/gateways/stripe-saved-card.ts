import Stripe from 'stripe';
import type { ReceivedPayment } from '../../commands/billing/payments.js';
import { HOUR_MS } from '../../domain/durations.js';
import { fromProcessorAmount, toProcessorAmount } from '../../domain/processor-amounts.js';
import { createdSince, firstWith } from './stripe-lists.js';
import { createUnlessFound, type KeySuffixes } from './stripe-once.js';
import type { CardCharge, ChargeResult, SavedCardCharge } from './processor.js';
import { idOf } from './stripe-references.js';

/** Stripe keeps idempotency keys for 24 h. With a margin, a call may be repeated under its key for this long. */
const KEY_VALID_MS = 20 * HOUR_MS;

/** A charge that may exist, and the metadata by which it is found. */
interface KnownCharge {
  account_id: string;
  /** When our row was created, if known. */
  created_at?: Date;
  metadata: Record<string, string>;
}

/** A charge of a card on file. */
interface OffSessionCharge extends KnownCharge {
  idempotency_key: string;
  created_at: Date;
  customer: string;
  payment_method: string;
  amount_minor: number;
  currency: string;
}

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

/** Charges the card of a first payment. */
export async function chargeSavedCard(
  stripe: Stripe,
  suffixes: KeySuffixes,
  charge: SavedCardCharge,
): Promise<ChargeResult> {
  const on: Stripe.RequestOptions = { stripeAccount: charge.account_id };
  const first = await stripe.paymentIntents.retrieve(charge.payment_intent_id, {}, on);
  const customer = idOf(first.customer);
  const payment_method = idOf(first.payment_method);
  if (!customer || !payment_method) return { kind: 'refused', reason: 'no_card_on_file' };
  const { change_id, booking_id } = charge;
  const metadata = { booking_id, change_id };
  const idempotency_key = `${change_id}:charge`;
  return chargeOffSession(stripe, suffixes, {
    ...charge,
    idempotency_key,
    customer,
    payment_method,
    metadata,
  });
}

/** Charges a payer's card on file for an invoice. */
export function chargeCard(stripe: Stripe, suffixes: KeySuffixes, charge: CardCharge): Promise<ChargeResult> {
  return chargeOffSession(stripe, suffixes, {
    ...charge,
    idempotency_key: `${charge.id}:charge`,
    customer: charge.customer_id,
    payment_method: charge.payment_method_id,
    metadata: { checkout_id: charge.id, invoice_id: charge.invoice_id },
  });
}

/**
 * Charges a card off-session. A decline and a request for authentication are refusals once the intent is cancelled, so
 * that it can't be paid later. An intent that is processing, as Indian mandates are for a day, or that can't be cancelled
 * is pending.
 */
async function chargeOffSession(
  stripe: Stripe,
  suffixes: KeySuffixes,
  charge: OffSessionCharge,
): Promise<ChargeResult> {
  const { customer, payment_method, metadata } = charge;
  const on: Stripe.RequestOptions = { stripeAccount: charge.account_id };
  const find = () => findIntent(stripe, charge, customer);
  const isKeyKept = Date.now() - charge.created_at.getTime() < KEY_VALID_MS;
  const existing = isKeyKept ? null : await find();
  if (existing) return conclude(stripe, charge, existing);
  const params: Stripe.PaymentIntentCreateParams = {
    amount: toProcessorAmount(charge),
    currency: charge.currency.toLowerCase(),
    customer,
    payment_method,
    allowed_payment_method_types: ['card'],
    off_session: true,
    confirm: true,
    metadata,
    expand: ['latest_charge'],
  };
  try {
    const intent = await createUnlessFound(suffixes, {
      key: charge.idempotency_key,
      create: (idempotencyKey) => stripe.paymentIntents.create(params, { ...on, idempotencyKey }),
      find,
    });
    return await conclude(stripe, charge, intent);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
    const reason = error.decline_code ?? error.code ?? 'declined';
    if (!error.payment_intent) return { kind: 'refused', reason };
    const result = await conclude(stripe, charge, error.payment_intent);
    return result.kind === 'refused' ? { ...result, reason } : result;
  }
}

/** Cancels the intent of a charge, even one that is processing: Stripe allows it in rare cases. */
export async function endSavedCardCharge(
  stripe: Stripe,
  {
    change_id,
    account_id,
    payment_intent_id,
  }: Pick<SavedCardCharge, 'change_id' | 'account_id' | 'payment_intent_id'>,
): Promise<ChargeResult> {
  const charge: KnownCharge = { account_id, metadata: { change_id } };
  const on: Stripe.RequestOptions = { stripeAccount: account_id };
  const first = await stripe.paymentIntents.retrieve(payment_intent_id, {}, on);
  const intent = await findIntent(stripe, charge, idOf(first.customer)!);
  if (!intent) return { kind: 'refused', reason: 'not_charged' };
  if (isFinal(intent)) return resultOf(charge, intent);
  return cancel(stripe, charge, intent.id);
}

/** The intent that was created for our row. A company's card can have hundreds of others, so all pages are read. */
async function findIntent(
  stripe: Stripe,
  { account_id, created_at, metadata }: KnownCharge,
  customer: string,
): Promise<Stripe.PaymentIntent | null> {
  const since = created_at ? createdSince(created_at) : { limit: 100 };
  const params = { customer, ...since, expand: ['data.latest_charge'] };
  return firstWith(stripe.paymentIntents.list(params, { stripeAccount: account_id }), metadata);
}

/**
 * The result of an intent. One that waits for the payer is cancelled. A response can be a saved one, so an intent that
 * has not ended in it is read again.
 */
async function conclude(
  stripe: Stripe,
  charge: KnownCharge,
  intent: Stripe.PaymentIntent,
): Promise<ChargeResult> {
  const current = isFinal(intent) ? intent : await read(stripe, charge, intent.id);
  if (isFinal(current) || current.status === 'processing') return resultOf(charge, current);
  const result = await cancel(stripe, charge, current.id);
  const asksPayer = current.status === 'requires_action' && result.kind === 'refused';
  return asksPayer ? { ...result, reason: 'authentication_required' } : result;
}

async function cancel(stripe: Stripe, charge: KnownCharge, intentId: string): Promise<ChargeResult> {
  try {
    const on: Stripe.RequestOptions = { stripeAccount: charge.account_id };
    return resultOf(charge, await stripe.paymentIntents.cancel(intentId, {}, on));
  } catch (error) {
    // Its status has changed in between, or Stripe does not let it be cancelled.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    return resultOf(charge, await read(stripe, charge, intentId));
  }
}

const read = (stripe: Stripe, { account_id }: KnownCharge, intentId: string): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] }, { stripeAccount: account_id });

const isFinal = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' || status === 'canceled';

function resultOf({ account_id }: KnownCharge, intent: Stripe.PaymentIntent): ChargeResult {
  if (intent.status === 'succeeded') return { kind: 'paid', money: moneyOf(intent, account_id) };
  if (intent.status !== 'canceled') return { kind: 'pending' };
  const { code, decline_code } = intent.last_payment_error ?? {};
  return { kind: 'refused', reason: decline_code ?? code ?? intent.status, payment_intent_id: intent.id };
}
