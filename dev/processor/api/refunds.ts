import type Stripe from 'stripe';
import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { flag, integer, metadata, oneOf, text, unsimulated } from '../http/params.js';
import { createRefund, settleRefund } from '../payments/refund.js';
import type { Simulator } from '../simulator.js';
import { resource } from '../http/resource.js';

const CREATE_PARAMS = {
  charge: text(),
  payment_intent: text(),
  amount: integer(1, 99_999_999),
  metadata: metadata(),
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  refund_application_fee: flag(),
  reverse_transfer: flag(),
  ...unsimulated('currency customer instructions_email origin'),
};

const refunds = resource('/v1/refunds', (store) => store.refunds, 'refund');

/** Refunds. */
export const refundEndpoints = [
  endpoint('post', '/v1/refunds', CREATE_PARAMS, (call) => {
    const { sim, params, account, origin } = call;
    const charge = chargeToRefund(sim, params, account);
    return createRefund(sim, { ...params, charge }, origin).object;
  }),

  refunds.list({ charge: text(), payment_intent: text() }),
  refunds.retrieve(),
  refunds.update({ metadata: metadata() }),

  endpoint('post', '/v1/refunds/:id/cancel', {}, (call) => {
    const refund = refunds.find(call);
    if (refund.object.status !== 'requires_action') {
      throw invalidRequest('Only refunds with a status of requires_action can be canceled.');
    }
    return settleRefund(call.sim, refund, 'canceled').object;
  }),
];

/** The charge to refund: the given one, or the one that paid the intent. */
export function chargeToRefund(
  { store }: Simulator,
  { charge, payment_intent }: { charge?: string; payment_intent?: string },
  account: string | null,
): Stripe.Charge {
  if (charge) {
    const found = store.require(store.charges, charge, account, 'charge').object;
    if (!payment_intent || found.payment_intent === payment_intent) return found;
    throw invalidRequest(`Charge ${charge} does not belong to PaymentIntent ${payment_intent}.`, 'charge');
  }
  if (!payment_intent) {
    const message =
      'One of the following params should be provided for this request: payment_intent or charge.';
    throw invalidRequest(message, { code: 'parameter_missing' });
  }
  const intent = store.require(store.payment_intents, payment_intent, account, 'payment_intent').object;
  const latest = store.charges.get(String(intent.latest_charge))?.object;
  if (latest?.status === 'succeeded') return latest;
  throw invalidRequest(
    `This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`,
    'payment_intent',
  );
}
