import type Stripe from 'stripe';
import { emit } from '../events.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Decline, Stored, Origin } from '../state/records.js';
import { createBalanceTransaction } from './balance.js';
import { methodDetails } from './payment-method.js';
import { nulls } from '../names.js';

/** The outcome of a charge. */
export type Outcome = 'succeeded' | 'pending' | Decline;

/** Creates the charge of an intent with its outcome, and emits its events. */
export function createCharge(
  sim: Simulator,
  { object: intent, account }: Stored<Stripe.PaymentIntent>,
  method: Stripe.PaymentMethod,
  outcome: Outcome,
  origin: Origin,
): Stripe.Charge {
  const id = newId('ch');
  const declined = typeof outcome === 'object' ? outcome : null;
  const charge: Stripe.Charge = {
    ...nulls(`
      application application_fee application_fee_amount balance_transaction failure_balance_transaction
      on_behalf_of receipt_number review shipping source source_transfer transfer_data
    `),
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: outcome === 'succeeded' ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.billing_details,
    calculated_statement_descriptor: intent.statement_descriptor ?? 'HOLDFAST TEST',
    captured: outcome === 'succeeded',
    created: unixNow(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: declined?.code ?? null,
    failure_message: declined?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    outcome: chargeOutcome(declined),
    paid: outcome === 'succeeded',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: methodDetails(method),
    receipt_email: intent.receipt_email,
    receipt_url: outcome === 'succeeded' ? `${sim.baseUrl}/receipts/${id}` : null,
    refunded: false,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: declined ? 'failed' : (outcome as 'succeeded' | 'pending'),
    transfer_group: intent.transfer_group,
  };
  sim.store.add(sim.store.charges, charge, { ...origin, account });
  return outcome === 'succeeded' ? succeedCharge(sim, charge, origin) : charge;
}

/** Settles a pending charge. */
export function succeedCharge(sim: Simulator, charge: Stripe.Charge, origin: Origin): Stripe.Charge {
  const { account } = origin;
  const balance = createBalanceTransaction(sim, account, 'charge', charge.id, charge.amount, charge.currency);
  const { object } = patchCharge(sim, charge.id, account, {
    amount_captured: charge.amount,
    balance_transaction: balance.id,
    captured: true,
    paid: true,
    receipt_url: `${sim.baseUrl}/receipts/${charge.id}`,
    status: 'succeeded',
  });
  emit(sim.store, 'charge.succeeded', object, origin);
  return object;
}

/** Changes fields of a charge. */
export function patchCharge(
  { store }: Simulator,
  id: string,
  account: string | null,
  changes: Partial<Stripe.Charge>,
) {
  return store.patch(store.charges, store.require(store.charges, id, account, 'charge'), changes);
}

function chargeOutcome(declined: Decline | null): Stripe.Charge.Outcome {
  return {
    advice_code: declined ? 'try_again_later' : null,
    network_advice_code: null,
    network_decline_code: declined ? '05' : null,
    network_status: declined ? 'declined_by_network' : 'approved_by_network',
    reason: declined ? (declined.decline_code ?? declined.code) : null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message: declined
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: declined ? 'issuer_declined' : 'authorized',
  };
}
