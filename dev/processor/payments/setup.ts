import type Stripe from 'stripe';
import { emit } from '../events.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Decline, StoredPaymentMethod, StoredSession } from '../state/records.js';
import { nulls } from '../names.js';

/** Attaches a card to a customer, as the setup of a session does, and emits its event. */
export function saveCard(
  sim: Simulator,
  { account, setup_data }: StoredSession,
  method: StoredPaymentMethod,
  customer: string,
): Stripe.SetupIntent {
  const { store } = sim;
  store.patch(store.payment_methods, method, { customer });
  const id = newId('seti');
  const object: Stripe.SetupIntent = {
    ...nulls(`
      allowed_payment_method_types application automatic_payment_methods cancellation_reason customer_account
      excluded_payment_method_types flow_directions last_setup_error latest_attempt managed_payments mandate
      next_action on_behalf_of payment_method_configuration_details single_use_mandate
    `),
    ...setup_data,
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${newId('x').slice(2)}`,
    created: unixNow(),
    customer,
    livemode: false,
    payment_method: method.object.id,
    payment_method_options: {},
    payment_method_types: ['card'],
    status: 'succeeded',
    usage: 'off_session',
  } as Stripe.SetupIntent;
  store.add(store.setup_intents, object, { account });
  emit(store, 'setup_intent.succeeded', object, { account });
  return object;
}

/** A card that its bank always declines is not saved. */
export const declineOfSetup = ({ behaviour }: StoredPaymentMethod): Decline | null =>
  behaviour.on_session === 'approved' ? null : behaviour.on_session;
