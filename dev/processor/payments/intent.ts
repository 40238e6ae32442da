import type Stripe from 'stripe';
import { emit } from '../events.js';
import { invalidRequest, StripeError, unexpectedState } from '../http/errors.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Decline, IntentData, Stored, StoredPaymentMethod, Origin } from '../state/records.js';
import { createCharge, patchCharge, succeedCharge, type Outcome } from './charge.js';
import { openDispute } from './dispute.js';
import { nulls } from '../names.js';

/** The fields of a new intent. */
export interface NewIntent extends IntentData {
  amount: number;
  currency: string;
  customer: string | null;
  payment_method: string | null;
  payment_method_types: string[];
}

type StoredIntent = Stored<Stripe.PaymentIntent>;

type Given<T> = { [K in keyof T]?: Exclude<T[K], null> };

/** The intent fields that the session's request also has. */
export const intentData = (given: Given<IntentData> = {}): IntentData => ({
  description: given.description ?? null,
  metadata: given.metadata ?? {},
  receipt_email: given.receipt_email ?? null,
  setup_future_usage: given.setup_future_usage ?? null,
  statement_descriptor: given.statement_descriptor ?? null,
  statement_descriptor_suffix: given.statement_descriptor_suffix ?? null,
  transfer_group: given.transfer_group ?? null,
});

/** Creates an unconfirmed intent. */
export function createIntent({ store }: Simulator, fields: NewIntent, origin: Origin): StoredIntent {
  const id = newId('pi');
  const object: Stripe.PaymentIntent = {
    ...nulls(`
      allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at
      cancellation_reason customer_account excluded_payment_method_types last_payment_error latest_charge
      managed_payments next_action on_behalf_of payment_method_configuration_details payment_record processing
      review shipping source transfer_data
    `),
    ...fields,
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newId('x').slice(2)}`,
    confirmation_method: 'automatic',
    created: unixNow(),
    livemode: false,
    payment_method_options: {},
    status: fields.payment_method ? 'requires_confirmation' : 'requires_payment_method',
  };
  return store.add(store.payment_intents, object, origin);
}

/** Charges an intent and updates it with the outcome. */
export function chargeIntent(
  sim: Simulator,
  intent: StoredIntent,
  method: StoredPaymentMethod,
  outcome: Outcome,
  origin: Origin,
): { intent: StoredIntent; charge: Stripe.Charge } {
  const charge = createCharge(sim, intent, method.object, outcome, origin);
  const common = { latest_charge: charge.id, payment_method: method.object.id };
  if (typeof outcome === 'object') {
    const error = paymentError(outcome, charge, method.object);
    const changes = {
      ...common,
      payment_method: null,
      status: 'requires_payment_method',
      last_payment_error: error,
    };
    const declined = patchIntent(sim, intent, changes as Partial<Stripe.PaymentIntent>);
    emitFailure(sim, charge, declined, origin);
    return { intent: declined, charge };
  }
  const paid = outcome === 'succeeded';
  const changes: Partial<Stripe.PaymentIntent> = {
    ...common,
    amount_received: paid ? intent.object.amount : 0,
    last_payment_error: null,
    status: paid ? 'succeeded' : 'processing',
  };
  const charged = patchIntent(sim, intent, changes);
  const { dispute } = method.behaviour;
  if (paid && dispute)
    openDispute(sim, sim.store.require(sim.store.charges, charge.id, origin.account, 'charge'), dispute);
  return { intent: charged, charge };
}

/** The events of a charge that failed. */
function emitFailure(
  { store }: Simulator,
  charge: Stripe.Charge,
  intent: StoredIntent,
  origin: Origin,
): void {
  emit(store, 'charge.failed', charge, origin);
  emit(store, 'payment_intent.payment_failed', intent.object, origin);
}

/** Ends an intent that is being processed, as a success or a failure. */
export function settleIntent(sim: Simulator, intent: StoredIntent, succeeds: boolean): StoredIntent {
  const { account, object } = intent;
  if (object.status !== 'processing') throw invalidRequest('This PaymentIntent is not being processed.');
  const { object: charge } = sim.store.require(
    sim.store.charges,
    String(object.latest_charge),
    account,
    'charge',
  );
  if (succeeds) {
    succeedCharge(sim, charge, { account });
    return patchIntent(sim, intent, { amount_received: object.amount, status: 'succeeded' });
  }
  const failure_message = 'The payment was returned unpaid.';
  const failed = patchCharge(sim, charge.id, account, {
    failure_code: 'insufficient_funds',
    failure_message,
    status: 'failed',
  });
  const method = sim.store.require(
    sim.store.payment_methods,
    String(charge.payment_method),
    account,
    'payment_method',
  );
  const decline = { code: 'card_declined', decline_code: 'insufficient_funds', message: failure_message };
  const changes = {
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: paymentError(decline, failed.object, method.object),
  };
  const unpaid = patchIntent(sim, intent, changes as Partial<Stripe.PaymentIntent>);
  emitFailure(sim, failed.object, unpaid, { account });
  return unpaid;
}

/** Changes fields of an intent. */
function patchIntent({ store }: Simulator, intent: StoredIntent, changes: Partial<Stripe.PaymentIntent>) {
  return store.patch(store.payment_intents, intent, changes);
}

/** Cancels an intent that has not ended. */
export function cancelIntent(
  sim: Simulator,
  intent: StoredIntent,
  reason: Stripe.PaymentIntent['cancellation_reason'] | null,
): StoredIntent {
  const cancellable = [
    'requires_payment_method',
    'requires_capture',
    'requires_confirmation',
    'requires_action',
  ];
  if (!cancellable.includes(intent.object.status)) {
    throw unexpectedState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.object.status}. Only a ` +
        `PaymentIntent with one of the following statuses may be canceled: ${cancellable.join(', ')}.`,
      intent.object,
    );
  }
  return patchIntent(sim, intent, {
    status: 'canceled',
    canceled_at: unixNow(),
    cancellation_reason: reason,
  });
}

/** The 402 response for a declined card. */
export function cardError(
  decline: Decline,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): StripeError {
  return new StripeError(402, 'card_error', decline.message, {
    charge: charge.id,
    code: decline.code,
    ...(decline.decline_code && { decline_code: decline.decline_code }),
    payment_intent: intent,
    payment_method: intent.last_payment_error?.payment_method,
  });
}

function paymentError(
  { code, decline_code, message }: Decline,
  charge: Stripe.Charge,
  method: Stripe.PaymentMethod,
) {
  return {
    charge: charge.id,
    code,
    ...(decline_code && { decline_code }),
    doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`,
    message,
    payment_method: method,
    type: 'card_error',
  };
}
