import type Stripe from 'stripe';
import { requireChargeable } from '../currencies.js';
import { endpoint, type Call } from '../http/endpoint.js';
import { invalidRequest, unexpectedState } from '../http/errors.js';
import {
  currency,
  flag,
  ignored,
  integer,
  list,
  metadata,
  oneOf,
  required,
  text,
  unsimulated,
  url,
} from '../http/params.js';
import { cancelIntent, cardError, chargeIntent, createIntent, intentData } from '../payments/intent.js';
import type { Stored, StoredPaymentMethod } from '../state/records.js';
import { requireChargesEnabled } from '../payments/account.js';
import { resource } from '../http/resource.js';
import { requireSupportedTypes } from './payment-method-types.js';

const CONFIRM_PARAMS = {
  payment_method: text(),
  off_session: flag(),
  receipt_email: text(800),
  return_url: url(),
  error_on_requires_action: flag(),
  use_stripe_sdk: flag(),
  setup_future_usage: oneOf('off_session', 'on_session'),
  capture_method: oneOf('automatic', 'automatic_async'),
  payment_method_types: list(text()),
  allowed_payment_method_types: list(text()),
  ...ignored('mandate_data payment_method_options radar_options'),
  ...unsimulated(`
    amount_details confirmation_token excluded_payment_method_types hooks mandate payment_details
    payment_method_data shipping
  `),
};

const CREATE_PARAMS = {
  ...CONFIRM_PARAMS,
  amount: required(integer(1, 99_999_999)),
  currency: required(currency()),
  confirm: flag(),
  customer: text(),
  description: text(1000),
  metadata: metadata(),
  statement_descriptor: text(22),
  statement_descriptor_suffix: text(22),
  transfer_group: text(),
  ...ignored('automatic_payment_methods confirmation_method payment_method_configuration'),
  ...unsimulated('application_fee_amount customer_account on_behalf_of transfer_data'),
};

type ConfirmCall = Pick<Call<typeof CONFIRM_PARAMS>, 'sim' | 'params' | 'account' | 'origin'>;

const intents = resource('/v1/payment_intents', (store) => store.payment_intents, 'intent');
const setupIntents = resource('/v1/setup_intents', (store) => store.setup_intents, 'intent');

/**
 * Payment intents: those of checkouts, and off-session charges. Setup intents: those
 * of sessions in setup mode.
 */
export const paymentIntentEndpoints = [
  endpoint('post', '/v1/payment_intents', CREATE_PARAMS, (call) => {
    requireSupportedTypes(call);
    return create(call);
  }),

  intents.list({ customer: text() }),
  intents.search(),
  intents.retrieve({ client_secret: text() }),
  intents.update({ description: text(1000), metadata: metadata(), receipt_email: text(800) }, [
    'description',
    'receipt_email',
  ]),

  endpoint('post', '/v1/payment_intents/:id/confirm', CONFIRM_PARAMS, (call) => {
    requireSupportedTypes(call);
    return confirm(call, intents.find(call));
  }),

  endpoint(
    'post',
    '/v1/payment_intents/:id/cancel',
    { cancellation_reason: oneOf('abandoned', 'duplicate', 'fraudulent', 'requested_by_customer') },
    (call) => cancelIntent(call.sim, intents.find(call), call.params.cancellation_reason ?? null).object,
  ),

  setupIntents.retrieve(),
];

function create(call: Call<typeof CREATE_PARAMS>): Stripe.PaymentIntent {
  const { sim, params, account, origin } = call;
  requireChargesEnabled(sim, account);
  requireChargeable(params.amount, params.currency, 'The amount', 'amount');
  if (params.customer) sim.store.require(sim.store.customers, params.customer, account, 'customer', 400);
  if (params.payment_method) usableMethod(call, params.payment_method, params.customer ?? null);
  if (params.off_session && !params.confirm) {
    throw invalidRequest('You cannot pass `off_session` when `confirm` is not `true`.', 'off_session');
  }
  const fields = {
    ...intentData(params),
    amount: params.amount,
    currency: params.currency,
    customer: params.customer ?? null,
    payment_method: params.payment_method ?? null,
    payment_method_types: params.allowed_payment_method_types ?? params.payment_method_types ?? ['card'],
  };
  const intent = createIntent(sim, fields, origin);
  return params.confirm ? confirm(call, intent) : intent.object;
}

/** Charges the card. A decline keeps the intent and its failed charge, and returns 402. */
function confirm(call: ConfirmCall, intent: Stored<Stripe.PaymentIntent>): Stripe.PaymentIntent {
  const { sim, params, origin } = call;
  const { id, status, customer, payment_method } = intent.object;
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status)) {
    throw unexpectedState(
      'You cannot confirm this PaymentIntent because it has already ' +
        `${status === 'succeeded' ? 'succeeded after being previously confirmed' : `a status of ${status}`}.`,
      intent.object,
    );
  }
  const methodId = params.payment_method ?? payment_method;
  if (!methodId) {
    throw unexpectedState(
      `You cannot confirm this PaymentIntent because it's missing a payment method. Update ${id} with a ` +
        'payment method and then confirm it again.',
      intent.object,
    );
  }
  const method = usableMethod(call, String(methodId), customer ? String(customer) : null);
  const outcome = params.off_session ? method.behaviour.off_session : method.behaviour.on_session;
  const outcomes = { approved: 'succeeded', processing: 'pending' } as const;
  const result = chargeIntent(
    sim,
    intent,
    method,
    typeof outcome === 'string' ? outcomes[outcome] : outcome,
    origin,
  );
  if (typeof outcome === 'object') throw cardError(outcome, result.intent.object, result.charge);
  return result.intent.object;
}

function usableMethod(
  { sim, account }: ConfirmCall,
  id: string,
  customer: string | null,
): StoredPaymentMethod {
  const method = sim.store.require(sim.store.payment_methods, id, account, 'payment_method', 400);
  const owner = method.object.customer;
  if (owner === customer) return method;
  throw invalidRequest(
    owner
      ? `The PaymentMethod ${id} belongs to the Customer ${String(owner)}. Include the Customer in the ` +
          '`customer` parameter on the PaymentIntent.'
      : `The provided PaymentMethod ${id} was previously used without being attached to a Customer or ` +
          'was detached from a Customer, and may not be used again.',
    'payment_method',
  );
}
